// What answers have of a run that is open, for all programs that run contracts.
import type { ParamsOf, ResultOf } from "../../../methods/define.js";
import type { debugRunMethods } from "../../../methods/v3/debug-runs.js";
import type { debugStateMethods } from "../../../methods/v3/debug-state.js";
import type { DebugRunRecord } from "../../../schema/v3/debug.js";
import { StepSearch } from "../../debug/find-steps.js";
import { type Local, LocalsWalk, localsBefore } from "../../debug/locals.js";
import { gasCalls } from "../../debug/profile/calls.js";
import { collapsed, cpuProfile, gasEntries, speedscope } from "../../debug/profile/formats.js";
import { type GasTree, GasTreeBuilder, type ProfileKind } from "../../debug/profile/gas-tree.js";
import { type DerivedRegisters, RegisterWalk } from "../../debug/registers.js";
import type { RunCode } from "../../debug/run-code.js";
import { FrameWalk, type RunFrames } from "../../debug/run-frames.js";
import type { DebugRun, Turns } from "../../run/debug-run.js";
import { readLoggedValue, splitValues } from "../../tvm/logged-values.js";
import type { MachineLog } from "../../tvm/machine-log.js";
import { presentRegisters, type RegisterWords } from "./debug-registers.js";
import { StepPage } from "./debug-steps.js";
import { TrailPage } from "./debug-trail.js";
import { presentLocated, ShownValues } from "./debug-values.js";
import type { ExecutedRun } from "./executed-run.js";
import { parametersOf } from "./run-parameters.js";
import { type StepSearchParams, searchOf } from "./step-search.js";

/** A run, with what is known of its code. */
export type OpenedRun = {
  readonly run: DebugRun;
  readonly log: MachineLog;
  readonly executed: ExecutedRun;
  readonly code: RunCode;
  readonly words: RegisterWords;
  /** The functions of all steps. */
  frames(): Promise<RunFrames>;
  readonly turns: Turns;
};

type StepsParams = ParamsOf<typeof debugRunMethods.steps>;
type Profile = ResultOf<typeof debugStateMethods.profile>;

/** Steps that are looked at without a break. */
const stepsAtOnce = 500;
/** Steps that a page gets without a break: each may have a long stack. */
const addedAtOnce = 100;
/** Steps of a page with variables. */
const maxWithLocals = 50;
/** Steps that are found. */
const maxFound = 1000;
/** Visits of functions in a profile. */
const maxCalls = 5000;

/** Whether a page needs the log with stacks. */
export function needsStackLog(include: StepsParams["include"]): boolean {
  const all: readonly StepsParams["include"][number][] = ["stack", "full_stack", "locals", "registers"];
  return all.some((part) => include.includes(part));
}

/** Whether a search needs it. */
export function searchNeedsStackLog(search: StepSearchParams): boolean {
  return [search.writes, search.throws, search.equals].some((each) => each !== undefined);
}

/** The functions of a log's steps. */
export async function framesOf(log: MachineLog, code: RunCode, turns: Turns): Promise<RunFrames> {
  const walk = new FrameWalk(log, code);
  while (await turns(() => walk.read(stepsAtOnce)));
  return walk.finish();
}

/** Where the gas of runs went. Each has a root. */
export async function treeOf(
  by: ProfileKind,
  runs: readonly { readonly name: string; readonly run: OpenedRun }[],
): Promise<GasTree> {
  const builder = new GasTreeBuilder(by);
  for (const { name, run } of runs) {
    const { log, executed, code, turns } = run;
    const add = builder.adding({ name, log, frames: await run.frames(), code, gasUsed: executed.gasUsed });
    while (await turns(() => add(stepsAtOnce)));
  }
  return builder.finish();
}

