import { type ErrorCode, errorTable } from "../shared/rpc/errors.js";

/** Interfaces that may answer one failure with different words and statuses. */
export type Api = "v2" | "v3";

export type ErrorDetails = {
  /** Only where a reference answers this case with another status than the table's. */
  status?: number;
  /** Members of `error.data` in the strict dialect, wire spelling. Public. */
  data?: Readonly<Record<string, unknown>>;
  /** What led here; goes to the log, never to the caller. */
  cause?: unknown;
};

/** The one error of the server: everything thrown on purpose is one, anything else is a defect of ours. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;
  readonly #text: string | undefined;
  readonly #status: number | undefined;

  /** `text` reaches the caller as it is; without one the table's text does. */
  constructor(code: ErrorCode, text?: string, { status, data = {}, cause }: ErrorDetails = {}) {
    super(text ?? errorTable[code].text, cause === undefined ? {} : { cause });
    this.name = "ServiceError";
    this.code = code;
    this.data = data;
    this.#text = text;
    this.#status = status;
  }

  /** HTTP status of REST and of TON Center's dialect; `data.code` of the strict one. */
  statusIn(api: Api): number {
    const row = errorTable[this.code];
    return this.#status ?? (api === "v3" ? row.v3?.http : undefined) ?? row.http;
  }

  textIn(api: Api): string {
    const row = errorTable[this.code];
    return this.#text ?? (api === "v3" ? row.v3?.text : undefined) ?? row.text;
  }
}

/**
 * What keeps the service from starting and is its operator's to put right: told in a sentence, without a stack. Errors
 * of worker threads lose their class on the way but keep their members, so it is known by one.
 */
export class SetupError extends Error {
  readonly isSetupError = true;
}

export function isSetupError(error: unknown): error is Error {
  return error instanceof Error && "isSetupError" in error;
}
