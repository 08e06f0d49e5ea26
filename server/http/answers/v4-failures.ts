import type { ErrorCode } from "../../../shared/rpc/errors.js";
import type { ServiceError } from "../../errors.js";

// Errors of v4's REST. The reference answers every failure with one status and text; refusals that it does not know,
// because it has neither keys nor limits, keep their statuses.

export const v4ErrorType = "text/plain; charset=utf-8";

/** Refusals that have nothing to do with the call's parameters or the chain's answer. */
const kept: ReadonlySet<ErrorCode> = new Set([
  "invalid-request",
  "unknown-route",
  "wrong-verb",
  "too-large",
  "wrong-media-type",
  "unknown-key",
  "wrong-network",
  "forbidden",
  "rate-limited",
  "quota-exceeded",
  "timeout",
  "unavailable",
]);

export function v4Status(error: ServiceError): number {
  const status = error.statusIn("v4");
  if (kept.has(error.code)) return status;
  if (error.code === "parse-error" || isMissing(error)) return 400;
  return isGone(error) ? 403 : 500;
}

/** `<status> <reason>`, as the reference writes it. */
export function v4Failure(error: ServiceError): string {
  const status = v4Status(error);
  if (kept.has(error.code)) return `${status} ${error.textIn("v4")}`;
  if (status === 400) return "400 Bad Request";
  return isGone(error) ? `403 ${error.textIn("v4")}` : "500 Internal Error";
}

/** How long proxies may keep the answer to a call that failed. */
export function v4FailureAge(error: ServiceError): string {
  const status = v4Status(error);
  if (status === 500) return "public, max-age=1";
  return isGone(error) ? "public, max-age=30" : "no-store";
}

function isMissing(error: ServiceError): boolean {
  return error.code === "invalid-params" && error.statusIn("v4") === 400;
}

/** The block is older than the history of this service. */
function isGone(error: ServiceError): boolean {
  return error.code === "absent" && error.statusIn("v4") === 403;
}
