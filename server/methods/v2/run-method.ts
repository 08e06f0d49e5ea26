import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { runMethodMethods } from "../../../shared/methods/v2/run-method.js";
import type { Overrides } from "../../../shared/schema/overrides.js";
import type { StackInput } from "../../../shared/schema/v2/stack-params.js";
import {
  type MethodRunResult,
  presentLegacyRun,
  presentTypedRun,
} from "../../../shared/ton/present/run-result.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { MethodOutcome } from "../../../shared/ton/run/run-get-method.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import type { Address } from "../../../shared/values/address.js";
import type { MethodRunner } from "../../chain/run/method-runner.js";
import type { ChainReads } from "../../chain/run/supposed-chain.js";
import { chainWith, runOn } from "../input/overrides.js";
import { readStack } from "../input/stack.js";
import { readAccount } from "./read-account.js";

export type RunMethodDeps = { reader: ChainReads; runner: MethodRunner };

/** The contract to run, and the state to run it on. */
type Target = { address: Address; seqno?: number | undefined; overrides?: Overrides | undefined };
type Params = Target & { method: string | number; stack: StackInput[] };

export const runMethodHandlers: Handlers<typeof runMethodMethods, RunMethodDeps> = {
  async runGetMethod(params, deps, call) {
    return presentLegacyRun(await run(params, deps, call));
  },

  async runGetMethodStd(params, deps, call) {
    return presentTypedRun(await run(params, deps, call));
  },
};

async function run(params: Params, deps: RunMethodDeps, call: Call): Promise<MethodRunResult> {
  const { method, stack } = params;
  const methodRun = {
    methodId: typeof method === "number" ? method : methodId(method),
    // Rejects invalid arguments before the account is read.
    stack: readStack(stack),
  };
  return runOnAccount(params, methodRun, deps, call);
}

type MethodRun = { methodId: number; stack: readonly StackValue[] };

/** Runs a get-method at a block, with the overrides of the call. `runOf`: the run, which may depend on the account. */
export async function runOnAccount(
  { address, seqno, overrides }: Target,
  runOf: MethodRun | ((account: AccountSnapshot) => Promise<MethodRun>),
  { reader, runner }: RunMethodDeps,
  call: Call,
): Promise<{ account: AccountSnapshot; outcome: MethodOutcome }> {
  const runFor = async (account: AccountSnapshot) => (typeof runOf === "function" ? runOf(account) : runOf);
  if (!overrides) {
    const account = await readAccount(reader, await reader.blockAt(seqno, call), address, call);
    return { account, outcome: await runner.run(account, await runFor(account), call) };
  }
  call.provisional = true;
  const chain = chainWith(overrides, reader);
  const account = await readAccount(chain, await reader.blockAt(seqno, call), address, call);
  const run = await runFor(account);
  return { account, outcome: await runOn(chain, runner.on(chain).run(account, run, call)) };
}
