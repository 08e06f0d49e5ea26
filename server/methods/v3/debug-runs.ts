import type { Handlers, ParamsOf } from "../../../shared/methods/define.js";
import type { debugRunMethods } from "../../../shared/methods/v3/debug-runs.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { DebugRun } from "../../chain/retrace/debug-runs.js";
import type { MessageRuns } from "../../chain/retrace/emulated-runs.js";
import { presentRun } from "../../present/v3/debug-runs.js";
import { StepPage } from "../../present/v3/debug-steps.js";
import { inTurn } from "../devnet/long-answers.js";
import { makeMessageRuns, makeMethodRun } from "./debug-made-runs.js";
import { runOf, transactionRunOf } from "./debug-run-of.js";
import { type DebugTraceDeps, presentMessageTrace, runStoredTrace } from "./debug-traces.js";

export type DebugRunDeps = DebugTraceDeps;

export const debugRunHandlers: Handlers<typeof debugRunMethods, DebugRunDeps> = {
  async transaction(asked, deps, call) {
    const run = await transactionRunOf(asked, { withStacks: false }, deps, call);
    return presentRun(run, await deps.executorVersion());
  },

  trace: runStoredTrace,

  async message(asked, deps, call) {
    const detail = { withStacks: false };
    const made = await inTurn(deps.debugTurns, call, () => makeMessageRuns(asked, detail, deps, call));
    const version = await deps.executorVersion();
    const present = async (runs: MessageRuns) => ({
      ...presentRun(itemAt(runs.runs, 0), version),
      ...(asked.follow && { trace: await presentMessageTrace(runs, deps, call) }),
    });
    const [first, ...others] = await Promise.all(made.map(present));
    return { ...first!, ...(asked.bundle && { bundle: others }) };
  },

  async getMethod(asked, deps, call) {
    const detail = { withStacks: false };
    const run = await inTurn(deps.debugTurns, call, () => makeMethodRun(asked, detail, deps, call));
    return presentRun(run, await deps.executorVersion());
  },

  async steps({ from, limit, backward, include, ...asked }, deps, call) {
    const parts = {
      stack: include.includes("stack"),
      fullStack: include.includes("full_stack"),
      cells: include.includes("cells"),
    };
    const { log } = await runOf(asked, { withStacks: parts.stack || parts.fullStack }, deps, call);
    const page = new StepPage(log, parts);
    const next = fill(page, { from, limit, backward }, log);
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

/** Adds steps to a page; returns where the next one begins, or null at the end. */
function fill(
  page: StepPage,
  { from, limit, backward }: PageParams,
  { first, end }: DebugRun["log"],
): number | null {
  if (backward) {
    const last = Math.min(from ?? end - 1, end - 1);
    let n = last;
    while (n >= first && last - n < limit && !page.isFull) page.add(n--);
    page.steps.reverse();
    return n >= first ? n : null;
  }
  const start = Math.max(from ?? first, first);
  let n = start;
  while (n < end && n - start < limit && !page.isFull) page.add(n++);
  return n < end ? n : null;
}
