import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellSet } from "../../../shared/ton/cells/cell-set.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ExecutorError } from "./executor-error.js";

/** Mainnet's configuration has 3,000 cells. */
export const maxConfigCells = 32_768;

/** Throws an ExecutorError that names the largest parameter if a configuration has too many distinct cells. */
export function checkConfigSize(root: Cell): void {
  if (cellsOf(root, maxConfigCells) <= maxConfigCells) return;
  let largest = { number: 0, cells: -1 };
  for (const [number, cell] of decode(ConfigDictionary, root).entries()) {
    const cells = cellsOf(cell, maxConfigCells);
    if (cells > largest.cells) largest = { number, cells };
  }
  throw new ExecutorError(
    "invalid",
    `The configuration has more than ${maxConfigCells} cells; the largest part is parameter ${largest.number}`,
  );
}

/** Distinct cells of a tree; not counted further beyond a limit. */
function cellsOf(root: Cell, limit: number): number {
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
