import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { rejectionIn, saysOutOfSync } from "../../../shared/ton/lite/liteserver-texts.js";
import { isNotFound, isNotFoundCode, isNotReady } from "../../../shared/ton/lite/not-found.js";
import { ProofError } from "../../../shared/ton/proofs/verify/proof-error.js";
import { ConnectionError } from "../adnl/connection-error.js";
import { NoAnswerError } from "../no-answer-error.js";

/**
 * Consequence of a failed attempt for the call. `final`: every server would answer the same. `missing`: another server
 * may have the data. `behind`: the data may arrive soon. `busy`: the server limits its callers. `lost`: no answer.
 * `lie`: an invalid answer or a failed proof; the server is banned.
 */
export type FailureKind = "final" | "missing" | "behind" | "busy" | "lost" | "lie";

/** Codes of rate-limiting servers and of proxies in front of them. */
const busyCodes: ReadonlySet<number> = new Set([228, 429, 502, 503, liteErrorCode.queryTimeout]);

export function failureKind(error: unknown): FailureKind {
  if (error instanceof ProofError) return "lie";
  if (error instanceof ConnectionError) return error.trouble === "garbage" ? "lie" : "lost";
  if (error instanceof NoAnswerError) return "lost";
  if (!(error instanceof LiteError)) return "final";
  const { code, message } = error;
  if (busyCodes.has(code)) return "busy";
  if (code === liteErrorCode.timeout || code === liteErrorCode.cancelled) return "behind";
  if (isNotReady(error) || (isNotFoundCode(code) && saysOutOfSync(message))) return "behind";
  return code === liteErrorCode.notReady || isNotFound(error) ? "missing" : "final";
}

/** Whether the node has seen the message before. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof LiteError && rejectionIn(error.message) === "duplicate";
}
