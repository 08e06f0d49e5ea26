import type { Call } from "../../../shared/methods/define.js";
import { type Local, LocalsWalk } from "../../../shared/ton/debug/locals.js";
import {
  type GasTree,
  GasTreeBuilder,
  type ProfileKind,
} from "../../../shared/ton/debug/profile/gas-tree.js";
import { type DerivedRegisters, RegisterWalk } from "../../../shared/ton/debug/registers.js";
import type { RunCode } from "../../../shared/ton/debug/run-code.js";
import type { MachineLog } from "../../../shared/ton/tvm/machine-log.js";
import type { GivenArtifacts, GivenTexts } from "../../artifacts/given-files.js";
import type { CodeSources } from "../../artifacts/source-maps.js";
import type { Abis } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";
import type { DebugRun } from "../../chain/retrace/debug-runs.js";
import { type ExecutedRun, executedRun } from "../../present/v3/executed-run.js";
import { parametersOf } from "../../present/v3/run-parameters.js";
import { type AskedRun, type RunOfDeps, runOf } from "./debug-run-of.js";
import type { RunSources } from "./run-sources.js";

export type OpenRunDeps = RunOfDeps & { artifacts: Abis; runSources: RunSources };

/** Steps that are looked at without a break. */
export const stepsAtOnce = 500;

/** A run, with what is known of its code. */
export type OpenedRun = {
  run: DebugRun;
  log: MachineLog;
  executed: ExecutedRun;
  /** What is known of contracts, with the files that the call has given for this one. */
  artifacts: Abis;
  sources: CodeSources;
};

export async function openRun(
  { abi, source_map, ...asked }: AskedRun & GivenTexts,
  { withStacks }: { withStacks: boolean },
  deps: OpenRunDeps,
  call: Call,
): Promise<OpenedRun> {
  const paid = paidTurns(call);
  const given = await paid(() => deps.runSources.given.read({ abi, source_map }));
  const run = await runOf(asked, { withStacks }, deps, call);
  return paid(() => opened(run, deps, given));
}

export function opened(
  run: DebugRun,
  { runSources, artifacts: known }: Pick<OpenRunDeps, "runSources" | "artifacts">,
  given?: GivenArtifacts,
): OpenedRun {
  const { log } = run;
  const executed = executedRun(run);
  const artifacts = given ? given.over(known, executed.code) : known;
  return { run, log, executed, artifacts, sources: runSources.ofRun(executed, log, artifacts) };
}

/** Where the gas of runs went. Each has a root. */
export async function treeOf(
  by: ProfileKind,
  runs: readonly { readonly name: string; readonly run: OpenedRun }[],
  { runSources }: Pick<OpenRunDeps, "runSources">,
  call: Call,
): Promise<GasTree> {
  const builder = new GasTreeBuilder(by);
  const paid = paidTurns(call);
  for (const { name, run } of runs) {
    const { log, executed, sources } = run;
    const frames = await runSources.frames(log, sources, call);
    const add = builder.adding({ name, log, frames, code: sources.code, gasUsed: executed.gasUsed });
    while (await paid(() => add(stepsAtOnce)));
  }
  return builder.finish();
}

/** The registers of a run whose log has stacks. */
export async function derive(
  { run, log, executed }: Pick<OpenedRun, "run" | "log" | "executed">,
  call: Call,
): Promise<DerivedRegisters> {
  const { code, data: c4, dataHash, actionsHash } = executed;
  const paid = paidTurns(call);
  const walk = await paid(() => new RegisterWalk(log, { c4, parameters: parametersOf(run, code) }));
  while (await paid(() => walk.read(stepsAtOnce)));
  return walk.finish({ dataHash, actionsHash });
}

export function wordsOf({ abis, map }: CodeSources) {
  return { abis, globals: map?.map.globals ?? [] };
}

/** The variables of the innermost function before each step of a page. */
export async function localsOfPage(
  log: MachineLog,
  code: RunCode,
  { low, high }: { readonly low: number; readonly high: number },
  call: Call,
): Promise<(n: number) => readonly Local[]> {
  const walk = new LocalsWalk(log, code);
  const known = new Map<number, readonly Local[]>();
  const paid = paidTurns(call);
  for (let n = low; n < high; n++) known.set(n, await paid(() => walk.before(n)[0]?.locals ?? []));
  return (n) => known.get(n) ?? [];
}
