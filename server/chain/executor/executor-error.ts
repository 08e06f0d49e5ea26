export type ExecutorErrorCode =
  /** The request cannot be run; a retry fails the same way. */
  | "invalid"
  /** The emulator crashed on this request; others are not affected. */
  | "crashed"
  /** No capacity now: the queue is full, or the pool is closed. */
  | "unavailable"
  /** Not finished by the deadline. */
  | "timeout"
  /** The caller's signal aborted. */
  | "aborted";

/** A request was not run; `code` says why. An exit code of the VM is not an error. */
export class ExecutorError extends Error {
  readonly code: ExecutorErrorCode;
  /** CPU time of the run that failed, in milliseconds. */
  cpuMs = 0;

  constructor(code: ExecutorErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "ExecutorError";
    this.code = code;
  }

  static after(cpuMs: number, code: ExecutorErrorCode, message: string): ExecutorError {
    const error = new ExecutorError(code, message);
    error.cpuMs = cpuMs;
    return error;
  }
}
