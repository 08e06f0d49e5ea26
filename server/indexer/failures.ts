import { LiteError } from "../chain/lite-api.js";
import { UnavailableError } from "../chain/unavailable-error.js";
import { ServiceError } from "../errors.js";
import { isReadOnly } from "../store/database-errors.js";

/** Whether the same may work later: the database or the chain cannot be reached, or does not have something yet. */
export function isPassing(error: Error): boolean {
  if (isReadOnly(error)) return true;
  if (error instanceof ServiceError) return error.code === "unavailable" || error.code === "timeout";
  return error instanceof LiteError || error instanceof UnavailableError;
}
