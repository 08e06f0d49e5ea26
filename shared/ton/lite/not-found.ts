import { LiteError, liteErrorCode } from "./lite-api.js";
import { saysComing, saysMissing } from "./liteserver-texts.js";

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
  return error instanceof LiteError && isNotFoundCode(error.code) && saysMissing(error.message);
}

/** Whether the node does not have the requested data yet; a retry may succeed soon. */
export function isNotReady(error: unknown): error is LiteError {
  return error instanceof LiteError && isNotFoundCode(error.code) && saysComing(error.message);
}