/** The registers of a run whose log has stacks. */
async function registersOf({ run, log, executed, turns }: OpenedRun): Promise<DerivedRegisters> {
  const { code, data: c4, dataHash, actionsHash } = executed;
  const walk = await turns(() => new RegisterWalk(log, { c4, parameters: parametersOf(run, code) }));
  while (await turns(() => walk.read(stepsAtOnce)));
  return walk.finish({ dataHash, actionsHash });
}

/** A page of steps. */
export async function readSteps(
  opened: OpenedRun,
  { from, limit, backward, include }: Pick<StepsParams, "from" | "limit" | "backward" | "include">,
): Promise<Omit<ResultOf<typeof debugRunMethods.steps>, "run">> {
  const has = (part: (typeof include)[number]) => include.includes(part);
  const places = { source: has("source"), frames: has("frames") };
  const parts = { stack: has("stack"), fullStack: has("full_stack"), cells: has("cells"), ...places };
  const { log, code, words } = opened;
  const range = rangeOf(
    { from, limit: has("locals") ? Math.min(limit, maxWithLocals) : limit, backward },
    log,
  );
  const registers = has("registers") ? await registersOf(opened) : undefined;
  const page = new StepPage(log, parts, {
    code,
    ...((places.source || places.frames) && { frames: await opened.frames() }),
    ...(has("locals") && { locals: await localsOfPage(opened, range) }),
    ...(registers && {
      registers: (n, values) => {
        const changed = registers.changedBy(n);
        return Object.keys(changed).length > 0 ? presentRegisters(changed, values, words) : undefined;
      },
    }),
  });
  const next = await fill(page, range, opened);
  return {
    steps: page.steps,
    ...(parts.cells && { cells: page.cells }),
    next,
    total: log.total,
    first_step: log.first,
    truncated: log.isCut,
  };
}

/** A page of the steps in short. */
export async function readTrail(
  opened: OpenedRun,
  { from }: Pick<ParamsOf<typeof debugRunMethods.trail>, "from">,
): Promise<Omit<ResultOf<typeof debugRunMethods.trail>, "run">> {
  const { log, code } = opened;
  const page = new TrailPage(log, code, await opened.frames());
  const { low, high } = rangeOf({ from, limit: log.total, backward: false }, log);
  const next = await fill(page, { low, high, backward: false }, opened);
  const { steps, places, frames, prints } = page;
  return {
    ...{ from: low, steps, places, frames, prints, next },
    ...{ total: log.total, first_step: log.first, truncated: log.isCut },
  };
}

/** The machine before a step that the log has. */
export async function readState(
  opened: OpenedRun,
  n: number,
): Promise<Omit<ResultOf<typeof debugStateMethods.state>, "run">> {
  const { log, code, words, turns } = opened;
  const frames = await opened.frames();
  const registers = await registersOf(opened);
  const values = new ShownValues(true);
  const page = new StepPage(
    log,
    { stack: true, fullStack: false, cells: false, source: true },
    { code, frames },
  );
  page.add(n);
  return turns(() => ({
    step: page.steps[0]!,
    stack: splitValues(log.stackBefore(n) ?? "").map((text) => values.present(readLoggedValue(text))),
    registers: presentRegisters(registers.before(n), values, words),
    frames: localsBefore(log, code, n).map(({ function: name, locals }) => ({
      function: name,
      locals: locals.map((local) => values.local(local)),
    })),
    cells: values.cells,
  }));
}

/** Steps with a property. Throws a SearchFault. */
export async function findSteps(
  opened: OpenedRun,
  given: StepSearchParams,
): Promise<Omit<ResultOf<typeof debugStateMethods.find>, "run">> {
  const { log, code, words, turns } = opened;
  const search = searchOf(given, words.globals);
  const found = new StepSearch(
    {
      log,
      code,
      frames: "line" in search || "function" in search ? await opened.frames() : undefined,
      registers: "writes" in search ? await registersOf(opened) : undefined,
    },
    search,
    maxFound,
  );
  while (await turns(() => found.read(stepsAtOnce)));
  return { steps: found.found.slice(0, maxFound), is_cut: found.found.length > maxFound };
}

