import { NamedError } from "../../values/named-error.js";

type RunErrorKind =
  /** The contract needs more libraries than are loaded for one run. */
  | "too-many-libraries"
  /** The message is deeper than a transaction can hold. */
  | "too-deep"
  /** Too many messages wait for the account, or running them before this one takes too long. */
  | "too-many-waiting"
  /** The fees of the contract's actions cannot be estimated. */
  | "not-estimable";

/** A contract cannot be run, or the result of its run is useless. Callers may show the error message to users. */
export class RunError extends NamedError {
  static override readonly name = "RunError";
  readonly kind: RunErrorKind;

  constructor(kind: RunErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
