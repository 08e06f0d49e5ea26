import { beginCell } from "../builder.js";
import type { Cell } from "../cell.js";
import { CellError } from "../cell-error.js";
import { viewOf } from "../cell-view.js";
import { maxLevel } from "../level.js";
import { BuildMemo, depthBelow, prune, withRefs } from "./pruned.js";

const merkleProofTag = 3;

/**
 * Calls `read` with a recording view of the tree and returns its result together with a Merkle proof of the cells it
 * opened. Any loader or dictionary works on the view. Reading a hash does not count as opening.
 */
export function recordProof<T>(root: Cell, read: (root: Cell) => T): { value: T; proof: Cell } {
  const opened = new Set<Cell>();
  const value = read(viewOf(root, maxLevel, (cell) => opened.add(cell)));
  return { value, proof: createMerkleProof(root, (cell) => opened.has(cell)) };
}

/** Opens a whole subtree inside `recordProof`, so that the proof contains all of it. */
export function openAll(cell: Cell, opened = new Set<Cell>()): void {
  if (opened.has(cell.physical)) return;
  opened.add(cell.physical);
  cell.parseExotic();
  for (const ref of cell.refs) openAll(ref, opened);
}

/** Creates a Merkle proof of the cells for which `keep` returns true. `keep` is not called below a pruned cell. */
export function createMerkleProof(root: Cell, keep: (cell: Cell) => boolean): Cell {
  return merkleProofOf(new ProvedTree(keep).build(root, 0));
}

class ProvedTree {
  readonly #keep: (cell: Cell) => boolean;
  readonly #built = new BuildMemo();

  constructor(keep: (cell: Cell) => boolean) {
    this.#keep = keep;
  }

  build(cell: Cell, merkleDepth: number): Cell {
    if (!this.#keep(cell)) return prune(cell, merkleDepth);
    const known = this.#built.get(cell, merkleDepth);
    if (known !== undefined) return known;
    const below = depthBelow(cell, merkleDepth);
    const refs: Cell[] = [];
    for (let i = 0; i < cell.refCount; i++) refs.push(this.build(cell.ref(i), below));
    return this.#built.set(cell, merkleDepth, withRefs(cell, refs, merkleDepth));
  }
}

/** `merkle_proof#03 virtual_hash:bits256 depth:uint16 virtual_root:^Cell` */
function merkleProofOf(root: Cell): Cell {
  return beginCell()
    .storeUint(merkleProofTag, 8)
    .storeBytes(root.hash(0))
    .storeUint(root.depth(0), 16)
    .storeRef(root)
    .endExotic();
}

/**
 * Returns the virtual root of a Merkle proof, which has the hashes of the full tree. The caller must compare its hash
 * with the expected one. Opening a pruned part throws `CellError` with code `pruned`.
 */
export function openMerkleProof(proof: Cell): Cell {
  if (proof.type !== "merkleProof")
    throw new CellError("proof", `expected a Merkle proof, got a cell of type ${proof.type}`);
  proof.verifyStated();
  return viewOf(proof.ref(0), 0);
}
