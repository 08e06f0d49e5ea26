import { CallFailure } from "../mcp/session.js";
import { type CallContext, takeText } from "../rpc/dispatch.js";
import type { JsonRpc } from "../rpc/json-rpc/json-rpc.js";

/** Calls on behalf of a caller whose request has paid for the first point; others are settled afterwards. */
export function callerCalls(
  rpc: JsonRpc,
  context: CallContext,
): (method: string, params: object) => Promise<unknown> {
  let paid = 1;
  return async (method, params) => {
    const points = rpc.callPoints({ method, params }) - paid;
    paid = Math.max(0, -points);
    if (points > 0) context.settle?.(points);
    const outcome = await rpc.call(method, params, context);
    if ("json" in outcome) return JSON.parse(takeText(outcome.json));
    const { error } = outcome;
    const { sentence, hint } = error.words ?? { sentence: error.textIn(rpc.api(method)) };
    throw new CallFailure(error.code, hint === undefined ? sentence : `${sentence} ${hint}`);
  };
}
