export type RunErrorKind =
  /** The contract needs too many libraries, found one after another. */
  | "too-many-libraries"
  /** The message is deeper than a transaction can hold. */
  | "too-deep"
  /** More messages wait for the account, or longer ones, than are run before another one. */
  | "too-many-waiting"
  /** The contract's actions are such that no fee is estimated for them. */
  | "not-estimable";

/** A contract cannot be run, or its run is of no use. The message is meant for callers. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly kind: RunErrorKind;

  constructor(kind: RunErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
