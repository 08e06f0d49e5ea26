import { type ErrorCode, errorTable } from "../shared/rpc/errors.js";
import type { Explanation } from "../shared/text/refusal.js";

/** API version; v2 and v3 may answer the same error with different texts and statuses. Calls of v4 have those of v2. */
export type Api = "v2" | "v3" | "v4";

/** The API whose form the answers of a method have, by its name. */
export function apiOf(method: string): Api {
  if (method.startsWith("v3.")) return "v3";
  return method.startsWith("v4.") ? "v4" : "v2";
}

type ErrorDetails = {
  /** HTTP status that overrides the table's, where the reference implementation answers differently. */
  status?: number;
  /** Members of `error.data` in the strict dialect, in wire spelling. Public. */
  data?: Readonly<Record<string, unknown>>;
  /** The error in words, for people. */
  words?: Explanation | undefined;
  /** The underlying error; logged, never sent to the caller. */
  cause?: unknown;
};

/** The server's error class: every intended error of a call is one; any other error counts as a defect. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;
  readonly words: Explanation | undefined;
  readonly #text: string | undefined;
  readonly #status: number | undefined;

  /** `text` is sent to the caller; default: the text of the error table. */
  constructor(code: ErrorCode, text?: string, { status, data = {}, words, cause }: ErrorDetails = {}) {
    super(text ?? errorTable[code].text, cause === undefined ? {} : { cause });
    this.name = "ServiceError";
    this.code = code;
    const { retryAfterSec } = errorTable[code];
    this.data = retryAfterSec === undefined ? data : { retry_after: retryAfterSec, ...data };
    this.words = words;
    this.#text = text;
    this.#status = status;
  }

  /** HTTP status in REST and in TON Center's dialect; `data.code` in the strict dialect. */
  statusIn(api: Api): number {
    const row = errorTable[this.code];
    return this.#status ?? (api === "v3" ? row.v3?.http : undefined) ?? row.http;
  }

  /** Message for the caller. */
  textIn(api: Api): string {
    const row = errorTable[this.code];
    return this.#text ?? (api === "v3" ? row.v3?.text : undefined) ?? row.text;
  }
}

/**
 * An error that the operator must fix, such as an occupied port: shown as a sentence without a stack. Errors from
 * worker threads lose their class but keep their members, so it is recognized by a member.
 */
export class SetupError extends Error {
  readonly isSetupError = true;
}

export function isSetupError(error: unknown): error is Error {
  return error instanceof Error && "isSetupError" in error;
}

/** A failure in one sentence, with its cause. */
export function failureText({ message, cause }: Error): string {
  const reason = reasonOf(cause);
  return reason === "" || message.includes(reason) ? message : `${message}: ${reason}`;
}

/** A host with several addresses fails with an error for each of them. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : "";
}
