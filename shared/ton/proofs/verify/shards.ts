import { bytesEqual } from "../../../values/bytes.js";
import { parseBoc, parseBocRoot } from "../../cells/boc/boc.js";
import type { Cell } from "../../cells/cell.js";
import type { AllShardsInfo, LiteCall, ShardInfo, WithProof } from "../../lite/lite-api.js";
import { Block } from "../../tlb/block.js";
import { type BlockIdExt, invalidWorkchain } from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import type { ShardHashes } from "../../tlb/shard-hashes.js";
import { noBytes } from "../make/prove.js";
import { findShard, topBlock } from "../make/shard-hashes.js";
import { unknownBlock } from "../make/state-proofs.js";
import { check, checkHash, checkSameBlock } from "./proof-error.js";
import { blockTree, masterchainExtra, stateTree, stateTreeBoc } from "./proof-trees.js";
import type { Proving } from "./proven-chain.js";

/** Verifies the list of shards. Newer servers prove it by the block, older ones by the state after it. */
export function verifyAllShards({ id }: { id: BlockIdExt }, answer: AllShardsInfo): void {
  checkSameBlock(answer.id, id);
  const proven = shardsOf(id, parseBoc(answer.proof)).root;
  const slice = parseBocRoot(answer.data).parse();
  const given = slice.loadMaybeRef();
  slice.end();
  const isSame = given && proven ? bytesEqual(given.hash(), proven.hash()) : given === proven;
  check(isSame, "the list of shards differs from the proof");
}

function shardsOf(id: BlockIdExt, [first, second, ...more]: Cell[]): ShardHashes {
  check(first !== undefined && more.length === 0, "the proof of shards must have one or two roots");
  if (second) return masterchainExtra(stateTree(id, first, second)).shardHashes;
  return masterchainPart(decode(Block, blockTree(id, first))).shardHashes;
}

/** The extra part of masterchain blocks. */
export function masterchainPart(block: Block) {
  const { custom } = block.extra.value;
  check(custom !== undefined, "the block is not one of the masterchain");
  return custom.value;
}

type ShardQuery = { id: BlockIdExt; workchain: number; shard: bigint; exact: boolean };

/** Verifies the description of a shard or its absence; returns whether the shard exists. */
export function verifyShardInfo({ id, workchain, shard, exact }: ShardQuery, answer: ShardInfo): boolean {
  checkSameBlock(answer.id, id);
  const { shardHashes } = masterchainExtra(stateTreeBoc(id, answer.shardProof));
  const found = findShard(shardHashes, workchain, shard, exact);
  if (found) {
    checkSameBlock(answer.shardblk, topBlock(found));
    checkHash(parseBocRoot(answer.shardDescr).hash(), found.leaf.hash(), "wrong description of the shard");
  } else {
    const { shardblk, shardDescr } = answer;
    const isNothing = shardblk.workchain === invalidWorkchain && shardDescr.length === 0;
    check(isNothing, "the answer describes a shard that does not exist");
  }
  return found !== undefined;
}

export async function getAllShardsInfo(
  { lite }: Proving,
  request: { id: BlockIdExt } & WithProof,
  call: LiteCall,
): Promise<AllShardsInfo> {
  const answer = await lite.getAllShardsInfo({ ...request, proof: true }, call);
  verifyAllShards(request, answer);
  return request.proof ? answer : { ...answer, proof: noBytes() };
}

export async function getShardInfo(
  { lite }: Proving,
  request: ShardQuery & WithProof,
  call: LiteCall,
): Promise<ShardInfo> {
  const answer = await lite.getShardInfo({ ...request, proof: true }, call);
  const isThere = verifyShardInfo(request, answer);
  return {
    ...answer,
    shardblk: isThere ? answer.shardblk : unknownBlock(),
    shardProof: request.proof ? answer.shardProof : noBytes(),
  };
}
