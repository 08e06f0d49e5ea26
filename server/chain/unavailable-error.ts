/** Nothing can be asked now: no liteserver is left, or the process with the devnet cannot be reached. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
  readonly code = "unavailable";
  /** For callers; absent where there is nothing to say beyond that no liteserver works. */
  readonly reason: string | undefined;

  constructor(reason?: string, cause?: unknown) {
    super(reason ?? "No working liteservers", cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}
