import { bytesEqual } from "../../shared/values/bytes.js";
import { beginCell } from "./builder.js";
import type { Cell } from "./cell.js";
import { CellError } from "./cell-error.js";
import { viewOf } from "./cell-view.js";
import { depthBelow, hashKey, prune, withRefs } from "./pruned.js";

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
  const oldCells = collect(from, (_cell, key) => newCells.has(key));
  const shared = new Set<string>();
  const newSide = pruneNew(to, oldCells, shared);
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

/** Hashes of the cells of a tree, without those below a cell where `stop` holds. */
function collect(root: Cell, stop: (cell: Cell, key: string) => boolean): Set<string> {
  const keys = new Set<string>();
  const stack = [root];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    const key = hashKey(cell);
    if (keys.has(key)) continue;
    keys.add(key);
    if (!stop(cell, key)) stack.push(...cell.refs);
  }
  return keys;
}

/** Prunes what the old tree has, and notes it in `shared`. */
function pruneNew(root: Cell, oldCells: ReadonlySet<string>, shared: Set<string>): Cell {
  const made = new Map<string, Cell>();
  const build = (cell: Cell, merkleDepth: number): Cell => {
    const key = hashKey(cell);
    const known = made.get(merkleDepth + key);
    if (known !== undefined) return known;
    let built: Cell;
    if (cell.refCount > 0 && oldCells.has(key)) {
      shared.add(key);
      built = prune(cell, merkleDepth);
    } else {
      const below = depthBelow(cell, merkleDepth);
      built = withRefs(
        cell,
        cell.refs.map((ref) => build(ref, below)),
      );
    }
    made.set(merkleDepth + key, built);
    return built;
  };
  return build(root, 0);
}

type OldSide = { shared: ReadonlySet<string>; newCells: ReadonlySet<string>; keepLevels: number };

/** Keeps only the ways to what is shared, and the top. */
function pruneOld(root: Cell, { shared, newCells, keepLevels }: OldSide): Cell {
  const made = new Map<string, Cell>();
  const build = (cell: Cell, merkleDepth: number, level: number): Cell => {
    const key = hashKey(cell);
    const keep = level < keepLevels;
    if (!keep && newCells.has(key)) return prune(cell, merkleDepth);
    const known = keep ? undefined : made.get(merkleDepth + key);
    if (known !== undefined) return known;
    const below = depthBelow(cell, merkleDepth);
    const refs = cell.refs.map((ref) => build(ref, below, level + 1));
    const leadsOn = cell.refs.some((ref, i) => shared.has(hashKey(ref)) || ways.has(refs[i]!));
    const built = keep || leadsOn ? withRefs(cell, refs) : prune(cell, merkleDepth);
    if (leadsOn) ways.add(built);
    if (!keep) made.set(merkleDepth + key, built);
    return built;
  };
  const ways = new Set<Cell>();
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
  const walked = new Set<string>();
  const walk = (shown: Cell, real: Cell, merkleDepth: number): void => {
    known.set(hashKey(shown, merkleDepth), real);
    const key = merkleDepth + hashKey(shown);
    if (walked.has(key)) return;
    walked.add(key);
    if (isLeftOut(shown, merkleDepth)) return;
    const below = depthBelow(shown, merkleDepth);
    for (let i = 0; i < shown.refCount; i++) walk(shown.ref(i), real.ref(i), below);
  };
  walk(oldSide, from, 0);
  return known;
}

/** The new tree, with the old cells in the places that were left out. */
function resolve(newSide: Cell, known: ReadonlyMap<string, Cell>): Cell {
  const made = new Map<string, Cell>();
  const build = (cell: Cell, merkleDepth: number): Cell => {
    if (cell.levelMask >> merkleDepth === 0) return cell;
    const key = merkleDepth + hashKey(cell);
    const again = made.get(key);
    if (again !== undefined) return again;
    let built: Cell;
    if (isLeftOut(cell, merkleDepth)) {
      const old = known.get(hashKey(cell, merkleDepth));
      if (old === undefined)
        throw new CellError(
          "proof",
          `an update refers to ${cell.hashHex(merkleDepth)}, which it does not show`,
        );
      built = old;
    } else {
      const below = depthBelow(cell, merkleDepth);
      built = withRefs(
        cell,
        cell.refs.map((ref) => build(ref, below)),
      );
    }
    made.set(key, built);
    return built;
  };
  return build(newSide, 0);
}

/** Whether a cell was pruned for the Merkle cell the walk started in, and not for one further inside. */
function isLeftOut(cell: Cell, merkleDepth: number): boolean {
  return cell.type === "pruned" && cell.levelMask >> merkleDepth !== 0;
}
