import type { Outcome } from "../../rpc/dispatch.js";
import type { Exchange } from "./exchange.js";
import { header } from "./headers.js";

const elsewhere = "@elsewhere";
const mark = { "X-Not-Executed": "1" };

/**
 * Marks the answer of a single read that this process could not answer: another process may answer it, and nothing was
 * carried out. An nginx that sends `X-Refused-To` gets the request back. The location is fixed, because clients behind
 * other proxies could send the header too, with any location.
 */
export function noteNotExecuted(exchange: Exchange, outcome: Outcome): void {
  if (!isNotExecuted(outcome)) return;
  const isSentBack = header(exchange.request, "x-refused-to") === elsewhere;
  exchange.addHeaders(isSentBack ? { ...mark, "X-Accel-Redirect": elsewhere } : mark);
}

/**
 * The HTTP status of a strict answer. Proxies that retry another process by status get 503 if they send `X-Refused-To:
 * 503`.
 */
export function strictStatus({ request }: Exchange, outcome: Outcome | undefined): number {
  return outcome && isNotExecuted(outcome) && header(request, "x-refused-to") === "503" ? 503 : 200;
}

function isNotExecuted(outcome: Outcome): boolean {
  const { call } = outcome;
  return (
    "error" in outcome &&
    outcome.error.code === "unavailable" &&
    call !== undefined &&
    (call.freshness ?? call.method.definition.freshness).kind !== "effect"
  );
}
