import type { Api, ServiceError } from "../errors.js";
import type { CallContext, Outcome } from "./dispatch.js";
import type { JsonRpc } from "./json-rpc.js";
import { invalid, isExact } from "./message.js";

// TON Center's dialect of a single JSON-RPC call: `ok`, an error that is a text, the HTTP status of REST.

export type TonCenterAnswer = { readonly status: number; readonly body: string };

/** Answers a call; the value is anything JSON but an array (batches are strict everywhere). */
export async function callTonCenter(
  rpc: JsonRpc,
  value: unknown,
  context: CallContext,
): Promise<TonCenterAnswer> {
  if (typeof value !== "object" || value === null) {
    return tonCenterAnswer({ error: invalid("request must be an object"), extra: "_" }, undefined, "v2");
  }
  const { id, method, params } = value as Record<string, unknown>;
  if (typeof method !== "string") {
    return tonCenterAnswer({ error: invalid("method must be a string"), extra: "_" }, id, "v2");
  }
  // A scalar counts as no parameters here; the strict dialect refuses it.
  const outcome = await rpc.run(method, typeof params === "object" ? params : undefined, context);
  return tonCenterAnswer(outcome, id, rpc.api(method));
}

function tonCenterAnswer(outcome: Outcome, id: unknown, api: Api): TonCenterAnswer {
  const tail = `,"jsonrpc":"2.0"${echo(id)}}`;
  if ("error" in outcome) {
    const { error, extra } = outcome;
    return { status: error.statusIn(api), body: failure(error, extra, api) + tail };
  }
  return { status: 200, body: `{"ok":true,"result":${outcome.json},"@extra":"${outcome.extra}"${tail}` };
}

/** The members of a refusal, the closing brace left to the caller. Three refusals are fixed by old clients. */
function failure(error: ServiceError, extra: string, api: Api): string {
  const text = JSON.stringify(error.textIn(api));
  const result = error.code === "rate-limited" ? `,"result":${text}` : "";
  const note = withoutExtra.has(error.code) ? "" : `,"@extra":"${extra}"`;
  return `{"ok":false,"error":${text}${result},"code":${error.statusIn(api)}${note}`;
}

const withoutExtra: ReadonlySet<string> = new Set(["unknown-key", "wrong-network", "rate-limited"]);

/** An id comes back as it was sent; what is no id is dropped. */
function echo(id: unknown): string {
  const sendable = typeof id === "string" || id === null || (typeof id === "number" && isExact(id));
  return sendable ? `,"id":${JSON.stringify(id)}` : "";
}
