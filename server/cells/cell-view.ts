import { Cell } from "./cell.js";
import { isMerkle } from "./exotic.js";
import { maskAt, maxLevel } from "./level.js";

/** Hears of every cell whose content is looked at. */
export type Visit = (cell: Cell) => void;

/**
 * A cell shown differently than it is stored: virtualised, i.e. with all hashes taken at `level`, so that a tree with
 * pruned parts has the hashes of the whole one; and, when `visit` is given, telling whenever it is opened. Everything
 * reached from it is shown in the same way.
 */
export function viewOf(cell: Cell, level: number, visit?: Visit): Cell {
  const changesNothing = visit === undefined && maskAt(cell.levelMask, level) === cell.levelMask;
  return changesNothing ? cell : new CellView(cell, level, visit);
}

class CellView extends Cell {
  private readonly shown: Cell;
  private readonly level: number;
  private readonly visit: Visit | undefined;

  constructor(shown: Cell, level: number, visit: Visit | undefined) {
    super(shown, shown.type, shown.refCount, maskAt(shown.levelMask, level), []);
    this.shown = shown;
    this.level = level;
    this.visit = visit;
  }

  override ref(index: number): Cell {
    const known = this.children[index];
    if (known !== undefined) return known;
    this.visit?.(this.shown);
    const below = isMerkle(this.type) ? Math.min(this.level + 1, maxLevel) : this.level;
    const child = viewOf(this.shown.ref(index), below, this.visit);
    this.children[index] = child;
    return child;
  }

  override hash(level: number = maxLevel): Uint8Array {
    return this.shown.hash(Math.min(level, this.level));
  }

  override depth(level: number = maxLevel): number {
    return this.shown.depth(Math.min(level, this.level));
  }

  override parseExotic() {
    this.visit?.(this.shown);
    return super.parseExotic();
  }

  override get physical(): Cell {
    return this.shown.physical;
  }
}
