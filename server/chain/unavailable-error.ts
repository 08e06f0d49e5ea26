/** The chain is unavailable: no liteserver works, or the process with the devnet is unreachable. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
  readonly code = "unavailable";
  /** Shown to callers; absent if the reason is only that no liteserver works. */
  readonly reason: string | undefined;

  constructor(reason?: string, cause?: unknown) {
    super(reason ?? "No working liteservers", cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}
