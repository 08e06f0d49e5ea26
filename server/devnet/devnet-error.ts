/** Reason for refusing a request. Callers map it to a status. */
export type DevnetErrorKind = "not-found" | "conflict" | "invalid" | "unavailable";

/** A refused request to the devnet. The message is shown to the client. */
export class DevnetError extends Error {
  override readonly name = "DevnetError";
  readonly kind: DevnetErrorKind;

  constructor(kind: DevnetErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
