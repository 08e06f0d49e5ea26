/** Why a developer's request cannot be done; the caller turns the kind into a status. */
export type DevnetErrorKind = "not-found" | "conflict" | "invalid" | "unavailable";

/** A request to the devnet that has to be refused, in words for whoever asked. */
export class DevnetError extends Error {
  override readonly name = "DevnetError";
  readonly kind: DevnetErrorKind;

  constructor(kind: DevnetErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
