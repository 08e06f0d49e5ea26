import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { UnavailableError } from "../../chain/unavailable-error.js";
import { ServiceError } from "../../errors.js";
import { isReadOnly, NoRoomError, sqlStateOf } from "../../store/database-errors.js";

/** Whether a retry may succeed: the database or the chain is unavailable, or the chain does not have the block yet. */
export function isPassing(error: Error): boolean {
  if (isReadOnly(error)) return true;
  if (error instanceof ServiceError) return error.code === "unavailable" || error.code === "timeout";
  return error instanceof LiteError || error instanceof UnavailableError;
}

/** Whether writing fails for lack of space, on the index's disk or at the database server. */
export function isOutOfRoom(error: Error): boolean {
  return error instanceof NoRoomError || diskFull.test(sqlStateOf(error.cause) ?? "");
}

/** SQLSTATE 53100 (disk full) and 53200 (out of memory). Too many connections (53300) resolve on their own. */
const diskFull = /^53[12]00$/;

/** Errors that do not depend on the requested object. */
const transient: ReadonlySet<number> = new Set([
  liteErrorCode.timeout,
  liteErrorCode.queryTimeout,
  liteErrorCode.cancelled,
]);

/** Reads from a state; `undefined` if the chain no longer has it. */
export async function ifStillThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof LiteError && !transient.has(error.code)) return undefined;
    throw error;
  }
}
