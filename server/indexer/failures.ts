import { LiteError } from "../chain/lite-api.js";
import { UnavailableError } from "../chain/unavailable-error.js";
import { ServiceError } from "../errors.js";
import { isReadOnly } from "../store/database-errors.js";

/** Whether a retry may succeed: the database or the chain is unavailable, or the chain has no such block yet. */
export function isPassing(error: Error): boolean {
  if (isReadOnly(error)) return true;
  if (error instanceof ServiceError) return error.code === "unavailable" || error.code === "timeout";
  return error instanceof LiteError || error instanceof UnavailableError;
}
