import { type Api, ServiceError } from "../../errors.js";
import { strictError } from "../../rpc/json-rpc/strict-dialect.js";
import { v2Failure } from "../../rpc/json-rpc/v2-envelope.js";
import type { Exchange } from "./exchange.js";
import { v4ErrorType, v4Failure, v4Status } from "./v4-failures.js";

/** The answer format of a path. */
export type Surface = Api | "ton-center" | "strict";

/** Answers a request with an error, in the format of the surface. */
export function refuse(exchange: Exchange, surface: Surface, error: ServiceError): void | Promise<void> {
  const status = statusOn(surface, error);
  noteRetry(exchange, error);
  // After an incomplete body the connection cannot be reused.
  if (status === 408) exchange.addHeaders({ Connection: "close" });
  // The strict dialect answers 200 and has the 422 in its error object only.
  const shown = surface === "strict" && status === 422 ? 200 : status;
  return exchange.send(shown, bodyOf(surface, error), errorTypeOf(surface));
}

/** The HTTP status of an error in the form of a surface. */
export function statusOn(surface: Surface, error: ServiceError): number {
  if (surface === "v4") return v4Status(error);
  return error.statusIn(surface === "v3" ? "v3" : "v2");
}

/** The content type of errors of a surface. */
export function errorTypeOf(surface: Surface): string {
  return surface === "v4" ? v4ErrorType : "application/json; charset=utf-8";
}

/** Adds `Retry-After` if the error has a time, and the rate limit does not state it already. */
export function noteRetry(exchange: Exchange, { data }: ServiceError): void {
  const seconds = data["retry_after"];
  if (seconds === undefined || "Retry-After" in exchange.limitHeaders) return;
  exchange.addHeaders({ "Retry-After": String(seconds) });
}

/** The body of an error answer in the format of the surface. */
export function bodyOf(surface: Surface, error: ServiceError): string {
  switch (surface) {
    case "v2":
      return v2Failure(error, "_", "v2");
    case "ton-center":
      return v2Failure(error, "_", "v2", beforeRpc.has(error.code) ? "" : ',"jsonrpc":"2.0"');
    case "strict":
      return strictError(null, error);
    case "v4":
      return v4Failure(error);
    case "v3":
      return v3Failure(error);
  }
}

/** The body of an error in v3: `error` is TON Center's, `sentence` and `hint` are ours. */
export function v3Failure(error: ServiceError): string {
  return JSON.stringify({ error: error.textIn("v3"), ...error.words });
}

/** Refusals that TON Center makes before it has read the request as JSON-RPC. */
const beforeRpc: ReadonlySet<string> = new Set([
  "unknown-key",
  "wrong-network",
  "rate-limited",
  "wrong-verb",
]);

/** Turns anything thrown into a `ServiceError`; unexpected errors become `internal`, with the original as cause. */
export function asServiceError(thrown: unknown): ServiceError {
  return thrown instanceof ServiceError ? thrown : new ServiceError("internal", undefined, { cause: thrown });
}
