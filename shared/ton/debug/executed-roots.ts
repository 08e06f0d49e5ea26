import type { Cell } from "../cells/cell.js";
import { CellSet } from "../cells/cell-set.js";
import type { CodeCells } from "../tvm/code/code-cells.js";

/** Cells that are searched, and codes that are found. */
const limits = { cells: 65_536, roots: 16 } as const;

/**
 * The codes that a run executed besides its own: the first executed cell of each, found in what the run was given, such as
 * the configuration. `executed`: hashes in hex, in the order in which they were first executed.
 */
export function rootsElsewhere(
  executed: readonly string[],
  own: CodeCells,
  given: () => readonly Cell[],
): Cell[] {
  const unknown = new Set(executed.filter((hash) => own.cell(hash) === undefined));
  const found = unknown.size > 0 ? cellsIn(given(), unknown) : new Map<string, Cell>();
  const covered = new CellSet();
  const roots: Cell[] = [];
  for (const hash of unknown) {
    const cell = found.get(hash);
    if (!cell || covered.has(cell) || roots.length === limits.roots) continue;
    roots.push(cell);
    cover(cell, covered);
  }
  return roots;
}

function cellsIn(trees: readonly Cell[], wanted: ReadonlySet<string>): Map<string, Cell> {
  const found = new Map<string, Cell>();
  const seen = new CellSet();
  const pending = [...trees];
  for (let cell = pending.pop(), count = 0; cell && count < limits.cells; cell = pending.pop()) {
    if (!seen.add(cell)) continue;
    count++;
    if (wanted.has(cell.hashHex())) found.set(cell.hashHex(), cell);
    pending.push(...cell.refs);
  }
  return found;
}

function cover(root: Cell, covered: CellSet): void {
  const pending = [root];
  for (let cell = pending.pop(); cell; cell = pending.pop())
    if (covered.add(cell)) pending.push(...cell.refs);
}
