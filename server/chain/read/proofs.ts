// Answers of liteservers are proofs: trees with what was asked for left in. These functions open them. Whether a
// proof holds against a trusted block is the business of the LiteApi that got it.
import { parseBoc, parseBocRoot } from "../../cells/boc.js";
import { openMerkleProof } from "../../cells/proof.js";
import { Block } from "../../tlb/block.js";
import { decode } from "../../tlb/codec.js";
import { ShardStateUnsplit } from "../../tlb/shard-state.js";

/** The block of a header proof. */
export function shownBlock(proof: Uint8Array): Block {
  return decode(Block, openMerkleProof(parseBocRoot(proof)));
}

/** The state of a proof with one root. */
export function shownState(proof: Uint8Array): ShardStateUnsplit {
  return decode(ShardStateUnsplit, openMerkleProof(parseBocRoot(proof)));
}

/** The state of a proof with two roots, the header that names the state and the state itself. */
export function shownStateWithHeader(proof: Uint8Array): ShardStateUnsplit {
  const [, state] = parseBoc(proof);
  if (!state) throw new TypeError("the proof has no state beside the header");
  return decode(ShardStateUnsplit, openMerkleProof(state));
}
