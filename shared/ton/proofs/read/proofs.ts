// Decoders of the Merkle proofs in liteserver answers. They do not verify a proof against a trusted block: that is up to
// the LiteApi (see verifyingLiteApi).
import { parseBoc, parseBocRoot } from "../../cells/boc/boc.js";
import { openMerkleProof } from "../../cells/merkle/proof.js";
import { Block } from "../../tlb/block.js";
import { decode } from "../../tlb/codec.js";
import { ShardStateUnsplit } from "../../tlb/shard-state.js";

/** The block in a header proof. */
export function shownBlock(proof: Uint8Array): Block {
  return decode(Block, openMerkleProof(parseBocRoot(proof)));
}

/** The state in a proof with one root. */
export function shownState(proof: Uint8Array): ShardStateUnsplit {
  return decode(ShardStateUnsplit, openMerkleProof(parseBocRoot(proof)));
}

/** The state in a proof with two roots: the header with the state hash, and the state. */
export function shownStateWithHeader(proof: Uint8Array): ShardStateUnsplit {
  const [, state] = parseBoc(proof);
  if (!state) throw new TypeError("the proof has no state");
  return decode(ShardStateUnsplit, openMerkleProof(state));
}
