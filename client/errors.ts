import type { ErrorCode } from "../shared/rpc/errors.js";
import { NamedError } from "../shared/values/named-error.js";
import type { MessageStatus } from "./api.js";
import { errorMessage, parametersInShort, urlInShort } from "./error-message.js";

/** The service's error codes, plus the client's own. */
export type RpcErrorCode =
  | ErrorCode
  /** The service could not be reached, or the connection broke before the answer arrived. */
  | "network"
  /** The caller's `AbortSignal` fired. */
  | "aborted"
  /** The client or its connection was closed. */
  | "closed"
  /** The answer is not in any known format. */
  | "bad-answer"
  /** The batch answer has no entry for this call. */
  | "missing-answer"
  | "answer-too-large";

/** A message that was sent, and what is known of it. */
export type SentSoFar = {
  /** Hash of the message as sent. */
  readonly hash: string;
  /** Normalized hash; `undefined` if the service does not return it. */
  readonly hashNorm: string | undefined;
  /** Absent if the service tells none. */
  readonly status: MessageStatus | undefined;
};

/** Details of a failed call; every member is also a property of the `RpcError`. */
export type RpcErrorDetails = {
  /** HTTP status, or the equivalent status from the answer's body. */
  readonly status?: number | undefined;
  /** `error.code` of a JSON-RPC answer. */
  readonly rpcCode?: number | undefined;
  /** Name of the method that was called. */
  readonly method?: string | undefined;
  /** Parameters of the call in short, without secrets. */
  readonly parameters?: string | undefined;
  /** URL that the call was sent to. */
  readonly endpoint?: string | undefined;
  /** Exit code of the contract that failed or rejected a message. */
  readonly exitCode?: number | undefined;
  /** Name of the exit code, such as `expired`, if it is known. */
  readonly exitName?: string | undefined;
  /** Meaning of the exit code, if it is known; see also `explainExitCode` of `tonwire/values`. */
  readonly exitMeaning?: string | undefined;
  /** Advice in English, if the service has some. */
  readonly hint?: string | undefined;
  /** The service's own text, if `shortMessage` is another one. */
  readonly details?: string | undefined;
  /** Time to wait before the next attempt, from `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
  /** The raw answer: parsed JSON, or text if it was not JSON. */
  readonly body?: unknown;
  /** A retry of the same call may succeed. */
  readonly retryable?: boolean | undefined;
  /** The call was certainly not sent, so that even a call with side effects may be repeated. */
  readonly unsent?: boolean | undefined;
  /** The message that was waited for in vain, and its last status, with its transaction if it has one. */
  readonly sent?: SentSoFar | undefined;
  /** The cause of the error, such as an error of `fetch`. */
  readonly cause?: unknown;
};

const brand = Symbol.for("tonwire.RpcError");
type Branded = { readonly [brand]?: true } | null | undefined;

/**
 * The only error class that calls reject with; `code` is the kind. `message` begins with a sentence, `shortMessage`; below it are the
 * call and what else is known.
 */
export class RpcError extends NamedError {
  static override readonly name = "RpcError";
  /** The kind of failure. */
  declare readonly code: RpcErrorCode;
  /** The first line of `message`, a sentence that says what was wrong. */
  declare readonly shortMessage: string;
  /** HTTP status, or the equivalent status from the answer's body. */
  declare readonly status: number | undefined;
  /** `error.code` of a JSON-RPC answer. */
  declare readonly rpcCode: number | undefined;
  /** Name of the method that was called. */
  declare readonly method: string | undefined;
  /** Parameters of the call in short, without secrets. */
  declare readonly parameters: string | undefined;
  /** URL that the call was sent to. */
  declare readonly endpoint: string | undefined;
  /** Exit code of the contract that failed or rejected a message. */
  declare readonly exitCode: number | undefined;
  /** Name of the exit code, such as `expired`, if it is known. */
  declare readonly exitName: string | undefined;
  /** Meaning of the exit code, if it is known. */
  declare readonly exitMeaning: string | undefined;
  /** Advice in English, if the service has some. */
  declare readonly hint: string | undefined;
  /** The service's own text, if `shortMessage` is another one. */
  declare readonly details: string | undefined;
  /** Time to wait before the next attempt, from `Retry-After`. */
  declare readonly retryAfterMs: number | undefined;
  /** The raw answer: parsed JSON, or text if it was not JSON. */
  declare readonly body: unknown;
  /** A retry of the same call may succeed. */
  declare readonly retryable: boolean | undefined;
  /** The call was certainly not sent, so that even a call with side effects may be repeated. */
  declare readonly unsent: boolean | undefined;
  /** The message that `sendAndWait` waited for in vain, and its last status, with its transaction if it has one. */
  declare readonly sent: SentSoFar | undefined;

  constructor(code: RpcErrorCode, shortMessage: string, details: RpcErrorDetails = {}) {
    const endpoint = urlInShort(details.endpoint ?? "");
    super(errorMessage(shortMessage, { ...details, code, endpoint }));
    Object.assign(this, details, { code, shortMessage });
  }

  /** `instanceof` works across copies of this package: an application may load it both as ESM and as CommonJS. */
  static override [Symbol.hasInstance] = isRpcError;
}
Object.assign(RpcError.prototype, { [brand]: true });

/**
 * The result of a call. Its error is renewed where the caller waits: the stack has the lines that awaited the call, and callers
 * that share a call share no error.
 */
export async function awaited<T>(result: Promise<T>, method?: string, params?: object): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw renewed(error, method, params);
  }
}

/** The same error with the stack of this place, and with the call. */
export function renewed(error: unknown, method?: string, params: object = {}): unknown {
  if (!isRpcError(error)) return error;
  const call = method && { method, parameters: parametersInShort(params) };
  return new RpcError(error.code, error.shortMessage, { ...error, ...call });
}

/** Whether the value is an `RpcError`, and has the given code if there is one. */
export function isRpcError(value: unknown, code?: RpcErrorCode): value is RpcError {
  return (value as Branded)?.[brand] === true && (!code || (value as RpcError).code === code);
}

/** The short message of an `RpcError`, or the message of any other error. */
export function shortMessageOf(error: unknown): string {
  if (isRpcError(error)) return error.shortMessage;
  return error instanceof Error ? error.message : String(error);
}

/** Whether a refusal means that the service does not have the method. */
export function isMissingMethod(error: unknown): error is RpcError {
  return isRpcError(error) && /^(unknown-method|unknown-route|wrong-verb)$/.test(error.code);
}

/** The error of a call whose signal fired; the signal's reason is its `cause`. */
export function abortedBy(signal: AbortSignal, aborted: string): RpcError {
  return new RpcError("aborted", `${aborted} aborted`, { cause: signal.reason });
}

/** The error of a call that missed its deadline. */
export function timedOut(method: string, timeoutMs: number): RpcError {
  return new RpcError("timeout", `no answer to ${method} in ${timeoutMs} ms`, { method });
}

/** The error of an endpoint that gave no answer; a call that was certainly not sent may be repeated by anyone. */
export function notReached(endpoint: string, why: unknown, details: RpcErrorDetails): RpcError {
  // Some platforms repeat the URL in their texts.
  const text = `no answer from ${endpoint}: ${why}`.replaceAll(endpoint, urlInShort(endpoint));
  return new RpcError("network", text, {
    endpoint,
    retryable: true,
    ...details,
  });
}

/** The error of calls to a closed client. */
export function closedByCaller(): RpcError {
  return new RpcError("closed", "client closed");
}
