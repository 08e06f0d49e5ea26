import type { ResultOf } from "../../methods/define.js";
import type { runMethodMethods } from "../../methods/v2/run-method.js";
import type { AccountSnapshot } from "../proofs/read/account.js";
import type { MethodOutcome } from "../run/run-get-method.js";
import { presentBlockId, presentTransactionId } from "./records.js";
import { presentLegacyStack, presentTypedStack } from "./stack.js";

type Result<Name extends keyof typeof runMethodMethods> = ResultOf<(typeof runMethodMethods)[Name]>;

export type MethodRunResult = { account: AccountSnapshot; outcome: MethodOutcome };

/** In the form of runGetMethod: stack entries are pairs of type and value. */
export function presentLegacyRun(result: MethodRunResult): Result<"runGetMethod"> {
  return presentRun(result, presentLegacyStack(result.outcome.stack));
}

/** In the form of runGetMethodStd: stack entries are objects with a `@type`. */
export function presentTypedRun(result: MethodRunResult): Result<"runGetMethodStd"> {
  return presentRun(result, presentTypedStack(result.outcome.stack));
}

function presentRun<Entry>({ account, outcome }: MethodRunResult, stack: Entry[]) {
  return {
    "@type": "smc.runResult" as const,
    gas_used: outcome.gasUsed,
    stack,
    exit_code: outcome.exitCode,
    block_id: presentBlockId(account.block),
    last_transaction_id: presentTransactionId(account.lastTransaction),
  };
}
