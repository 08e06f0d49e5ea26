import { parseBocRoot } from "../../cells/boc/boc.js";
import {
  type LiteCall,
  LiteError,
  liteErrorCode,
  type ShardBlockLink,
  type ShardBlockProof,
} from "../../lite/lite-api.js";
import { Block } from "../../tlb/block.js";
import { type BlockIdExt, formatBlockId, prefixEnd, sameBlock } from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import { shardAt } from "../../tlb/shard-hashes.js";
import { isMasterchain } from "../make/load.js";
import { topBlock } from "../make/shard-hashes.js";
import { previousBlockIds } from "../make/shard-links.js";
import { check, checkSameBlock, ProofError } from "./proof-error.js";
import { blockTree } from "./proof-trees.js";
import type { Proving } from "./proven-chain.js";
import { masterchainPart } from "./shards.js";

/** Longest chain that servers send. */
const maxLinks = 8;

/**
 * Verifies links from a trusted masterchain block to the shard block it registers, and from there through previous
 * blocks to `to`.
 */
export function verifyShardLinks(from: BlockIdExt, to: BlockIdExt, links: readonly ShardBlockLink[]): void {
  check(links.length <= maxLinks, `too many links: ${links.length}`);
  let at = from;
  for (const { id, proof } of links) {
    const block = decode(Block, blockTree(at, parseBocRoot(proof)));
    check(
      nextBlocks(at, block, id).some((next) => sameBlock(next, id)),
      `${formatBlockId(at)} does not lead to ${formatBlockId(id)} with these hashes`,
    );
    at = id;
  }
  checkSameBlock(at, to);
}

function nextBlocks(at: BlockIdExt, block: Block, { workchain, shard }: BlockIdExt): BlockIdExt[] {
  if (!isMasterchain(at)) return previousBlockIds(at, block.info.value);
  const registered = shardAt(masterchainPart(block).shardHashes, workchain, shard - prefixEnd(shard));
  return registered ? [topBlock(registered)] : [];
}

export async function getShardBlockProof(
  { lite, trust }: Proving,
  request: { id: BlockIdExt },
  call: LiteCall,
): Promise<ShardBlockProof> {
  const answer = await lite.getShardBlockProof(request, call);
  verifyShardLinks(answer.masterchainId, request.id, answer.links);
  await trust.prove(lite, answer.masterchainId, call).catch((error) => {
    // A masterchain block needs no links: servers echo its id whether or not the block exists.
    throw isMasterchain(request.id) && error instanceof ProofError ? noSuchBlock(request.id) : error;
  });
  return answer;
}

function noSuchBlock(id: BlockIdExt): LiteError {
  return new LiteError(liteErrorCode.notReady, `block ${formatBlockId(id)} is not in db`);
}
