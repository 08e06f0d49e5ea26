import type { ErrorCode } from "../../shared/rpc/errors.js";
import { RpcError, type RpcErrorCode, type RpcErrorDetails } from "../errors.js";
import type { Attempt, Reply } from "./transport.js";

// Answers come in two dialects, which differ by the answer itself: strict JSON-RPC 2.0, where `error` is an object, and
// TON Center's, where `error` is a string, the status gives the kind, and the id may be missing. Only this file reads texts of
// errors, where no other member distinguishes them: those of TON Center's API 2.0 and 2.1, of its streams, and of `ws` 8.

/** A parsed JSON value that is not checked yet. */
// biome-ignore lint/suspicious/noExplicitAny: untrusted JSON; every member is checked before use
export type Json = any;

/** Settles an attempt with its answer; returns the error if the answer is one. */
export function settle({ call, resolve, reject }: Attempt, answer: Json, reply: Reply): RpcError | undefined {
  const error = errorIn(answer, reply, call.method);
  if (error) reject(error);
  else resolve(answer.result);
  return error;
}

/** The error in an answer; `undefined` if it has a result. An answer that is not JSON is passed as text. */
export function errorIn(answer: Json, reply: Reply, method?: string): RpcError | undefined {
  const { error, result, code, ok, id, sentence, hint } = answer ?? {};
  if (error && typeof error === "object") return strictError(error, { ...reply, method, body: answer });
  const failed = ok === false || typeof error === "string";
  if (!failed && result !== undefined && id !== null) return undefined;
  const details = { ...reply, method, body: answer };
  const status = typeof code === "number" ? code : reply.status;
  if (!failed && status < 400) return new RpcError("bad-answer", notOurs, details);
  const found = statusError(status, typeof error === "string" ? error : result, { ...details, hint });
  // Beside a text that other programs match, the service may have a sentence for people.
  return typeof sentence === "string"
    ? new RpcError(found.code, sentence, { ...found, details: error })
    : found;
}

function strictError({ code: rpcCode, message, data }: Json, details: RpcErrorDetails & Reply): RpcError {
  const {
    code,
    kind,
    reason,
    retry_after: seconds,
    exit_code: exitCode,
    exit_name: exitName,
    exit_meaning: exitMeaning,
    error: machineText,
    hint,
    refused,
  } = data ?? {};
  const status = typeof code === "number" ? code : details.status;
  const sentence = refusedSentence(refused);
  // A sentence has its reason in it.
  const text = sentence || (reason && machineText === undefined ? `${message}: ${reason}` : message);
  const own = sentence ? message : machineText;
  const retryAfterMs = typeof seconds === "number" ? seconds * 1000 : details.retryAfterMs;
  const known = typeof kind === "string" ? (kind as ErrorCode) : codesOfRpc[rpcCode];
  return statusError(
    status,
    text,
    { ...details, rpcCode, exitCode, exitName, exitMeaning, hint, details: own, retryAfterMs },
    known,
  );
}

/** The sentence for parameters that were refused; empty if the service does not say what it wants. */
function refusedSentence(refused: Json): string {
  const texts = [refused].flat().map((each: Json) => {
    const { param, index, wanted, given, reason } = each ?? {};
    if (typeof param !== "string" || typeof wanted !== "string") return "";
    if (typeof reason === "string") return reason;
    const place = typeof index === "number" ? `${param}[${index}]` : param;
    return given === undefined
      ? `${place} is required: ${wanted}`
      : `${place} must be ${wanted}, not ${JSON.stringify(given)}`;
  });
  return texts.filter(Boolean).join("; ");
}

/** The error for a status and an optional message of the service. `known` overrides the code derived from both. */
export function statusError(
  status: number,
  message: unknown,
  details: RpcErrorDetails,
  known?: ErrorCode,
): RpcError {
  const text = typeof message === "string" ? message : "";
  const code = known ?? codeOf(status, text);
  const exit = /exit ?code\D{0,2}?(-?\d+)/.exec(text);
  return new RpcError(code, text || `HTTP ${status}: ${notOurs}`, {
    ...details,
    status,
    exitCode: details.exitCode ?? (exit ? Number(exit[1]) : undefined),
    retryable:
      /^(rate-limited|timeout|unavailable)$/.test(code) || /^LITE_SERVER_(NOTREADY|TIMEOUT)/.test(text),
  });
}

/** Whether a stream refuses more subscriptions for now; its other refusals are mistakes. */
export const isLimit = (text: string): boolean => /limit/i.test(text);

/** The HTTP status with which an upgrade was refused, from the message of `ws`; browsers do not expose it. */
export const refusedStatusIn = (text: string): string | undefined => /server response: (\d+)/.exec(text)?.[1];

/** Answers that no part of the API gives: pages of a proxy, or of another program on the port. */
export const notOurs = "no JSON-RPC: check the URL";

function codeOf(status: number, text: string): RpcErrorCode {
  if (text === "Unknown method") return "unknown-method";
  // TON Center's dialect distinguishes these by message text only.
  if (status === 404) return text && !/^(Not Found$|Cannot |<)/.test(text) ? "absent" : "unknown-route";
  if (status === 429 && text.startsWith("the monthly quota of ")) return "quota-exceeded";
  if (status === 403 && / API key/.test(text)) return "forbidden";
  if (/cannot apply external message|duplicate message/.test(text)) return "message-rejected";
  if (/^LITE_SERVER_/.test(text)) return "liteserver-error";
  return codesOfStatus[status] ?? "internal";
}

/** Error codes by HTTP status, for answers without a code. */
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

/** Error codes by the codes that JSON-RPC 2.0 defines. */
export const codesOfRpc: Readonly<Record<number, ErrorCode>> = {
  [-32700]: "parse-error",
  [-32600]: "invalid-request",
  [-32601]: "unknown-method",
  [-32602]: "invalid-params",
};
