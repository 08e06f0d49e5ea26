export type CellErrorCode =
  /** bytes that are no valid bag of cells */
  | "boc"
  /** the cell is one no validator would accept: exotic layout, level, depth */
  | "invalid"
  /** more was read than is there */
  | "underflow"
  /** more was stored than a cell holds */
  | "overflow"
  /** a value does not fit its field */
  | "range"
  /** content behind a pruned branch was asked for */
  | "pruned"
  /** a tree is not the dictionary it is read as */
  | "dictionary"
  /** a Merkle proof or update does not hold */
  | "proof";

/** What every function of this folder throws when cells, or bytes meant to be cells, are wrong. */
export class CellError extends Error {
  override readonly name = "CellError";
  readonly code: CellErrorCode;

  constructor(code: CellErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
