import { JsonText } from "../../shared/methods/json-text.js";
import { ServiceError } from "../errors.js";
import type { Methods } from "./bind.js";
import { noOptions } from "./dispatch.js";

/** `signalOf` ends a call; `caller`: as in `Call`. */
type CallRules = { readonly signalOf: () => AbortSignal; readonly caller?: string };

/** Calls of the service to itself: neither counted nor logged nor cached. Results are as JSON has them. */
export function internalCalls(methods: Methods, { signalOf, caller }: CallRules) {
  return async (name: string, params: object): Promise<unknown> => {
    const method = methods.get(name);
    if (!method) throw new ServiceError("unknown-method");
    const call = { signal: signalOf(), caller, asked: new Set<number>(), options: noOptions };
    const result = await method.run(method.params.read({ object: { ...params } }).values, call);
    return JSON.parse(result instanceof JsonText ? result.text : JSON.stringify(result));
  };
}