/** Gas in a form of the profile. `end`: the step behind the last one of the last run. */
export function profileIn(
  tree: GasTree,
  format: ParamsOf<typeof debugStateMethods.profile>["format"],
  { name, end }: { name: string; end: number },
): Pick<Profile, "entries" | "calls" | "text" | "file"> {
  switch (format) {
    case "json":
      return { entries: gasEntries(tree).slice(0, maxFound) };
    case "calls":
      return { calls: gasCalls(tree, end, maxCalls) };
    case "collapsed":
      return { text: collapsed(tree) };
    case "cpuprofile":
      return { file: cpuProfile(tree) };
    case "speedscope":
      return { file: speedscope(tree, name) };
  }
}

type PageParams = Pick<StepsParams, "from" | "limit" | "backward">;
type Range = { readonly low: number; readonly high: number; readonly backward: boolean };

/** The steps of a page: those from `low` up to `high`, which it does not have. */
function rangeOf({ from, limit, backward }: PageParams, { first, end }: MachineLog): Range {
  const start = Math.max(from ?? (backward ? end - 1 : first), first);
  if (!backward) return { low: start, high: Math.min(end, start + limit), backward };
  const last = Math.min(start, end - 1);
  return { low: Math.max(first, last - limit + 1), high: last + 1, backward };
}

/** Adds steps to a page, part by part; returns where the next one begins, or null at the end. */
async function fill(
  page: Pick<StepPage | TrailPage, "add" | "isFull" | "steps">,
  { low, high, backward }: Range,
  { log: { first, end }, turns }: OpenedRun,
): Promise<number | null> {
  const by = backward ? -1 : 1;
  let n = backward ? high - 1 : low;
  const hasMore = () => n >= low && n < high && !page.isFull;
  const add = () => {
    for (let count = 0; count < addedAtOnce && hasMore(); count++, n += by) page.add(n);
    return hasMore();
  };
  while (await turns(add));
  if (backward) page.steps.reverse();
  return n >= first && n < end ? n : null;
}

/** The variables of the innermost function before each step of a page. */
async function localsOfPage(
  { log, code, turns }: OpenedRun,
  { low, high }: Range,
): Promise<(n: number) => readonly Local[]> {
  const walk = new LocalsWalk(log, code);
  const known = new Map<number, readonly Local[]>();
  for (let n = low; n < high; n++) known.set(n, await turns(() => walk.before(n)[0]?.locals ?? []));
  return (n) => known.get(n) ?? [];
}

/** Functions, lines and instructions that a run's gas names. */
const maxEntries = 20;

/** Where the gas of a run went. */
export type GasTrees = Readonly<Record<"function" | "line" | "instruction", GasTree>>;

export async function gasTreesOf(name: string, run: OpenedRun): Promise<GasTrees> {
  const by = (kind: keyof GasTrees) => treeOf(kind, [{ name, run }]);
  return { function: await by("function"), line: await by("line"), instruction: await by("instruction") };
}

/** The dearest parts of a run. */
export function presentGasParts(trees: GasTrees, hasLines: boolean) {
  return {
    by_instruction: gasEntries(trees.instruction)
      .filter(({ steps }) => steps > 0)
      .map(({ name: instruction, gas, steps }) => ({ instruction, gas, steps }))
      .slice(0, maxEntries),
    by_function: gasEntries(trees.function).slice(0, maxEntries),
    ...(hasLines && {
      by_line: gasEntries(trees.line)
        .filter(({ name: line }) => /:\d+$/.test(line))
        .slice(0, maxEntries),
    }),
  };
}

/** Prints that an answer has. */
const maxPrints = 200;

export function presentPrints({ prints }: MachineLog, frames: RunFrames): DebugRunRecord["prints"] {
  return prints
    .slice(0, maxPrints)
    .map((print) => ({ ...print, ...presentLocated(frames.located(print.step)) }));
}
