import { bytesEqual } from "../../../values/bytes.js";
import { beginCell } from "../builder.js";
import { Cell } from "../cell.js";
import { CellError } from "../cell-error.js";
import { CellSet } from "../cell-set.js";
import { viewOf } from "../cell-view.js";
import { BuildMemo, depthBelow, prune, withRefs } from "./pruned.js";

const merkleUpdateTag = 4;

type UpdateOptions = {
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
  const newCells = collect(to, undefined);
  const oldCells = collect(from, newCells);
  const pruning = new NewSide(oldCells);
  const newSide = pruning.build(to, 0);
  const oldSide = new OldSide(pruning.shared, newCells, options.keepOldLevels ?? 0).build(from, 0, 0);
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

/** Collects the cells of a tree; does not descend below those of `known`, or without it below settled ones. */
function collect(root: Cell, known: CellSet | undefined): CellSet {
  const collected = new CellSet();
  const stack = [root];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    if (!collected.add(cell) || (known ? known.has(cell) : cell.settled)) continue;
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i));
  }
  return collected;
}

/** Prunes the subtrees that the old tree contains, and collects their roots. */
class NewSide {
  readonly shared = new CellSet();
  readonly #oldCells: CellSet;
  readonly #built = new BuildMemo();

  constructor(oldCells: CellSet) {
    this.#oldCells = oldCells;
  }

  build(cell: Cell, merkleDepth: number): Cell {
    const known = this.#built.get(cell, merkleDepth);
    if (known !== undefined) return known;
    if (cell.refCount > 0 && this.#oldCells.has(cell)) {
      this.shared.add(cell);
      return this.#built.set(cell, merkleDepth, prune(cell, merkleDepth));
    }
    const below = depthBelow(cell, merkleDepth);
    const refs: Cell[] = [];
    for (let i = 0; i < cell.refCount; i++) refs.push(this.build(cell.ref(i), below));
    return this.#built.set(cell, merkleDepth, withRefs(cell, refs, merkleDepth));
  }
}

/** Prunes everything but the paths to shared cells and the top levels. */
class OldSide {
  readonly #shared: CellSet;
  readonly #newCells: CellSet;
  readonly #keepLevels: number;
  readonly #built = new BuildMemo();
  /** Results for cells above shared ones. */
  readonly #ways = new Set<Cell>();

  constructor(shared: CellSet, newCells: CellSet, keepLevels: number) {
    this.#shared = shared;
    this.#newCells = newCells;
    this.#keepLevels = keepLevels;
  }

  build(cell: Cell, merkleDepth: number, level: number): Cell {
    const keep = level < this.#keepLevels;
    const known = keep ? undefined : this.#built.get(cell, merkleDepth);
    if (known !== undefined) return known;
    if (!keep && this.#newCells.has(cell)) return prune(cell, merkleDepth);
    const below = depthBelow(cell, merkleDepth);
    const refs: Cell[] = [];
    for (let i = 0; i < cell.refCount; i++) refs.push(this.build(cell.ref(i), below, level + 1));
    const leadsOn = this.#leadsOn(cell, refs);
    const result = keep || leadsOn ? withRefs(cell, refs, merkleDepth) : prune(cell, merkleDepth);
    if (leadsOn) this.#ways.add(result);
    return keep ? result : this.#built.set(cell, merkleDepth, result);
  }

  /** Whether a reference is shared or above a shared cell. */
  #leadsOn(cell: Cell, built: readonly Cell[]): boolean {
    for (let i = 0; i < built.length; i++)
      if (this.#ways.has(built[i]!) || this.#shared.has(cell.ref(i))) return true;
    return false;
  }
}

/**
 * Applies a Merkle update and returns the new tree, which shares the pruned subtrees with the old one. Throws
 * `CellError` with code `proof` if the update is not for this tree or is invalid.
 */
export function applyMerkleUpdate(update: Cell, from: Cell): Cell {
  const [oldSide, newSide] = openMerkleUpdate(update);
  if (!bytesEqual(oldSide.hash(0), from.hash()))
    throw new CellError("proof", `an update of ${oldSide.hashHex(0)} is applied to ${from.hashHex()}`);
  const known = new KnownCells();
  known.walk(oldSide, from, 0);
  return new Resolver(known.byHash).build(newSide, 0);
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
class KnownCells {
  readonly byHash = new Map<string, Cell>();
  readonly #walked = new BuildMemo();

  walk(shown: Cell, real: Cell, merkleDepth: number): void {
    this.byHash.set(shown.hashHex(merkleDepth), real);
    if (this.#walked.get(shown, merkleDepth) !== undefined) return;
    this.#walked.set(shown, merkleDepth, real);
    if (isLeftOut(shown, merkleDepth)) return;
    const below = depthBelow(shown, merkleDepth);
    for (let i = 0; i < shown.refCount; i++) this.walk(shown.ref(i), real.ref(i), below);
  }
}

/** Builds the new tree: pruned cells are replaced by those of the old tree. */
class Resolver {
  readonly #known: ReadonlyMap<string, Cell>;
  readonly #built = new BuildMemo();

  constructor(known: ReadonlyMap<string, Cell>) {
    this.#known = known;
  }

  build(cell: Cell, merkleDepth: number): Cell {
    if (cell.levelMask >> merkleDepth === 0) return cell;
    const again = this.#built.get(cell, merkleDepth);
    if (again !== undefined) return again;
    if (isLeftOut(cell, merkleDepth)) {
      const old = this.#known.get(cell.hashHex(merkleDepth));
      if (old !== undefined) return this.#built.set(cell, merkleDepth, old);
      throw new CellError(
        "proof",
        `the old side of an update does not contain the cell ${cell.hashHex(merkleDepth)}`,
      );
    }
    const below = depthBelow(cell, merkleDepth);
    const refs: Cell[] = [];
    for (let i = 0; i < cell.refCount; i++) refs.push(this.build(cell.ref(i), below));
    return this.#built.set(cell, merkleDepth, Cell.of(cell, refs));
  }
}

/** Whether a cell is pruned for the Merkle cell where the walk started, not for a nested one. */
function isLeftOut(cell: Cell, merkleDepth: number): boolean {
  return cell.type === "pruned" && cell.levelMask >> merkleDepth !== 0;
}
