import { NamedError } from "../../values/named-error.js";

type CellErrorCode =
  /** the bytes are not a valid bag of cells */
  | "boc"
  /** no validator would accept the cell: exotic layout, level or depth */
  | "invalid"
  /** a read past the end of a cell */
  | "underflow"
  /** a write past the capacity of a cell */
  | "overflow"
  /** a value does not fit its field */
  | "range"
  /** content behind a pruned branch was read: it is unknown, not absent */
  | "pruned"
  /** the tree is not a valid dictionary of the expected key length */
  | "dictionary"
  /** a Merkle proof or update is invalid or does not apply */
  | "proof";

/** Thrown by this folder for invalid cells and invalid bytes. Callers distinguish cases by `code`. */
export class CellError extends NamedError {
  static override readonly name = "CellError";
  readonly code: CellErrorCode;

  constructor(code: CellErrorCode, message: string) {
    // Without a stack trace, which takes longer than reading a cell: readers of hostile cells handle many of these
    // errors.
    // The property is one of V8 and WebKit; others ignore it.
    const errors = Error as { stackTraceLimit?: number | undefined };
    const { stackTraceLimit } = errors;
    errors.stackTraceLimit = 0;
    super(message);
    errors.stackTraceLimit = stackTraceLimit;
    this.code = code;
  }
}
