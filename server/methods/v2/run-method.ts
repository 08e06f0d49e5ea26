import type { runMethodMethods } from "../../../shared/methods/v2/run-method.js";
import type { StackInput } from "../../../shared/schema/v2-stack-params.js";
import type { Address } from "../../../shared/values/address.js";
import { methodId } from "../../chain/executor/method-id.js";
import type { LiteCall } from "../../chain/lite-api.js";
import type { ChainReader } from "../../chain/read/reader.js";
import type { MethodRunner } from "../../chain/run/method-runner.js";
import { type MethodRunResult, presentLegacyRun, presentTypedRun } from "../../present/v2/run-result.js";
import { readStack } from "./input/stack.js";
import { mapChainErrors } from "./lite-errors.js";
import { readAccount } from "./read-account.js";

export type RunMethodDeps = { reader: Pick<ChainReader, "blockAt" | "account">; runner: MethodRunner };

type Params = {
  address: Address;
  method: string | number;
  stack: StackInput[];
  seqno?: number | undefined;
};

export const runMethodHandlers = mapChainErrors<typeof runMethodMethods, RunMethodDeps>({
  async runGetMethod(params, deps, call) {
    return presentLegacyRun(await run(params, deps, call));
  },

  async runGetMethodStd(params, deps, call) {
    return presentTypedRun(await run(params, deps, call));
  },
});

async function run(
  { address, method, stack, seqno }: Params,
  { reader, runner }: RunMethodDeps,
  call: LiteCall,
): Promise<MethodRunResult> {
  const methodRun = {
    methodId: typeof method === "number" ? method : methodId(method),
    // Rejects invalid arguments before the account is read.
    stack: readStack(stack),
  };
  const account = await readAccount(reader, await reader.blockAt(seqno, call), address, call);
  return { account, outcome: await runner.run(account, methodRun, call) };
}
