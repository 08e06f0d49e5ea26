import type { BlockLinkBack, LiteApi, LiteCall, ShardBlockLink, SignatureSet } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";

/** Reads the validator signatures of a masterchain block; `previous` is the block before it or the zero state. */
export async function readSignatures(
  lite: LiteApi,
  { previous, block }: { previous: BlockIdExt; block: BlockIdExt },
  call?: LiteCall,
): Promise<SignatureSet> {
  const { steps } = await lite.getBlockProof(
    { knownBlock: previous, targetBlock: block, baseOnGiven: true },
    call,
  );
  const last = steps.at(-1);
  if (last?.type !== "forward") throw new TypeError("the proof of a block does not end in its signatures");
  return last.signatures;
}

/** Links that prove a shard block from a masterchain block. */
export type ShardProof = {
  /** The masterchain block that registered it. */
  masterchainBlock: BlockIdExt;
  /** Links from there to the block. */
  links: ShardBlockLink[];
};

export async function readShardProof(lite: LiteApi, id: BlockIdExt, call?: LiteCall): Promise<ShardProof> {
  const { masterchainId, links } = await lite.getShardBlockProof({ id }, call);
  return { masterchainBlock: masterchainId, links };
}

/** Reads the link from a masterchain block back to an earlier one. */
export async function readLinkBack(
  lite: LiteApi,
  { from, to }: { from: BlockIdExt; to: BlockIdExt },
  call?: LiteCall,
): Promise<BlockLinkBack> {
  const { steps } = await lite.getBlockProof({ knownBlock: from, targetBlock: to, baseOnGiven: true }, call);
  const [link] = steps;
  if (link?.type !== "back" || steps.length !== 1)
    throw new TypeError("the proof of an earlier block is not one link back");
  return link;
}
