import { ownBytes } from "./boc/boc-table.js";
import { Cell } from "./cell.js";
import { bitsAt, dataBytes, isExotic, refAt, storedHashBytes } from "./cell-bytes.js";
import { readExoticType } from "./exotic.js";
import { maxLevel } from "./level.js";

/** Cells by their number, each read when it is asked for. Hashes and depths are known for all of them. */
export interface CellStore {
  cell(index: number): Cell;
  hash(index: number, level: number): Uint8Array;
  depth(index: number, level: number): number;
}

/** The numbers of the cells that a cell in a bag refers to. `bytes` begin with it. */
export function refsOf(bytes: Uint8Array, refSize: number): number[] {
  const first = bytes[0]!;
  const start = 2 + storedHashBytes(first) + dataBytes(bytes[1]!);
  return Array.from({ length: first & 7 }, (_, k) => refAt(bytes, start + k * refSize, refSize));
}

/** No cell keeps its children, so that a large tree is never in memory as a whole. */
const inStore: never[] = [];

/** A cell of a store. It holds its own bytes only. */
export class StoredCell extends Cell {
  readonly #store: CellStore;
  /** Its number in the store. */
  readonly index: number;
  readonly #refs: readonly number[];

  /** `bytes` are those of the cell as in a bag, which has been validated. */
  constructor(store: CellStore, index: number, bytes: Uint8Array, refSize: number) {
    const first = bytes[0]!;
    const data = ownBytes(bytes);
    const dataStart = 2 + storedHashBytes(first);
    const bits = bitsAt(data, bytes[1]!, dataStart);
    const exotic = isExotic(first);
    const refCount = first & 7;
    const type = exotic ? readExoticType(data, dataStart, bits, refCount) : "ordinary";
    super({ data, dataStart, bits, exotic }, type, refCount, first >> 5, inStore);
    this.#store = store;
    this.index = index;
    this.#refs = refsOf(bytes, refSize);
  }

  override ref(k: number): Cell {
    const index = this.#refs[k];
    if (index === undefined) throw this.noRef(k);
    return this.#store.cell(index);
  }

  override hash(level: number = maxLevel): Uint8Array {
    if (this.hashes !== undefined) return this.hashes;
    const hash = this.#store.hash(this.index, level);
    if (this.levelMask === 0) this.hashes = hash;
    return hash;
  }

  override depth(level: number = maxLevel): number {
    return this.#store.depth(this.index, level);
  }
}
