import { slack } from "../bits.js";
import { Cell } from "../cell.js";
import { CellError } from "../cell-error.js";
import { isMerkle } from "../exotic.js";
import { isSignificant, levelCount, maxLevel } from "../level.js";

const prunedTag = 1;

/**
 * Returns the pruned branch that replaces a cell inside `merkleDepth` + 1 nested Merkle cells. A cell without
 * references is returned unchanged, as in the TON node, because a pruned branch would hardly be shorter.
 */
export function prune(cell: Cell, merkleDepth: number): Cell {
  if (cell.refCount === 0) return cell.physical;
  if (merkleDepth >= maxLevel || cell.levelMask >> merkleDepth !== 0)
    throw new CellError("proof", `a cell of level mask ${cell.levelMask} inside ${merkleDepth} Merkle cells`);
  const mask = cell.levelMask | (1 << merkleDepth);
  const count = levelCount(mask);
  const data = new Uint8Array(2 + count * 34 + slack);
  data[0] = prunedTag;
  data[1] = mask;
  let index = 0;
  for (let level = 0; level <= maxLevel; level++) {
    if (!isSignificant(cell.levelMask, level)) continue;
    data.set(cell.hash(level), 2 + index * 32);
    const depth = cell.depth(level);
    const at = 2 + count * 32 + index * 2;
    data[at] = depth >> 8;
    data[at + 1] = depth;
    index++;
  }
  return Cell.of({ data, dataStart: 0, bits: (2 + count * 34) * 8, exotic: true }, []);
}

/** A copy of the cell with partially pruned references, or the cell itself if none of them changed. */
export function withRefs(cell: Cell, refs: Cell[], merkleDepth: number): Cell {
  const { physical } = cell;
  for (let i = 0; i < refs.length; i++)
    if (refs[i] !== physical.ref(i)) return Cell.partial(cell, refs, merkleDepth);
  return physical;
}

/** The Merkle depth of a cell's references, given that of the cell. */
export function depthBelow(cell: Cell, merkleDepth: number): number {
  return isMerkle(cell.type) ? merkleDepth + 1 : merkleDepth;
}

/** Memo of built cells by source cell and Merkle depth. */
export class BuildMemo {
  private readonly byDepth: Map<Cell, Cell>[] = [];

  get(cell: Cell, merkleDepth: number): Cell | undefined {
    return this.byDepth[merkleDepth]?.get(cell);
  }

  set(cell: Cell, merkleDepth: number, built: Cell): Cell {
    this.byDepth[merkleDepth] ??= new Map();
    this.byDepth[merkleDepth].set(cell, built);
    return built;
  }
}
