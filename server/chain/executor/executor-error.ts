export type ExecutorErrorCode =
  /** What was asked cannot be run: asking again gives the same. */
  | "invalid"
  /** The TVM broke down on this request; others are not affected. */
  | "crashed"
  /** No capacity now: the queue is full, or the pool is closed. */
  | "unavailable"
  /** Not finished within its time. */
  | "timeout"
  /** The caller lost interest. */
  | "aborted";

export class ExecutorError extends Error {
  readonly code: ExecutorErrorCode;

  constructor(code: ExecutorErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "ExecutorError";
    this.code = code;
  }
}
