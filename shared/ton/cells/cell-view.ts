import { Cell } from "./cell.js";
import { isMerkle } from "./exotic.js";
import { maskAt, maxLevel } from "./level.js";

/** Called with every cell whose content is read. */
type Visit = (cell: Cell) => void;

/**
 * A virtualized view of a cell: hashes and depths are taken at `level`, so a partially pruned tree has the hashes of
 * the full one. If `visit` is given, it is called whenever the cell is opened. Both apply to all cells reached from the
 * view.
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

  override verifyStated(): void {
    this.shown.verifyStated();
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
