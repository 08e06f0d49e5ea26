import { bytesEqual } from "../../shared/values/bytes.js";
import { beginCell } from "./builder.js";
import { Cell } from "./cell.js";
import { CellError } from "./cell-error.js";
import { CellSet } from "./cell-set.js";
import { viewOf } from "./cell-view.js";
import { Built, depthBelow, prune, withRefs } from "./pruned.js";

const merkleUpdateTag = 4;

export type UpdateOptions = {
  /** On the old side cells less deep than this stay, for readers that decode the top of a state eagerly. */
  keepOldLevels?: number;
};

/**
 * Marks a tree as known to be old. `createMerkleUpdate` does not look below such cells in the new tree, so its cost
 * follows the change; whether they really belong to the old tree it finds out itself.
 */
export function settle(root: Cell): void {
  const stack = [root];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    if (cell.settled) continue;
    cell.markSettled();
    stack.push(...cell.refs);
  }
}

/** The Merkle update from one tree to another: on both sides everything they share is pruned. */
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

/** The cells of a tree, without those below a cell where `stop` holds. */
function collect(root: Cell, stop: (cell: Cell) => boolean): CellSet {
  const collected = new CellSet();
  const stack = [root];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop())
    if (collected.add(cell) && !stop(cell)) for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i));
  return collected;
}

/** Prunes what the old tree has, and tells what that was. */
function pruneNew(root: Cell, oldCells: CellSet): { newSide: Cell; shared: CellSet } {
  const shared = new CellSet();
  const built = new Built();
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

/** Keeps only the ways to what is shared, and the top. */
function pruneOld(root: Cell, { shared, newCells, keepLevels }: OldSide): Cell {
  const built = new Built();
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
 * Applies a Merkle update to the tree it was made for and gives the new tree, which shares with the old one what the
 * update left out. Throws when the update does not fit or does not hold.
 */
export function applyMerkleUpdate(update: Cell, from: Cell): Cell {
  const [oldSide, newSide] = openMerkleUpdate(update);
  if (!bytesEqual(oldSide.hash(0), from.hash()))
    throw new CellError("proof", `an update of ${oldSide.hashHex(0)} is applied to ${from.hashHex()}`);
  return resolve(newSide, knownCells(oldSide, from));
}

/** Both sides of a Merkle update as they are stored; at level 0 they have the hashes of the whole trees. */
function openMerkleUpdate(update: Cell): [Cell, Cell] {
  if (update.type !== "merkleUpdate")
    throw new CellError("proof", `a Merkle update is a ${update.type} cell`);
  // Compares what the cell states with the two trees, where that has not happened yet.
  update.hash();
  return [update.ref(0), update.ref(1)];
}

/** Hash of what the old tree of an update has, and of what the new one has, without checking their content. */
export function updateHashes(update: Cell): { from: Uint8Array; to: Uint8Array } {
  const [oldSide, newSide] = openMerkleUpdate(update);
  return { from: viewOf(oldSide, 0).hash(), to: viewOf(newSide, 0).hash() };
}

/** The cells of the real old tree that the old side of an update shows, by hash. */
function knownCells(oldSide: Cell, from: Cell): Map<string, Cell> {
  const known = new Map<string, Cell>();
  const walked = new Built();
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

/** The new tree, with the old cells in the places that were left out. */
function resolve(newSide: Cell, known: ReadonlyMap<string, Cell>): Cell {
  const built = new Built();
  const build = (cell: Cell, merkleDepth: number): Cell => {
    if (cell.levelMask >> merkleDepth === 0) return cell;
    const again = built.get(cell, merkleDepth);
    if (again !== undefined) return again;
    if (isLeftOut(cell, merkleDepth)) {
      const old = known.get(cell.hashHex(merkleDepth));
      if (old !== undefined) return built.set(cell, merkleDepth, old);
      throw new CellError(
        "proof",
        `an update refers to ${cell.hashHex(merkleDepth)}, which it does not show`,
      );
    }
    const below = depthBelow(cell, merkleDepth);
    const refs = cell.mapRefs((ref) => build(ref, below));
    return built.set(cell, merkleDepth, Cell.of(cell, refs));
  };
  return build(newSide, 0);
}

/** Whether a cell was pruned for the Merkle cell the walk started in, and not for one further inside. */
function isLeftOut(cell: Cell, merkleDepth: number): boolean {
  return cell.type === "pruned" && cell.levelMask >> merkleDepth !== 0;
}
