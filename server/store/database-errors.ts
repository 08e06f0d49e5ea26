import { ServiceError } from "../errors.js";

const queryCancelled = "57014";
const readOnly = "25006";
const lockNotAvailable = "55P03";
const conflict = "40001";
const deadlock = "40P01";
const dependedOn = "2BP01";
const forbidden = "42501";
/**
 * SQLSTATE classes and codes of transient errors: the connection failed, the server is stopping, starting, or out of disk,
 * memory or connections, or the transaction failed to serialize or deadlocked.
 */
const unavailable = /^(08...|57P0[1-5]|53...|40001|40P01)$/;

/** The source files of Citus that report the loss of a node. Their errors have the codes of internal errors and of file errors. */
const nodeFiles =
  /^(adaptive_executor|connection_management|intermediate_results|multi_copy|remote_commands|remote_transaction)\.c$/;
const nodeStates: readonly unknown[] = ["XX000", "58030"];

/** Unknown users, wrong passwords, hosts that may not connect, and databases that are not there. */
const refusedLogin = /^(28...|3D000)$/;
const checkUrl = "check --database-url or DATABASE_URL";

/**
 * The error that callers get for a database error. Errors without a SQLSTATE come from the connection and are
 * `unavailable`. Other SQLSTATEs are defects of ours and are returned unchanged.
 */
export function toServiceError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const state = sqlStateOf(error);
  if (state === queryCancelled) return queryTimeout(error);
  if (state === undefined || unavailable.test(state) || isOfLostNode(error))
    return new ServiceError("unavailable", "database is not available", { cause: error });
  // Not for good: an operator may be about to create the user or the database.
  if (refusedLogin.test(state)) {
    const cause = new Error(`${(error as Error).message}: ${checkUrl}`, { cause: error });
    return new ServiceError("unavailable", "database is not available", { cause });
  }
  return error;
}

function isOfLostNode(error: unknown): boolean {
  const { code, file } = (error ?? {}) as { code?: unknown; file?: unknown };
  return nodeStates.includes(code) && nodeFiles.test(String(file));
}

/** Whether a node of a cluster did not do its part of a transaction. Citus tells the cause, such as a lock, in a warning alone. */
export function isNodeFailure(error: unknown): boolean {
  if (!(error instanceof ServiceError) || !isOfLostNode(error.cause)) return false;
  return (error.cause as { file?: unknown }).file === "remote_transaction.c";
}

/** Whether the database was not reached, or did not take the work. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "unavailable";
}

/** The same, or it did not answer in time. */
export function isUnanswered(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof ServiceError && error.code === "timeout");
}

/** Nothing is written to the folder of an index because its disk is nearly full. */
export class NoRoomError extends ServiceError {
  constructor(folder: string, wantedMb: number) {
    super("unavailable", `nothing is written to ${folder} with less than ${wantedMb} MB free`);
  }
}

/** The answer of a standby of a node of a cluster would be that of another moment than those of the other nodes. */
export class BehindError extends ServiceError {
  constructor() {
    const cause = new Error("the standby does not have the last commit yet");
    super("unavailable", "database is not available", { cause });
  }
}

/** Whether the server is a standby that is not promoted yet. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === readOnly;
}

/** The message that callers get while the database's user lacks a right. The health check names the right. */
export const missingRights = "database permissions are missing";

/** Whether the user of the service lacks a right, as after a restore without the grants. */
export function isForbidden(error: unknown): boolean {
  return hasState(error, forbidden);
}

/** Whether a statement waited longer for a lock than it may. */
export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === lockNotAvailable;
}

/** Whether an object was not dropped because others depend on it. */
export function isDependedOn(error: unknown): boolean {
  return sqlStateOf(error) === dependedOn;
}

/** The SQLSTATE of an error of the server. */
export function sqlStateOf(error: unknown): string | undefined {
  const isOfServer = error instanceof Error && "severity" in error && "code" in error;
  return isOfServer ? String(error.code) : undefined;
}

export function queryTimeout(cause?: unknown): ServiceError {
  return new ServiceError("timeout", "query timeout", { cause });
}

/** The answer to a slow call that was ended because another caller needed its connection. */
export function tooManySlow(cause: unknown): ServiceError {
  return new ServiceError("rate-limited", "too many slow queries", { data: { retry_after: 1 }, cause });
}

/** Whether a standby has cancelled a statement because replay was waiting for it. */
export function isConflict(error: unknown): boolean {
  return hasState(error, conflict);
}

/** Whether a transaction was cancelled because it and others waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return hasState(error, deadlock);
}

function hasState(error: unknown, state: string): boolean {
  return sqlStateOf(error instanceof ServiceError ? error.cause : error) === state;
}
