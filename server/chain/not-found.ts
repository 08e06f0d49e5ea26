import { LiteError, liteErrorCode } from "./lite-api.js";

// Nodes use codes -400 and 0 for most failures, so the text decides.

/** The node does not have the data. */
const missingText =
  /not in db|already gc'd|block not found|is unknown|cannot (compute|find|locate) (a )?(block|transaction)/;
/** The node does not have the data yet. */
const comingText = /not applied|not synced|not ready/;
/** Codes that nodes use for missing data. */
const absentCodes: ReadonlySet<number> = new Set([
  liteErrorCode.failure,
  liteErrorCode.unspecified,
  liteErrorCode.error,
  liteErrorCode.notReady,
]);

/** Whether nodes use this code for missing data. */
export function isNotFoundCode(code: number): boolean {
  return absentCodes.has(code);
}

/** Whether the node does not have the requested data; another node may have a longer history or be ahead. */
export function isNotFound(error: unknown): error is LiteError {
  return error instanceof LiteError && isNotFoundCode(error.code) && missingText.test(error.message);
}

/** Whether the node does not have the requested data yet; a retry may succeed soon. */
export function isNotReady(error: unknown): error is LiteError {
  return error instanceof LiteError && isNotFoundCode(error.code) && comingText.test(error.message);
}
