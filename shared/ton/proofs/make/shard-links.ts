import type { ShardBlockLink, ShardBlockProof } from "../../lite/lite-api.js";
import {
  type BlockIdExt,
  formatBlockIdExt,
  masterchain,
  prefixEnd,
  sameBlock,
  shardIsAncestor,
  wholeShard,
} from "../../tlb/block-id.js";
import type { BlockInfo } from "../../tlb/block-info.js";
import { childShard, shardAt } from "../../tlb/shard-hashes.js";
import { assertBlockId, failure, findBlock, isMasterchain, loadBlock, notInDb } from "./load.js";
import { openBlock, openHeader, openMcBlockExtra } from "./open-block.js";
import { prove } from "./prove.js";
import type { ServedChain } from "./served-chain.js";
import { topBlock } from "./shard-hashes.js";

/** A shard can be at most this many blocks ahead of the masterchain. */
const maxLinks = 8;

export async function getShardBlockProof(
  chain: ServedChain,
  { id }: { id: BlockIdExt },
): Promise<ShardBlockProof> {
  assertBlockId(id, "invalid block id");
  if (isMasterchain(id)) return { masterchainId: id, links: [] };
  const masterchainId = await masterchainBlockOf(chain, id);
  return { masterchainId, links: await linksTo(chain, masterchainId, id) };
}

/** The masterchain block that registered a block. */
export async function masterchainBlockOf(chain: ServedChain, id: BlockIdExt): Promise<BlockIdExt> {
  if (id.seqno === 0 || !(await chain.block(id))) throw notInDb(chain, id);
  const seqno = await chain.masterchainRef(id);
  if (seqno === undefined) throw failure("block doesn't have masterchain ref");
  return findBlock(chain, masterchain, wholeShard, { seqno });
}

/** Links from a masterchain block to the shard block it registers, and through previous blocks to the wanted one. */
export async function linksTo(
  chain: ServedChain,
  from: BlockIdExt,
  wanted: BlockIdExt,
): Promise<ShardBlockLink[]> {
  const links: ShardBlockLink[] = [];
  for (let at = from; !sameBlock(at, wanted); ) {
    if (links.length === maxLinks) throw failure("proof chain is too long");
    const { root } = await loadBlock(chain, at);
    const current = at;
    const { value, boc } = prove(root, (block) => stepTowards(wanted, current, openBlock(block)));
    links.push({ id: value, proof: boc });
    at = value;
  }
  return links;
}

function stepTowards(wanted: BlockIdExt, at: BlockIdExt, block: ReturnType<typeof openBlock>): BlockIdExt {
  if (isMasterchain(at)) {
    // The shard of its leftmost account is the shard itself or its parent after a merge.
    const shard = shardAt(
      openMcBlockExtra(block).shardHashes,
      wanted.workchain,
      wanted.shard - prefixEnd(wanted.shard),
    );
    if (!shard) throw failure("shard not found");
    return topBlock(shard);
  }
  const previous = previousBlockIds(at, openHeader(block)).find(({ shard }) =>
    shardsIntersect(shard, wanted.shard),
  );
  if (!previous || previous.seqno < wanted.seqno)
    throw failure(`failed to find block chain to ${formatBlockIdExt(wanted)}`);
  return previous;
}

/** Ids of the previous blocks: one, or two after a merge (left child first). */
export function previousBlockIds({ workchain, shard }: BlockIdExt, info: BlockInfo): BlockIdExt[] {
  return info.prevRef.value.map(({ seqno, rootHash, fileHash }, index) => ({
    workchain,
    shard: previousShard(shard, info, index),
    seqno,
    rootHash,
    fileHash,
  }));
}

function previousShard(shard: bigint, { afterMerge, afterSplit }: BlockInfo, index: number): bigint {
  if (afterMerge) return childShard(shard, index === 1);
  const end = prefixEnd(shard);
  return afterSplit ? (shard - end) | (2n * end) : shard;
}

/** Whether one of the shards contains the other. */
export function shardsIntersect(a: bigint, b: bigint): boolean {
  return shardIsAncestor(a, b) || shardIsAncestor(b, a);
}
