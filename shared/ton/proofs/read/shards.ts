import { parseBocRoot } from "../../cells/boc/boc.js";
import type { LiteApi, LiteCall } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import { registeredShards, ShardHashes } from "../../tlb/shard-hashes.js";
import { topBlock } from "../make/shard-hashes.js";

/** The newest block of every shard that a masterchain block registers, without the masterchain. */
export async function readShards(
  lite: Pick<LiteApi, "getAllShardsInfo">,
  block: BlockIdExt,
  call?: LiteCall,
): Promise<BlockIdExt[]> {
  const { data } = await lite.getAllShardsInfo({ id: block }, call);
  return Array.from(registeredShards(decode(ShardHashes, parseBocRoot(data))), topBlock);
}
