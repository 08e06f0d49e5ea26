import type { Handlers, ParamsOf } from "../../../shared/methods/define.js";
import type { debugRunMethods } from "../../../shared/methods/v3/debug-runs.js";
import type { MachineLog } from "../../../shared/ton/tvm/machine-log.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { MessageRuns } from "../../chain/retrace/emulated-runs.js";
import { presentRegisters } from "../../present/v3/debug-registers.js";
import { StepPage } from "../../present/v3/debug-steps.js";
import { inTurn } from "../devnet/long-answers.js";
import { makeMessageRuns, makeMethodRun } from "./debug-made-runs.js";
import { transactionRunOf } from "./debug-run-of.js";
import { type DebugTraceDeps, presentMessageTrace, runStoredTrace } from "./debug-traces.js";
import { presentInWords } from "./debug-words.js";
import { derive, localsOfPage, type OpenRunDeps, openRun, wordsOf } from "./opened-run.js";

export type DebugRunDeps = DebugTraceDeps & OpenRunDeps;

/** Steps of a page with variables. */
const maxWithLocals = 50;

export const debugRunHandlers: Handlers<typeof debugRunMethods, DebugRunDeps> = {
  async transaction({ abi, source_map, ...asked }, deps, call) {
    const given = deps.runSources.given.read({ abi, source_map });
    const run = await transactionRunOf(asked, { withStacks: false }, deps, call);
    return presentInWords(run, deps, call, given);
  },

  trace: runStoredTrace,

  async message({ abi, source_map, ...asked }, deps, call) {
    const given = deps.runSources.given.read({ abi, source_map });
    const detail = { withStacks: false };
    const made = await inTurn(deps.debugTurns, call, () => makeMessageRuns(asked, detail, deps, call));
    const present = async (runs: MessageRuns, at: number) => {
      // The others have other receivers.
      const own = at === 0 ? given : undefined;
      return {
        ...(await presentInWords(itemAt(runs.runs, 0), deps, call, own)),
        ...(asked.follow && { trace: await presentMessageTrace(runs, deps, call, own) }),
      };
    };
    const [first, ...others] = await Promise.all(made.map(present));
    return { ...first!, ...(asked.bundle && { bundle: others }) };
  },

  async getMethod({ source_map, ...asked }, deps, call) {
    const given = deps.runSources.given.read({ abi: asked.abi, source_map });
    const detail = { withStacks: false };
    const run = await inTurn(deps.debugTurns, call, () => makeMethodRun(asked, detail, deps, call));
    return presentInWords(run, deps, call, given);
  },

  async steps({ from, limit, backward, include, ...asked }, deps, call) {
    const has = (part: (typeof include)[number]) => include.includes(part);
    const places = { source: has("source"), frames: has("frames") };
    const parts = { stack: has("stack"), fullStack: has("full_stack"), cells: has("cells"), ...places };
    const withStacks = parts.stack || parts.fullStack || has("locals") || has("registers");
    const opened = await openRun(asked, { withStacks }, deps, call);
    const { log, sources } = opened;
    const range = rangeOf(
      { from, limit: has("locals") ? Math.min(limit, maxWithLocals) : limit, backward },
      log,
    );
    const registers = has("registers") ? await derive(opened, call) : undefined;
    const page = new StepPage(log, parts, {
      code: sources.code,
      ...((places.source || places.frames) && { frames: await deps.runSources.frames(log, sources, call) }),
      ...(has("locals") && { locals: await localsOfPage(log, sources.code, range, call) }),
      ...(registers && {
        registers: (n, values) => {
          const changed = registers.changedBy(n);
          return Object.keys(changed).length > 0
            ? presentRegisters(changed, values, wordsOf(sources))
            : undefined;
        },
      }),
    });
    const next = fill(page, range, log);
    return {
      run: asked.run,
      steps: page.steps,
      ...(parts.cells && { cells: page.cells }),
      next,
      total: log.total,
      first_step: log.first,
      truncated: log.isCut,
    };
  },
};

type PageParams = Pick<ParamsOf<typeof debugRunMethods.steps>, "from" | "limit" | "backward">;
type Range = { readonly low: number; readonly high: number; readonly backward: boolean };

/** The steps of a page: those from `low` up to `high`, which it does not have. */
function rangeOf({ from, limit, backward }: PageParams, { first, end }: MachineLog): Range {
  const start = Math.max(from ?? (backward ? end - 1 : first), first);
  if (!backward) return { low: start, high: Math.min(end, start + limit), backward };
  const last = Math.min(start, end - 1);
  return { low: Math.max(first, last - limit + 1), high: last + 1, backward };
}

/** Adds steps to a page; returns where the next one begins, or null at the end. */
function fill(page: StepPage, { low, high, backward }: Range, { first, end }: MachineLog): number | null {
  if (backward) {
    let n = high - 1;
    while (n >= low && !page.isFull) page.add(n--);
    page.steps.reverse();
    return n >= first ? n : null;
  }
  let n = low;
  while (n < high && !page.isFull) page.add(n++);
  return n < end ? n : null;
}
