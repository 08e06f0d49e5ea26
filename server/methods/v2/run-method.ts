import type { runMethodMethods } from "../../../shared/methods/v2/run-method.js";
import type { StackInput } from "../../../shared/schema/v2-stack-params.js";
import type { Address } from "../../../shared/values/address.js";
import { methodId } from "../../chain/executor/method-id.js";
import type { StackValue } from "../../chain/executor/stack.js";
import type { LiteCall } from "../../chain/lite-api.js";
import type { ChainReader } from "../../chain/read/reader.js";
import type { MethodRunner } from "../../chain/run/method-runner.js";
import { stackOf } from "./input/stack.js";
import { explainingLiteErrors } from "./lite-errors.js";
import { presentBlockId, presentTransactionId } from "./present/records.js";
import { presentLegacyStack, presentTypedStack } from "./present/stack.js";

export type RunMethodDeps = { reader: Pick<ChainReader, "blockAt" | "account">; runner: MethodRunner };

type Params = {
  address: Address;
  method: string | number;
  stack: StackInput[];
  seqno?: number | undefined;
};

export const runMethodHandlers = explainingLiteErrors<typeof runMethodMethods, RunMethodDeps>({
  runGetMethod: (params, deps, call) => run(params, deps, call, presentLegacyStack),
  runGetMethodStd: (params, deps, call) => run(params, deps, call, presentTypedStack),
});

async function run<Entry>(
  { address, method, stack: given, seqno }: Params,
  { reader, runner }: RunMethodDeps,
  call: LiteCall,
  present: (stack: readonly StackValue[]) => Entry[],
) {
  const stack = stackOf(given);
  const account = await reader.account(await reader.blockAt(seqno, call), address, call);
  const id = typeof method === "number" ? method : methodId(method);
  const { gasUsed, exitCode, stack: left } = await runner.run(account, { methodId: id, stack }, call);
  return {
    "@type": "smc.runResult" as const,
    gas_used: gasUsed,
    stack: present(left),
    exit_code: exitCode,
    block_id: presentBlockId(account.block),
    last_transaction_id: presentTransactionId(account.lastTransaction),
  };
}
