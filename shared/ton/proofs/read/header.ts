import { updateHashes } from "../../cells/merkle/merkle-update.js";
import type { LiteApi, LiteCall } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import type { BlockInfo } from "../../tlb/block-info.js";
import { previousBlockIds } from "../make/shard-links.js";
import { shownBlock } from "./proofs.js";

/** A decoded block header. */
export type BlockHeader = {
  id: BlockIdExt;
  globalId: number;
  info: BlockInfo;
  /** One previous block, or two after a merge. */
  previous: BlockIdExt[];
  /** Hash of the state after the block. */
  stateHash: Uint8Array;
};

export async function readHeader(
  lite: Pick<LiteApi, "getBlockHeader">,
  id: BlockIdExt,
  call?: LiteCall,
): Promise<BlockHeader> {
  const { headerProof } = await lite.getBlockHeader({ id, stateUpdate: true }, call);
  const { globalId, info, stateUpdate } = shownBlock(headerProof);
  return {
    id,
    globalId,
    info: info.value,
    previous: previousBlockIds(id, info.value),
    stateHash: updateHashes(stateUpdate).to,
  };
}

/** The random seed of a block. */
export async function readRandSeed(
  lite: Pick<LiteApi, "getBlockHeader">,
  id: BlockIdExt,
  call?: LiteCall,
): Promise<Uint8Array> {
  const { headerProof } = await lite.getBlockHeader({ id, extra: true }, call);
  return shownBlock(headerProof).extra.value.randSeed;
}
