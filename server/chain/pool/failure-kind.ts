import { ConnectionError } from "../adnl/connection-error.js";
import { LiteError, liteErrorCode } from "../lite-api.js";
import { isNotFound, isNotFoundCode, isNotReady } from "../not-found.js";
import { LyingServerError } from "../verify/failed-proof.js";
import { NoAnswerError } from "./remote-lite-api.js";

/**
 * What a failed attempt means for the call: `final` should be the same everywhere; `missing` is data another server
 * may hold, `behind` data that may be there in a moment; `busy` servers have other things to do; `lost` attempts
 * ended without an answer; `lie` is a server not to be asked again.
 */
export type FailureKind = "final" | "missing" | "behind" | "busy" | "lost" | "lie";

/** Codes of servers that limit their callers, and of the proxies in front of them. */
const busyCodes: ReadonlySet<number> = new Set([228, 429, 502, 503, liteErrorCode.queryTimeout]);

export function failureKind(error: unknown): FailureKind {
  if (error instanceof LyingServerError) return "lie";
  if (error instanceof ConnectionError) return error.trouble === "garbage" ? "lie" : "lost";
  if (error instanceof NoAnswerError) return "lost";
  if (!(error instanceof LiteError)) return "final";
  const { code, message } = error;
  if (busyCodes.has(code)) return "busy";
  if (code === liteErrorCode.timeout || code === liteErrorCode.cancelled) return "behind";
  if (isNotReady(error) || (isNotFoundCode(code) && isOutOfSync(message))) return "behind";
  return code === liteErrorCode.notReady || isNotFound(error) ? "missing" : "final";
}

/**
 * The node knows of masterchain blocks whose shards it does not have yet. It says how far both are with every block of a
 * shard that it does not have, also when they are equally far.
 */
function isOutOfSync(message: string): boolean {
  const [, shards, masterchain] = /out of sync: shard_client_seqno=(\d+) ls_seqno=(\d+)/.exec(message) ?? [];
  return Number(shards) < Number(masterchain);
}

/** A message that a node has seen before. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof LiteError && error.message.includes("duplicate message");
}
