import { bytesEqual } from "../../shared/values/bytes.js";
import { beginCell } from "./builder.js";
import { Cell } from "./cell.js";
import { CellError } from "./cell-error.js";
import { CellSet } from "./cell-set.js";
import { viewOf } from "./cell-view.js";
import { BuildMemo, depthBelow, prune, withRefs } from "./pruned.js";

const merkleUpdateTag = 4;

export type UpdateOptions = {
  /**
   * Keep this many top levels of the old side unpruned, for readers that decode the top of a state eagerly. Default 0.
   */
  keepOldLevels?: number;
};

/**
 * Marks a tree as part of an older state. `createMerkleUpdate` does not descend below marked cells of the new tree, so
 * its cost depends on the size of the change. The mark is only a hint: membership in the old tree is still checked.
 */
export function settle(root: Cell): void {
  const stack = [root];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    if (cell.settled) continue;
    cell.markSettled();
    stack.push(...cell.refs);
  }
}

/** Creates the Merkle update from one tree to another. Subtrees that both have are pruned on both sides. */
export function createMerkleUpdate(from: Cell, to: Cell, options: UpdateOptions = {}): Cell {
  const newCells = collect(to, (cell) => cell.settled);
  const oldCells = collect(from, (cell) => newCells.has(cell));
  const { newSide, shared } = pruneNew(to, oldCells);
  const oldSide = pruneOld(from, { shared, newCells, keepLevels: options.keepOldLevels ?? 0 });
  return beginCell()
    .storeUint(merkleUpdateTag, 8)
    .storeBytes(oldSide.hash(0))
    .storeBytes(newSide.hash(0))
    .storeUint(oldSide.depth(0), 16)
    .storeUint(newSide.depth(0), 16)
    .storeRef(oldSide)
    .storeRef(newSide)
    .endExotic();
}

/** Collects the cells of a tree; does not descend below cells for which `stop` returns true. */
function collect(root: Cell, stop: (cell: Cell) => boolean): CellSet {
  const collected = new CellSet();
  const stack = [root];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop())
    if (collected.add(cell) && !stop(cell)) for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i));
  return collected;
}

/** Prunes the subtrees that the old tree contains, and returns their roots. */
function pruneNew(root: Cell, oldCells: CellSet): { newSide: Cell; shared: CellSet } {
  const shared = new CellSet();
  const built = new BuildMemo();
  const build = (cell: Cell, merkleDepth: number): Cell => {
    const known = built.get(cell, merkleDepth);
    if (known !== undefined) return known;
    if (cell.refCount > 0 && oldCells.has(cell)) {
      shared.add(cell);
      return built.set(cell, merkleDepth, prune(cell, merkleDepth));
    }
    const below = depthBelow(cell, merkleDepth);
    const refs = cell.mapRefs((ref) => build(ref, below));
    return built.set(cell, merkleDepth, withRefs(cell, refs, merkleDepth));
  };
  return { newSide: build(root, 0), shared };
}

type OldSide = { shared: CellSet; newCells: CellSet; keepLevels: number };

/** Prunes everything but the paths to shared cells and the top levels. */
function pruneOld(root: Cell, { shared, newCells, keepLevels }: OldSide): Cell {
  const built = new BuildMemo();
  const ways = new Set<Cell>();
  const build = (cell: Cell, merkleDepth: number, level: number): Cell => {
    const keep = level < keepLevels;
    const known = keep ? undefined : built.get(cell, merkleDepth);
    if (known !== undefined) return known;
    if (!keep && newCells.has(cell)) return prune(cell, merkleDepth);
    const below = depthBelow(cell, merkleDepth);
    const refs = cell.mapRefs((ref) => build(ref, below, level + 1));
    const leadsOn = refs.some((ref, i) => ways.has(ref) || shared.has(cell.ref(i)));
    const result = keep || leadsOn ? withRefs(cell, refs, merkleDepth) : prune(cell, merkleDepth);
    if (leadsOn) ways.add(result);
    return keep ? result : built.set(cell, merkleDepth, result);
  };
  return build(root, 0, 0);
}

/**
 * Applies a Merkle update and returns the new tree, which shares the pruned subtrees with the old one. Throws
 * `CellError` with code `proof` if the update is not for this tree or is invalid.
 */
export function applyMerkleUpdate(update: Cell, from: Cell): Cell {
  const [oldSide, newSide] = openMerkleUpdate(update);
  if (!bytesEqual(oldSide.hash(0), from.hash()))
    throw new CellError("proof", `an update of ${oldSide.hashHex(0)} is applied to ${from.hashHex()}`);
  return resolve(newSide, knownCells(oldSide, from));
}

/** Both sides of a Merkle update as stored; their level-0 hashes are those of the full trees. */
function openMerkleUpdate(update: Cell): [Cell, Cell] {
  if (update.type !== "merkleUpdate")
    throw new CellError("proof", `expected a Merkle update, got a cell of type ${update.type}`);
  update.verifyStated();
  return [update.ref(0), update.ref(1)];
}

/** Root hashes of the old and the new tree of a Merkle update. */
export function updateHashes(update: Cell): { from: Uint8Array; to: Uint8Array } {
  const [oldSide, newSide] = openMerkleUpdate(update);
  return { from: viewOf(oldSide, 0).hash(), to: viewOf(newSide, 0).hash() };
}

/** Maps the cells shown on the old side of an update to those of the actual old tree, by hash. */
function knownCells(oldSide: Cell, from: Cell): Map<string, Cell> {
  const known = new Map<string, Cell>();
  const walked = new BuildMemo();
  const walk = (shown: Cell, real: Cell, merkleDepth: number): void => {
    known.set(shown.hashHex(merkleDepth), real);
    if (walked.get(shown, merkleDepth) !== undefined) return;
    walked.set(shown, merkleDepth, real);
    if (isLeftOut(shown, merkleDepth)) return;
    const below = depthBelow(shown, merkleDepth);
    for (let i = 0; i < shown.refCount; i++) walk(shown.ref(i), real.ref(i), below);
  };
  walk(oldSide, from, 0);
  return known;
}

/** Builds the new tree: pruned cells are replaced by those of the old tree. */
function resolve(newSide: Cell, known: ReadonlyMap<string, Cell>): Cell {
  const built = new BuildMemo();
  const build = (cell: Cell, merkleDepth: number): Cell => {
    if (cell.levelMask >> merkleDepth === 0) return cell;
    const again = built.get(cell, merkleDepth);
    if (again !== undefined) return again;
    if (isLeftOut(cell, merkleDepth)) {
      const old = known.get(cell.hashHex(merkleDepth));
      if (old !== undefined) return built.set(cell, merkleDepth, old);
      throw new CellError(
        "proof",
        `the old side of an update does not contain the cell ${cell.hashHex(merkleDepth)}`,
      );
    }
    const below = depthBelow(cell, merkleDepth);
    const refs = cell.mapRefs((ref) => build(ref, below));
    return built.set(cell, merkleDepth, Cell.of(cell, refs));
  };
  return build(newSide, 0);
}

/** Whether a cell is pruned for the Merkle cell where the walk started, not for a nested one. */
function isLeftOut(cell: Cell, merkleDepth: number): boolean {
  return cell.type === "pruned" && cell.levelMask >> merkleDepth !== 0;
}
