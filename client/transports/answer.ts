import type { ErrorCode } from "../../shared/rpc/errors.js";
import { RpcError, type RpcErrorCode, type RpcErrorDetails } from "../errors.js";
import type { Attempt } from "./transport.js";

// Answers come in two dialects, and only an answer says which: strict JSON-RPC 2.0, where `error` is an object,
// and TON Center's, where it is a text, the status says what kind, and an id may be missing.

/** What came with an answer. */
export type Reply = {
  readonly status: number;
  readonly retryAfterMs?: number | undefined;
};

// biome-ignore lint/suspicious/noExplicitAny: JSON of a stranger; every member is looked at before it is used
export type Json = any;

/** Gives an attempt its answer; tells what the error was, if it is one. */
export function settle({ call, resolve, reject }: Attempt, answer: Json, reply: Reply): RpcError | undefined {
  const error = errorIn(answer, reply, call.method);
  if (error) reject(error);
  else resolve(answer.result);
  return error;
}

/** The error an answer says; `undefined` when it has a result. What is no JSON comes as its text. */
export function errorIn(answer: Json, reply: Reply, method?: string): RpcError | undefined {
  const { error, result, code, ok, id } = answer ?? {};
  if (error && typeof error === "object") return strictError(error, { ...reply, method, body: answer });
  const failed = ok === false || typeof error === "string";
  if (!failed && result !== undefined && id !== null) return undefined;
  const details = { ...reply, method, body: answer };
  const status = typeof code === "number" ? code : reply.status;
  if (!failed && status < 400) return new RpcError("bad-answer", "this is no answer", details);
  return statusError(status, typeof error === "string" ? error : result, details);
}

function strictError({ code: rpcCode, message, data }: Json, details: RpcErrorDetails & Reply): RpcError {
  const {
    code,
    kind,
    reason,
    retry_after: seconds,
    exit_code: exitCode,
    exit_meaning: exitMeaning,
  } = data ?? {};
  const status = typeof code === "number" ? code : details.status;
  const text = reason ? `${message}: ${reason}` : message;
  const retryAfterMs = typeof seconds === "number" ? seconds * 1000 : details.retryAfterMs;
  const known = typeof kind === "string" ? (kind as ErrorCode) : codesOfRpc[rpcCode];
  return statusError(status, text, { ...details, rpcCode, exitCode, exitMeaning, retryAfterMs }, known);
}

/** An error of which the status and perhaps a text are known. */
export function statusError(
  status: number,
  said: unknown,
  details: RpcErrorDetails,
  known?: ErrorCode,
): RpcError {
  const text = typeof said === "string" ? said : "";
  const code = known ?? codeOf(status, text);
  const exit = /exit ?code\D{0,2}?(-?\d+)/.exec(text);
  return new RpcError(code, text || `HTTP status ${status}`, {
    ...details,
    status,
    exitCode: details.exitCode ?? (exit ? Number(exit[1]) : undefined),
    retryable:
      /^(rate-limited|timeout|unavailable)$/.test(code) || /^LITE_SERVER_(NOTREADY|TIMEOUT)/.test(text),
  });
}

function codeOf(status: number, text: string): RpcErrorCode {
  if (text === "Unknown method") return "unknown-method";
  // Only here the text decides: TON Center's dialect tells these apart by nothing else.
  if (status === 404) return text && !/^(Not Found$|Cannot |<)/.test(text) ? "absent" : "unknown-route";
  if (/cannot apply external message|duplicate message/.test(text)) return "message-rejected";
  if (/^LITE_SERVER_/.test(text)) return "liteserver-error";
  return codesOfStatus[status] ?? "internal";
}

export const codesOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: "bad-boc",
  401: "unknown-key",
  403: "wrong-network",
  405: "wrong-verb",
  409: "conflict",
  413: "too-large",
  422: "invalid-params",
  429: "rate-limited",
  502: "unavailable",
  503: "unavailable",
  504: "timeout",
  533: "stack-too-deep",
  // TON Center's "no workers available".
  542: "unavailable",
};

export const codesOfRpc: Readonly<Record<number, ErrorCode>> = {
  [-32700]: "parse-error",
  [-32600]: "invalid-request",
  [-32601]: "unknown-method",
  [-32602]: "invalid-params",
};

/** JSON of a text; `undefined` when it is none. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
