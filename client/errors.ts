import type { ErrorCode } from "../shared/rpc/errors.js";

/** What can go wrong: everything the service can say, and what happens on the way to it. */
export type RpcErrorCode =
  | ErrorCode
  /** The service was not reached, or the connection broke before the answer was there. */
  | "network"
  /** The caller's own signal fired. */
  | "aborted"
  /** The client or its connection was closed. */
  | "closed"
  /** What came back is no answer in any form this client knows. */
  | "bad-answer"
  /** The answer to a batch lacks this call. */
  | "missing-answer"
  | "answer-too-large";

export type RpcErrorDetails = {
  /** HTTP status, or what the service says it would have been. */
  readonly status?: number | undefined;
  /** `error.code` of a JSON-RPC answer. */
  readonly rpcCode?: number | undefined;
  readonly method?: string | undefined;
  /** Exit code of the contract that refused a message. */
  readonly exitCode?: number | undefined;
  /** That code in words, where the service says them; `explainExitCode` knows the common ones. */
  readonly exitMeaning?: string | undefined;
  /** When the service wants to be asked again. */
  readonly retryAfterMs?: number | undefined;
  /** The answer as it came: parsed where it was JSON, else its text. */
  readonly body?: unknown;
  /** The same call may succeed if it is made again. */
  readonly retryable?: boolean | undefined;
  /** Nothing of the call has left this machine. */
  readonly unsent?: boolean | undefined;
  readonly cause?: unknown;
};

const brand = Symbol.for("tonwire.RpcError");
type Branded = { readonly [brand]?: true } | null | undefined;

/** The one class of errors that calls reject with; `code` says which it is. */
export class RpcError extends Error {
  declare readonly code: RpcErrorCode;
  declare readonly status: number | undefined;
  declare readonly rpcCode: number | undefined;
  declare readonly method: string | undefined;
  declare readonly exitCode: number | undefined;
  declare readonly exitMeaning: string | undefined;
  declare readonly retryAfterMs: number | undefined;
  declare readonly body: unknown;
  declare readonly retryable: boolean | undefined;
  declare readonly unsent: boolean | undefined;

  constructor(code: RpcErrorCode, message: string, details?: RpcErrorDetails) {
    super(message);
    Object.assign(this, details, { code });
  }

  /** True across copies: an application may have loaded this package twice, as ESM and as CommonJS. */
  static override [Symbol.hasInstance] = isRpcError;
}
Object.assign(RpcError.prototype, { name: "RpcError", [brand]: true });

/** Whether something is an `RpcError`, with that code if one is given. */
export function isRpcError(value: unknown, code?: RpcErrorCode): value is RpcError {
  return (value as Branded)?.[brand] === true && (!code || (value as RpcError).code === code);
}

export function abortedBy(signal: AbortSignal): RpcError {
  return new RpcError("aborted", "given up", { cause: signal.reason });
}

export function timedOut(method: string, timeoutMs: number): RpcError {
  return new RpcError("timeout", `${method} took more than ${timeoutMs} ms`, { method });
}

export function closedByCaller(): RpcError {
  return new RpcError("closed", "the client was closed");
}
