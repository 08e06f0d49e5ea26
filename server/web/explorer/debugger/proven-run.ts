import type { DebugRun } from "../../../../client/api.js";
import type { DebuggedTransaction, ProvenRun } from "../../../../client/verified/debug/types.js";
import type { Call } from "../view.js";

/** A run that nothing but its proofs tell of, as the page shows runs. */
export function shownRun({ outcome, message, actions, ...run }: ProvenRun): DebugRun {
  const noMachineWords = { instruction: null, wanted: null, left: null, library: null };
  return {
    ...run,
    outcome: { ...outcome, ...noMachineWords, sentence: null, hint: null },
    message: message && { ...message, decoded: null, abi: null },
    actions: actions.map((action) => ({
      ...action,
      ...{ mode_text: null, code: null, reason: null, opcode: null, abi: null },
    })),
  };
}

/** Answers calls about a run in this page. What no proof shows, such as sources, it does not have. */
export function callOf(debugged: DebuggedTransaction): Call {
  const answers: Record<string, (params: never) => Promise<unknown>> = {
    "v3.debug.steps": (params) => debugged.steps(params),
    "v3.debug.state": (params) => debugged.state(params),
    "v3.debug.find": (params) => debugged.find(params),
    "v3.debug.profile": (params) => debugged.profile(params),
    "v3.debug.code": () => debugged.code(),
    "v3.debug.abi": async () => ({ matches: [], sources: [] }),
  };
  return (async (method: string, params: object = {}) => {
    const answer = answers[method];
    if (!answer) throw new TypeError(`a run in this page has no ${method}`);
    return answer(params as never);
  }) as Call;
}
