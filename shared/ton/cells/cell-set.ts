import { bytesEqual } from "../../values/bytes.js";
import type { Cell } from "./cell.js";

/** Enough for most trees. V8 allocates typed arrays of up to 64 bytes on its own heap, which is cheaper. */
const firstSlots = 16;

/**
 * A set of cells by representation hash, numbered in insertion order. Uses open addressing over the hash bytes: large
 * trees spend most of their time here, and a Map with hex keys takes twice as long.
 */
export class CellSet {
  private readonly cells: Cell[] = [];
  /** Number of a cell plus one; 0 is a free slot. At most half of the slots are in use. */
  private slots = new Int32Array(firstSlots);

  /** Number of the cell with the same hash, or -1. */
  find(cell: Cell): number {
    return this.slots[this.slotOf(cell.hash())]! - 1;
  }

  has(cell: Cell): boolean {
    return this.find(cell) >= 0;
  }

  /** Returns false if an equal cell is already in the set. */
  add(cell: Cell): boolean {
    const slot = this.slotOf(cell.hash());
    if (this.slots[slot] !== 0) return false;
    this.slots[slot] = this.cells.push(cell);
    if (this.cells.length * 2 > this.slots.length) this.grow();
    return true;
  }

  private slotOf(hash: Uint8Array): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = ((hash[0]! << 24) | (hash[1]! << 16) | (hash[2]! << 8) | hash[3]!) & mask;
    while (slots[slot] !== 0 && !bytesEqual(this.cells[slots[slot]! - 1]!.hash(), hash))
      slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * 4);
    for (let i = 0; i < this.cells.length; i++) this.slots[this.slotOf(this.cells[i]!.hash())] = i + 1;
  }
}

/** Distinct cells of a tree; not counted further beyond a limit. */
export function countCells(root: Cell, limit: number): number {
  const seen = new CellSet();
  const pending = [root];
  let count = 0;
  for (let cell = pending.pop(); cell && count <= limit; cell = pending.pop()) {
    if (!seen.add(cell)) continue;
    count++;
    pending.push(...cell.refs);
  }
  return count;
}
