import { ServiceError } from "../errors.js";

const queryCancelled = "57014";
const readOnly = "25006";
/**
 * SQLSTATE classes and codes after which a later attempt can succeed: the server is gone, stopping, starting, or short of
 * disk, memory or connections, or two transactions were in each other's way.
 */
const unavailable = /^(08...|57P0[1-5]|53...|40001|40P01)$/;

/**
 * What callers are told of a failure of the database. An error with another SQLSTATE is a defect of ours and stays
 * what it is; one without comes from the connection itself.
 */
export function toServiceError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const state = sqlStateOf(error);
  if (state === queryCancelled) return queryTimeout(error);
  if (state === undefined || unavailable.test(state))
    return new ServiceError("unavailable", "database is not available", { cause: error });
  return error;
}

/** What a server says that is to take the place of another one and has not yet. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === readOnly;
}

function sqlStateOf(error: unknown): string | undefined {
  const isOfServer = error instanceof Error && "severity" in error && "code" in error;
  return isOfServer ? String(error.code) : undefined;
}

export function queryTimeout(cause?: unknown): ServiceError {
  return new ServiceError("timeout", "query timeout", { cause });
}
