import type { Handlers } from "../../../shared/methods/define.js";
import type { debugRunMethods } from "../../../shared/methods/v3/debug-runs.js";
import { needsStackLog, readSteps, readTrail } from "../../../shared/ton/present/v3/read-run.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { MessageRuns } from "../../chain/retrace/emulated-runs.js";
import { inTurn } from "../devnet/long-answers.js";
import { makeMessageRuns, makeMethodRun } from "./debug-made-runs.js";
import { transactionRunOf } from "./debug-run-of.js";
import { type DebugTraceDeps, presentMessageTrace, runStoredTrace } from "./debug-traces.js";
import { presentInWords } from "./debug-words.js";
import { givenBy, type OpenRunDeps, openRun } from "./opened-run.js";

export type DebugRunDeps = DebugTraceDeps & OpenRunDeps;

export const debugRunHandlers: Handlers<typeof debugRunMethods, DebugRunDeps> = {
  async transaction({ abi, source_map, ...asked }, deps, call) {
    const given = await givenBy({ abi, source_map }, deps, call);
    const run = await transactionRunOf(asked, { withStacks: false }, deps, call);
    return presentInWords(run, deps, call, given);
  },

  trace: runStoredTrace,

  async message({ abi, source_map, ...asked }, deps, call) {
    const given = await givenBy({ abi, source_map }, deps, call);
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
    const given = await givenBy({ abi: asked.abi, source_map }, deps, call);
    const detail = { withStacks: false };
    const run = await inTurn(deps.debugTurns, call, () => makeMethodRun(asked, detail, deps, call));
    return presentInWords(run, deps, call, given);
  },

  async steps({ from, limit, backward, include, ...asked }, deps, call) {
    const opened = await openRun(asked, { withStacks: needsStackLog(include) }, deps, call);
    return { run: asked.run, ...(await readSteps(opened, { from, limit, backward, include })) };
  },

  async trail({ from, ...asked }, deps, call) {
    const opened = await openRun(asked, { withStacks: false }, deps, call);
    return { run: asked.run, ...(await readTrail(opened, { from })) };
  },
};
