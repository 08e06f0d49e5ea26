export type CellType = "ordinary" | "pruned" | "library" | "merkleProof" | "merkleUpdate";

/** The part of a cell that hashing and validation read. Implemented by `Cell` and by rows of a parsed bag of cells. */
export interface CellNode {
  readonly type: CellType;
  readonly bits: number;
  readonly refCount: number;
  readonly levelMask: number;
  /** Holds the cell's data with its completion tag at `dataStart`; `slack` more bytes follow. */
  readonly data: Uint8Array;
  readonly dataStart: number;
  refMask(index: number): number;
  refDepth(index: number, level: number): number;
  copyRefHash(index: number, level: number, target: Uint8Array, at: number): void;
}
