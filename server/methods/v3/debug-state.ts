import type { Handlers, ParamsOf } from "../../../shared/methods/define.js";
import type { debugStateMethods } from "../../../shared/methods/v3/debug-state.js";
import { type Search, StepSearch } from "../../../shared/ton/debug/find-steps.js";
import { localsBefore } from "../../../shared/ton/debug/locals.js";
import { gasCalls } from "../../../shared/ton/debug/profile/calls.js";
import { collapsed, cpuProfile, gasEntries, speedscope } from "../../../shared/ton/debug/profile/formats.js";
import type { GasTree } from "../../../shared/ton/debug/profile/gas-tree.js";
import { readLoggedValue, splitValues } from "../../../shared/ton/tvm/logged-values.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { paidTurns } from "../../chain/paid-turns.js";
import type { TransactionRun } from "../../chain/retrace/debug-runs.js";
import { ServiceError } from "../../errors.js";
import { presentRegisters } from "../../present/v3/debug-registers.js";
import { StepPage } from "../../present/v3/debug-steps.js";
import { ShownValues } from "../../present/v3/debug-values.js";
import { type DebugCodeDeps, readDebugCode } from "./debug-code.js";
import { type DebugTraceDeps, runsOfTrace } from "./debug-traces.js";
import { derive, type OpenRunDeps, opened, openRun, stepsAtOnce, treeOf, wordsOf } from "./opened-run.js";

export type DebugStateDeps = OpenRunDeps & DebugTraceDeps & DebugCodeDeps;

/** Steps that are found. */
const maxFound = 1000;
/** Visits of functions in a profile. */
const maxCalls = 5000;

type Asked = ParamsOf<typeof debugStateMethods.find>;

export const debugStateHandlers: Handlers<typeof debugStateMethods, DebugStateDeps> = {
  async state({ step: n, ...asked }, deps, call) {
    const run = await openRun(asked, { withStacks: true }, deps, call);
    const { log, sources } = run;
    if (n < log.first || n >= log.end)
      throw new ServiceError("absent", `the run has steps ${log.first} to ${log.end - 1}`, {
        data: { kind: "step" },
      });
    const frames = await deps.runSources.frames(log, sources, call);
    const registers = await derive(run, call);
    const values = new ShownValues(true);
    const page = new StepPage(
      log,
      { stack: true, fullStack: false, cells: false, source: true },
      { code: sources.code, frames },
    );
    page.add(n);
    const paid = paidTurns(call);
    return paid(() => ({
      run: asked.run,
      step: page.steps[0]!,
      stack: splitValues(log.stackBefore(n) ?? "").map((text) => values.present(readLoggedValue(text))),
      registers: presentRegisters(registers.before(n), values, wordsOf(sources)),
      frames: localsBefore(log, sources.code, n).map(({ function: name, locals }) => ({
        function: name,
        locals: locals.map((local) => values.local(local)),
      })),
      cells: values.cells,
    }));
  },

  async find(
    { line, at, instruction, function: name, writes, throws, action, equals, ...asked },
    deps,
    call,
  ) {
    const withStacks = [writes, throws, equals].some((each) => each !== undefined);
    const run = await openRun(asked, { withStacks }, deps, call);
    const { log, sources } = run;
    const given = { line, at, instruction, function: name, writes, throws, action, equals };
    const search = searchOf(given, wordsOf(sources).globals);
    const found = new StepSearch(
      {
        log,
        code: sources.code,
        frames:
          "line" in search || "function" in search
            ? await deps.runSources.frames(log, sources, call)
            : undefined,
        registers: "writes" in search ? await derive(run, call) : undefined,
      },
      search,
      maxFound,
    );
    const paid = paidTurns(call);
    while (await paid(() => found.read(stepsAtOnce)));
    return {
      run: asked.run,
      steps: found.found.slice(0, maxFound),
      is_cut: found.found.length > maxFound,
    };
  },

  async profile({ format, by, trace_id, run, ...asked }, deps, call) {
    const runs: Parameters<typeof treeOf>[1][number][] = [];
    const trace = trace_id && (await runsOfTrace(trace_id, deps, call));
    if (trace) for (const each of trace.runs) runs.push({ name: rootName(each), run: opened(each, deps) });
    else if (run !== undefined)
      runs.push({ name: run, run: await openRun({ ...asked, run }, { withStacks: false }, deps, call) });
    const tree = await treeOf(by, runs, deps, call);
    const id = trace_id ? bytesToBase64(trace_id) : null;
    const paid = paidTurns(call);
    return paid(() => ({
      run: run ?? null,
      trace_id: id,
      total: tree.total,
      fixed: runs.some((each) => each.run.executed.isFixed),
      approximate: tree.isApproximate,
      ...(trace && { is_incomplete: trace.isIncomplete }),
      ...inFormat(tree, format, { name: run ?? id ?? "", end: runs.at(-1)?.run.log.end ?? 0 }),
    }));
  },

  code: readDebugCode,
};

/** The root of a transaction: its account, and its logical time. */
function rootName({ address, own }: TransactionRun): string {
  return `${address.toRawUpper()} ${own.found.transaction.lt}`;
}

type Given = { readonly [Name in keyof Asked]?: Asked[Name] };

function searchOf(
  { line, at, instruction, function: name, writes, throws, action, equals }: Given,
  globals: readonly string[],
): Search {
  if (line !== undefined) return lineSearch(line);
  if (at !== undefined) return { at: at.toLowerCase() };
  if (instruction !== undefined) return { instruction };
  if (name !== undefined) return { function: name };
  if (writes !== undefined) return writesOf(writes, globals);
  if (throws !== undefined) return { throws: throws === "any" ? "any" : integerIn("throws", throws) };
  if (action !== undefined) return { action };
  return { equals: equals ?? "" };
}

function lineSearch(text: string): Search {
  const colon = text.lastIndexOf(":");
  const line = integerIn("line", text.slice(colon + 1));
  return { line, file: colon < 0 ? undefined : text.slice(0, colon) };
}

function integerIn(name: string, text: string): number {
  if (/^-?\d{1,10}$/.test(text)) return Number(text);
  throw new ServiceError("invalid-params", `${name} needs a number`, { status: 422, data: { param: name } });
}

/** A register, or a global variable by its number or its name in the source map. */
function writesOf(text: string, globals: readonly string[]): Extract<Search, { writes: unknown }> {
  if (text === "c4" || text === "c5" || text === "c7") return { writes: text };
  const named = globals.indexOf(text);
  return { writes: named >= 0 ? named + 1 : integerIn("writes", text) };
}

function inFormat(
  tree: GasTree,
  format: ParamsOf<typeof debugStateMethods.profile>["format"],
  { name, end }: { name: string; end: number },
) {
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
