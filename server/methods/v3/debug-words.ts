import type { Call } from "../../../shared/methods/define.js";
import type { DebugRunRecord } from "../../../shared/schema/v3/debug.js";
import type { AnswerNames } from "../../../shared/text/answer-names.js";
import type { RunFrames } from "../../../shared/ton/debug/run-frames.js";
import type { MachineLog } from "../../../shared/ton/tvm/machine-log.js";
import type { DebugRun } from "../../chain/retrace/debug-runs.js";
import type { BookSettings } from "../../present/v3/answer-extras.js";
import type { PlainRun } from "../../present/v3/debug-run.js";
import { presentRun } from "../../present/v3/debug-runs.js";
import { inWords, needsFrames, needsStacks, type RunWordsSource } from "../../present/v3/run-words.js";
import { knownNames } from "../../present/v3/texts.js";
import { transactionRunOf } from "./debug-run-of.js";
import { executedRun } from "./executed-run.js";
import type { OpenRunDeps } from "./opened-run.js";

export type DebugWordsDeps = OpenRunDeps &
  Pick<RunWordsSource, "rowOf"> & {
    book: BookSettings;
    executorVersion(): Promise<number>;
  };

/** A run as answers have it: with the reasons of its actions, what failed, and what can be done about it. */
export async function presentInWords(
  run: DebugRun,
  deps: DebugWordsDeps,
  call: Call,
): Promise<DebugRunRecord> {
  const plain = presentRun(run, await deps.executorVersion());
  const stacks = needsStacks(plain) ? await stacksOf(run, deps, call) : undefined;
  const frames = needsFrames(plain, run) ? await framesOf(run, deps, call) : undefined;
  const { artifacts, rowOf } = deps;
  return inWords(plain, run, { artifacts, rowOf, names: await namesFor(plain, deps), stacks, frames });
}

/** The network's names and, for contracts without one, that in the caller's own ABI. */
async function namesFor(
  { account, code }: PlainRun,
  { artifacts, book }: DebugWordsDeps,
): Promise<AnswerNames> {
  const known = await knownNames(book.texts);
  if (known.account(account).isName) return known;
  for (const { contract, trust } of artifacts.abisOf({ codeHash: code?.hash, account }))
    if (trust === "own") return knownNames(book.texts, { [account]: contract });
  return known;
}

/** The functions of the run, if its source is known or its gas was spent. */
async function framesOf(run: DebugRun, deps: DebugWordsDeps, call: Call): Promise<RunFrames> {
  return deps.runSources.frames(run.log, deps.runSources.of(executedRun(run), deps.artifacts), call);
}

/** The log of a transaction's run with stacks, which other runs are not made again for. */
async function stacksOf(run: DebugRun, deps: DebugWordsDeps, call: Call): Promise<MachineLog | undefined> {
  if (run.kind !== "transaction" || !run.block) return undefined;
  const { cell, transaction } = run.own.found;
  const asked = { hash: cell.hash(), account: run.address, lt: transaction.lt, force: true };
  return (await transactionRunOf(asked, { withStacks: true }, deps, call)).log;
}
