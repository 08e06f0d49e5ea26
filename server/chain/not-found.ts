import { LiteError, liteErrorCode } from "./lite-api.js";

/** Texts that say more than their codes: nodes answer most failures with -400 or 0. */
const missingText =
  /not in db|already gc'd|block not found|is unknown|cannot (compute|find|locate) (a )?(block|transaction)/;
/** What a node knows of and does not have yet. */
const comingText = /not applied|not synced|not ready/;
/** Codes a node gives what it does not have, or not yet. */
const absentCodes: ReadonlySet<number> = new Set([
  liteErrorCode.failure,
  liteErrorCode.unspecified,
  liteErrorCode.error,
  liteErrorCode.notReady,
]);

/** Whether a node gives this code to what it does not have. */
export function isNotFoundCode(code: number): boolean {
  return absentCodes.has(code);
}

/** The node says that it does not have what was asked for; another one may keep more, or be further. */
export function isNotFound(error: unknown): error is LiteError {
  return error instanceof LiteError && isNotFoundCode(error.code) && missingText.test(error.message);
}

/** What was asked for is on its way: the same question may have an answer in a moment. */
export function isNotReady(error: unknown): error is LiteError {
  return error instanceof LiteError && isNotFoundCode(error.code) && comingText.test(error.message);
}
