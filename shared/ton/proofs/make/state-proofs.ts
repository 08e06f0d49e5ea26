// Proofs of a state have two trees: the block with the hash of its state, and the state.
import type { Cell } from "../../cells/cell.js";
import { type BlockIdExt, invalidWorkchain } from "../../tlb/block-id.js";
import type { BlockWithState } from "./load.js";
import { openBlock, openHeader } from "./open-block.js";
import { answerBoc, noBytes, type Proven, prove } from "./prove.js";

/** Proves the state hash of a block: the header, and the state update without the trees below it. */
export function proveStateHash(blockRoot: Cell): Proven<void> {
  return prove(blockRoot, (root) => {
    const block = openBlock(root);
    openHeader(block);
    block.stateUpdate.parseExotic();
  });
}

/** The result of `read` on a block's state, with a proof if wanted. */
export function readState<T>(
  { root, state }: BlockWithState,
  wantProof: boolean | undefined,
  read: (state: Cell) => T,
): { value: T; proof: Uint8Array } {
  if (!wantProof) return { value: read(state), proof: noBytes() };
  const proven = prove(state, read);
  return { value: proven.value, proof: answerBoc([proveStateHash(root).proof, proven.proof]) };
}

/** Placeholder for the block of a workchain or shard that does not exist. */
export function unknownBlock(): BlockIdExt {
  const zeros = new Uint8Array(32);
  return { workchain: invalidWorkchain, shard: 0n, seqno: 0, rootHash: zeros, fileHash: zeros };
}
