import { type ErrorCode, errorTable } from "../shared/rpc/errors.js";

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
  /** The status somebody set on purpose; the table's row decides otherwise. */
  readonly ownStatus: number | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  /** `message` reaches the caller as it is; without one the table's text does. */
  constructor(code: ErrorCode, message?: string, details: ErrorDetails = {}) {
    super(message ?? errorTable[code].text, details.cause === undefined ? {} : { cause: details.cause });
    this.name = "ServiceError";
    this.code = code;
    this.ownStatus = details.status;
    this.data = details.data ?? {};
  }

  /** HTTP status outside `/api/v3`, and `data.code` of the strict dialect. */
  get status(): number {
    return this.ownStatus ?? errorTable[this.code].http;
  }
}
