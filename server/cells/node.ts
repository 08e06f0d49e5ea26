import type { CellType } from "./cell.js";

/** What hashing and validation need of a cell, whether it is an object or a row of a parsed bag of cells. */
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
