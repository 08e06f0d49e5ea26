import type { JsonBytes } from "../../../shared/methods/json-text.js";
import type { Api } from "../../errors.js";
import { type CallContext, type Outcome, refused, statusOf } from "../dispatch.js";
import type { JsonRpc } from "./json-rpc.js";
import { idText, invalid, isRpcId } from "./message.js";
import { v2Answer } from "./v2-envelope.js";

// TON Center's dialect of a single JSON-RPC call: `ok`, the error as a string, the HTTP status of REST.

type TonCenterAnswer = {
  readonly outcome: Outcome;
  readonly status: number;
  readonly body: string | JsonBytes;
};

/**
 * Answers a call. `value` is any JSON value except an array: batches use the strict dialect everywhere. `onOutcome` comes
 * before the outcome's text is taken.
 */
export async function callTonCenter(
  rpc: JsonRpc,
  value: unknown,
  context: CallContext,
  onOutcome: (outcome: Outcome) => void,
): Promise<TonCenterAnswer> {
  if (typeof value !== "object" || value === null) {
    return tonCenterAnswer(refused(invalid("request must be an object")), undefined, "v2");
  }
  const { id, method, params } = value as Record<string, unknown>;
  if (typeof method !== "string") {
    return tonCenterAnswer(refused(invalid("method must be a string")), id, "v2");
  }
  // A scalar counts as no parameters; the strict dialect refuses it.
  const outcome = await rpc.call(method, typeof params === "object" ? params : undefined, context);
  onOutcome(outcome);
  return tonCenterAnswer(outcome, id, rpc.api(method));
}

function tonCenterAnswer(outcome: Outcome, id: unknown, api: Api): TonCenterAnswer {
  return {
    outcome,
    status: statusOf(outcome, api),
    body: v2Answer(outcome, api, `,"jsonrpc":"2.0"${echo(id)}`),
  };
}

/** Echoes a valid id and drops an invalid one. */
function echo(id: unknown): string {
  return isRpcId(id) ? `,"id":${idText(id)}` : "";
}
