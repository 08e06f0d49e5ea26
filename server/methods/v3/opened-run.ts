import type { Call } from "../../../shared/methods/define.js";
import { executedRun } from "../../../shared/ton/present/v3/executed-run.js";
import type { OpenedRun as ReadableRun } from "../../../shared/ton/present/v3/read-run.js";
import type { DebugRun } from "../../../shared/ton/run/debug-run.js";
import type { GivenArtifacts, GivenTexts } from "../../artifacts/given-files.js";
import type { CodeSources } from "../../artifacts/source-maps.js";
import type { Abis } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";
import { abiStorageOf } from "../../present/v3/abi.js";
import { type AskedRun, type RunOfDeps, runOf } from "./debug-run-of.js";
import type { RunSources } from "./run-sources.js";

export type OpenRunDeps = RunOfDeps & { artifacts: Abis; runSources: RunSources };

/** A run, with what is known of its code. */
export type OpenedRun = ReadableRun & {
  /** What is known of contracts, with the files that the call has given for this one. */
  readonly artifacts: Abis;
  readonly sources: CodeSources;
};

/** The files that a call gives about the contract. The caller pays for reading them. */
export function givenBy(
  { abi, source_map }: GivenTexts,
  { runSources }: { runSources: Pick<RunSources, "given"> },
  call: Call,
): Promise<GivenArtifacts | undefined> {
  return runSources.given.read({ abi, source_map }, paidTurns(call));
}

export async function openRun(
  { abi, source_map, ...asked }: AskedRun & GivenTexts,
  { withStacks }: { withStacks: boolean },
  deps: OpenRunDeps,
  call: Call,
): Promise<OpenedRun> {
  const given = await givenBy({ abi, source_map }, deps, call);
  return opened(await runOf(asked, { withStacks }, deps, call), deps, call, given);
}

/** The caller pays for what is read of it. */
export function opened(
  run: DebugRun,
  { runSources, artifacts: known }: Pick<OpenRunDeps, "runSources" | "artifacts">,
  call: Call,
  given?: GivenArtifacts,
): OpenedRun {
  const { log } = run;
  const executed = executedRun(run);
  const artifacts = given ? given.over(known, executed.code) : known;
  const sources = runSources.ofRun(executed, log, artifacts);
  const turns = paidTurns(call, runSources.timeSlice);
  return {
    ...{ run, log, executed, artifacts, sources, turns, code: sources.code },
    words: { globals: sources.map?.map.globals ?? [], storageOf: (data) => storageIn(sources, data) },
    frames: () => runSources.frames(log, sources, turns),
  };
}

function storageIn({ abis }: CodeSources, data: Parameters<typeof abiStorageOf>[1]): unknown {
  const read = abiStorageOf(abis, data);
  return read && "storage" in read ? read.storage : undefined;
}
