import { RpcError } from "../errors.js";

/** A part of the code that is loaded when it is needed. */
export function later<Code>(name: string, loading: Promise<Code>): Promise<Code> {
  return loading.catch((cause: unknown) => {
    throw new RpcError("network", `the code of ${name} cannot be loaded`, { retryable: true, cause });
  });
}
