import type { Call } from "../../../shared/methods/define.js";
import type { DebugRunRecord } from "../../../shared/schema/v3/debug.js";
import type { AnswerNames } from "../../../shared/text/answer-names.js";
import type { PlainRun } from "../../../shared/ton/present/v3/debug-run.js";
import { gasTreesOf } from "../../../shared/ton/present/v3/read-run.js";
import type { DebugRun } from "../../../shared/ton/run/debug-run.js";
import type { MachineLog } from "../../../shared/ton/tvm/machine-log.js";
import type { GivenArtifacts } from "../../artifacts/given-files.js";
import { type CodeSources, otherOf } from "../../artifacts/source-maps.js";
import type { ChosenAbi } from "../../artifacts/store.js";
import { interfacesOf } from "../../contracts/interfaces.js";
import type { BookSettings } from "../../present/v3/answer-extras.js";
import { presentRun } from "../../present/v3/debug-runs.js";
import { withSources } from "../../present/v3/run-sources.js";
import { inWords, needsStacks, type RunWordsSource } from "../../present/v3/run-words.js";
import { knownNames } from "../../present/v3/texts.js";
import { transactionRunOf } from "./debug-run-of.js";
import { type OpenedRun, type OpenRunDeps, opened } from "./opened-run.js";

export type DebugWordsDeps = OpenRunDeps &
  Pick<RunWordsSource, "rowOf"> & {
    book: BookSettings;
    executorVersion(): Promise<number>;
  };

/** A run as answers have it: with the reasons of its actions, what failed, what can be done about it, and what its sources tell. */
export async function presentInWords(
  run: DebugRun,
  deps: DebugWordsDeps,
  call: Call,
  given?: GivenArtifacts,
): Promise<DebugRunRecord> {
  const plain = presentRun(run, await deps.executorVersion());
  const stacks = needsStacks(plain) ? await stacksOf(run, deps, call) : undefined;
  const sourced = opened(run, deps, call, given);
  const frames = await sourced.frames();
  const { rowOf } = deps;
  const { artifacts, executed, sources } = sourced;
  const interfaces = interfacesOf(plain.code?.hash ?? null, methodsOf(sources));
  const thrownIn = abisOfStep(plain.outcome.step, sourced);
  const names = await namesFor(plain, artifacts, deps);
  const words = { artifacts, rowOf, names, interfaces, stacks, frames, thrownIn };
  const trees = await gasTreesOf(run.id, sourced);
  return withSources(inWords(plain, run, words), { executed, sources, trees });
}

/** The ids of the contract's own methods. */
function methodsOf({ code, others }: CodeSources): number[] {
  return code.cells.methods.filter(({ cell }) => !otherOf(others, cell.hashHex())).map(({ id }) => id);
}

/** The ABIs of the code from elsewhere that a step is in. */
function abisOfStep(step: number | null, { log, sources }: OpenedRun): readonly ChosenAbi[] {
  const at = step === null ? undefined : log.at(step).at;
  return (at && otherOf(sources.others, at.cell)?.abis) ?? [];
}

/** The network's names and, for contracts without one, that in the caller's own ABI. */
async function namesFor(
  { account, code }: PlainRun,
  artifacts: OpenedRun["artifacts"],
  { book }: DebugWordsDeps,
): Promise<AnswerNames> {
  const known = await knownNames(book.texts);
  if (known.account(account).isName) return known;
  for (const { contract, trust } of artifacts.abisOf({ codeHash: code?.hash, account }))
    if (trust === "own") return knownNames(book.texts, { [account]: contract });
  return known;
}

/** The log of a transaction's run with stacks, which other runs are not made again for. */
async function stacksOf(run: DebugRun, deps: DebugWordsDeps, call: Call): Promise<MachineLog | undefined> {
  if (run.kind !== "transaction" || !run.block) return undefined;
  const { cell, transaction } = run.own.found;
  const asked = { hash: cell.hash(), account: run.address, lt: transaction.lt, force: true };
  return (await transactionRunOf(asked, { withStacks: true }, deps, call)).log;
}
