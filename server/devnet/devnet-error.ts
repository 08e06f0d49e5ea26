/** Why a developer's request cannot be done; the caller turns the kind into a status. */
export type RefusedKind = "not-found" | "conflict" | "invalid" | "unavailable";

/** A request to the devnet that has to be refused, in words for whoever asked. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly kind: RefusedKind;

  constructor(kind: RefusedKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
