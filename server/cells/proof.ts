import { beginCell } from "./builder.js";
import type { Cell } from "./cell.js";
import { CellError } from "./cell-error.js";
import { viewOf } from "./cell-view.js";
import { maxLevel } from "./level.js";
import { Built, depthBelow, prune, withRefs } from "./pruned.js";

const merkleProofTag = 3;

/**
 * Lets `read` go through a tree and gives, besides what it found, the Merkle proof of exactly what it opened. Any
 * loader or dictionary works on the tree it gets; asking for a hash does not count as opening.
 */
export function recordProof<T>(root: Cell, read: (root: Cell) => T): { value: T; proof: Cell } {
  const opened = new Set<Cell>();
  const value = read(viewOf(root, maxLevel, (cell) => opened.add(cell)));
  return { value, proof: createMerkleProof(root, (cell) => opened.has(cell)) };
}

/** Opens a whole subtree inside `recordProof`, so that the proof has all of it. */
export function openAll(cell: Cell): void {
  const seen = new Set<Cell>();
  const open = (part: Cell): void => {
    if (seen.has(part.physical)) return;
    seen.add(part.physical);
    part.parseExotic();
    for (const ref of part.refs) open(ref);
  };
  open(cell);
}

/** The Merkle proof that keeps the cells for which `keep` holds. Nothing below a cell that is left out is asked for. */
export function createMerkleProof(root: Cell, keep: (cell: Cell) => boolean): Cell {
  const built = new Built();
  const build = (cell: Cell, merkleDepth: number): Cell => {
    if (!keep(cell)) return prune(cell, merkleDepth);
    const known = built.get(cell, merkleDepth);
    if (known !== undefined) return known;
    const below = depthBelow(cell, merkleDepth);
    const refs = cell.mapRefs((ref) => build(ref, below));
    return built.set(cell, merkleDepth, withRefs(cell, refs, merkleDepth));
  };
  return merkleProofOf(build(root, 0));
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
 * The tree a Merkle proof is about, with the hashes of the whole tree: compare the root's hash with the expected one.
 * Opening a part that was left out throws `pruned`.
 */
export function openMerkleProof(proof: Cell): Cell {
  if (proof.type !== "merkleProof") throw new CellError("proof", `a Merkle proof is a ${proof.type} cell`);
  // Compares what the cell states with the tree, where that has not happened yet.
  proof.hash();
  return viewOf(proof.ref(0), 0);
}
