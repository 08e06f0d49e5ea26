import { NamedError } from "../../../values/named-error.js";

type RetraceErrorKind =
  /** The block has no such transaction. */
  | "absent"
  /** No node makes transactions of its kind, and the executor runs none. */
  | "unsupported"
  /** The runs end in another state than the chain's. */
  | "different"
  /** No server has the account's state before the block, and it does not follow from the account's first transaction. */
  | "state-unavailable";

/** A transaction cannot be run again. Callers may show the message to users. */
export class RetraceError extends NamedError {
  static override readonly name = "RetraceError";
  readonly kind: RetraceErrorKind;

  constructor(kind: RetraceErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
  }
}
