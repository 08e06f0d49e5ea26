export type CellType = "ordinary" | "pruned" | "library" | "merkleProof" | "merkleUpdate";

/** The view of a cell used by hashing and validation. Implemented by `Cell` and by rows of a parsed bag of cells. */
export interface CellNode {
  readonly type: CellType;
  readonly bits: number;
  readonly refCount: number;
  readonly levelMask: number;
  /** Contains the data with its completion tag from `dataStart` on, followed by `slack` spare bytes. */
  readonly data: Uint8Array;
  readonly dataStart: number;
  refMask(index: number): number;
  refDepth(index: number, level: number): number;
  copyRefHash(index: number, level: number, target: Uint8Array, at: number): void;
}
