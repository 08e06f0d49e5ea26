import { LiteError } from "../chain/lite-api.js";
import { ServiceError } from "../errors.js";

/** What a server says that is to take the place of another one and has not yet. */
const readOnly = "25006";

/** Whether the same may work later: the database or the chain cannot be reached, or does not have something yet. */
export function isPassing(error: Error): boolean {
  if ("code" in error && error.code === readOnly) return true;
  if (error instanceof ServiceError) return error.code === "unavailable" || error.code === "timeout";
  return error instanceof LiteError;
}
