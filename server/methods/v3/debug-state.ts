import type { Handlers } from "../../../shared/methods/define.js";
import type { debugStateMethods } from "../../../shared/methods/v3/debug-state.js";
import {
  findSteps,
  type OpenedRun,
  profileIn,
  readState,
  searchNeedsStackLog,
  treeOf,
} from "../../../shared/ton/present/v3/read-run.js";
import { SearchFault } from "../../../shared/ton/present/v3/step-search.js";
import type { TransactionRun } from "../../../shared/ton/run/debug-run.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { paidTurns } from "../../chain/paid-turns.js";
import { ServiceError } from "../../errors.js";
import { type DebugCodeDeps, readDebugCode } from "./debug-code.js";
import { type DebugTraceDeps, runsOfTrace } from "./debug-traces.js";
import { type OpenRunDeps, opened, openRun } from "./opened-run.js";

export type DebugStateDeps = OpenRunDeps & DebugTraceDeps & DebugCodeDeps;

export const debugStateHandlers: Handlers<typeof debugStateMethods, DebugStateDeps> = {
  async state({ step: n, ...asked }, deps, call) {
    const run = await openRun(asked, { withStacks: true }, deps, call);
    const { log } = run;
    if (n < log.first || n >= log.end)
      throw new ServiceError("absent", `the run has steps ${log.first} to ${log.end - 1}`, {
        data: { kind: "step" },
      });
    return { run: asked.run, ...(await readState(run, n)) };
  },

  async find(asked, deps, call) {
    const run = await openRun(asked, { withStacks: searchNeedsStackLog(asked) }, deps, call);
    try {
      return { run: asked.run, ...(await findSteps(run, asked)) };
    } catch (error) {
      if (!(error instanceof SearchFault)) throw error;
      const { message, param } = error;
      throw new ServiceError("invalid-params", message, { status: 422, data: { param }, cause: error });
    }
  },

  async profile({ format, by, trace_id, run, ...asked }, deps, call) {
    const runs: { name: string; run: OpenedRun }[] = [];
    const trace = trace_id && (await runsOfTrace(trace_id, deps, call));
    if (trace)
      for (const each of trace.runs) runs.push({ name: rootName(each), run: opened(each, deps, call) });
    else if (run !== undefined)
      runs.push({ name: run, run: await openRun({ ...asked, run }, { withStacks: false }, deps, call) });
    const tree = await treeOf(by, runs);
    const id = trace_id ? bytesToBase64(trace_id) : null;
    const paid = paidTurns(call);
    return paid(() => ({
      run: run ?? null,
      trace_id: id,
      total: tree.total,
      fixed: runs.some((each) => each.run.executed.isFixed),
      approximate: tree.isApproximate,
      ...(trace && { is_incomplete: trace.isIncomplete }),
      ...profileIn(tree, format, { name: run ?? id ?? "", end: runs.at(-1)?.run.log.end ?? 0 }),
    }));
  },

  code: readDebugCode,
};

/** The root of a transaction: its account, and its logical time. */
function rootName({ address, own }: TransactionRun): string {
  return `${address.toRawUpper()} ${own.found.transaction.lt}`;
}
