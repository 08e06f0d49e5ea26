import { LiteError, liteErrorCode } from "../chain/lite-api.js";
import { UnavailableError } from "../chain/unavailable-error.js";
import { ServiceError } from "../errors.js";
import { isReadOnly, NoRoomError, sqlStateOf } from "../store/database-errors.js";

/** Whether a retry may succeed: the database or the chain is unavailable, or the chain has no such block yet. */
export function isPassing(error: Error): boolean {
  if (isReadOnly(error)) return true;
  if (error instanceof ServiceError) return error.code === "unavailable" || error.code === "timeout";
  return error instanceof LiteError || error instanceof UnavailableError;
}

/** Whether nothing can be written for lack of room: on the disk of the index, or at the database server. */
export function isOutOfRoom(error: Error): boolean {
  return error instanceof NoRoomError || diskFull.test(sqlStateOf(error.cause) ?? "");
}

/** Insufficient resources, of which too many connections pass by themselves. */
const diskFull = /^53[12]00$/;

/** Failures that say nothing about what was asked for. */
const transient: ReadonlySet<number> = new Set([
  liteErrorCode.timeout,
  liteErrorCode.queryTimeout,
  liteErrorCode.cancelled,
]);

/** What is read from a state; `undefined` if the chain no longer has it. */
export async function ifStillThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof LiteError && !transient.has(error.code)) return undefined;
    throw error;
  }
}
