type ExecutorErrorCode =
  /** The request cannot be run; a retry fails the same way. */
  | "invalid"
  /** The emulator crashed on this request; others are not affected. */
  | "crashed"
  /** The same in a build without patches, which may have lower limits only. */
  | "too-large"
  /** The executor is closed, or an emulator is starting again. */
  | "unavailable"
  /** The caller's share is used up: its queue is full, or it would wait for too long. */
  | "busy"
  /** Not finished by the deadline. */
  | "timeout"
  /** The caller's signal aborted. */
  | "aborted";

/** Longest and shortest time that a caller is asked to wait for. */
const retryMs = { min: 1000, max: 60_000 } as const;

/** A request was not run; `code` is the reason. An exit code of the VM is not an error. */
export class ExecutorError extends Error {
  readonly code: ExecutorErrorCode;
  /** CPU time of the run that failed, in milliseconds. */
  cpuMs = 0;
  /** When a retry may succeed. */
  retryAfterMs: number | undefined;
  /** The limit of a single run, if it was stopped there. */
  stoppedAfterMs: number | undefined;

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

  /** Whether the emulator must be replaced. */
  get brokeEmulator(): boolean {
    return this.code === "crashed" || this.code === "too-large";
  }

  static stopped(afterMs: number): ExecutorError {
    const error = new ExecutorError(
      "timeout",
      `The contract was stopped after ${afterMs} ms of processor time, the limit of a single run`,
    );
    error.stoppedAfterMs = afterMs;
    return error;
  }

  /** `waitMs`: the time that the request would wait. */
  static busy(waitMs: number): ExecutorError {
    const error = new ExecutorError("busy", "Too many contracts of this caller are waiting");
    error.retryAfterMs = Math.min(retryMs.max, Math.max(retryMs.min, waitMs));
    return error;
  }
}
