import { serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../../shared/ton/cells/cell.js";
import { createMerkleUpdate } from "../../../../../shared/ton/cells/merkle/merkle-update.js";
import { createMerkleProof } from "../../../../../shared/ton/cells/merkle/proof.js";
import { Block } from "../../../../../shared/ton/tlb/block.js";
import type { BlockIdExt } from "../../../../../shared/ton/tlb/block-id.js";
import { BlockInfo } from "../../../../../shared/ton/tlb/block-info.js";
import { CellOf } from "../../../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../../../shared/ton/tlb/codec.js";

/** A block that no chain has, and the state after it. */
export type ForgedBlock = { id: BlockIdExt; root: Cell; state: Cell };

/** A proof from which nothing is left out. */
export function wholeProof(root: Cell): Cell {
  return createMerkleProof(root, () => true);
}

/** Proofs in one file. */
export function proofsOf(...roots: Cell[]): Uint8Array {
  return serializeBoc(roots.map(wholeProof));
}

/** The block with another header, under the id that it would have. */
export function withHeader(
  { id, root, state }: ForgedBlock,
  change: (info: BlockInfo) => Partial<BlockInfo>,
): ForgedBlock {
  const block = decode(Block, root);
  const info = block.info.value;
  return renamed(
    id,
    encode(Block, { ...block, info: CellOf.of(BlockInfo, { ...info, ...change(info) }) }),
    state,
  );
}

/** The block with another state after it. */
export function withState({ id, root, state }: ForgedBlock, changed: Cell): ForgedBlock {
  const stateUpdate = createMerkleUpdate(state, changed);
  return renamed(id, encode(Block, { ...decode(Block, root), stateUpdate }), changed);
}

function renamed(id: BlockIdExt, root: Cell, state: Cell): ForgedBlock {
  return { id: { ...id, rootHash: root.hash() }, root, state };
}
