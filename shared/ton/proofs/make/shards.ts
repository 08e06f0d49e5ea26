import { beginCell } from "../../cells/builder.js";
import type { AllShardsInfo, ShardInfo, WithProof } from "../../lite/lite-api.js";
import { type BlockIdExt, invalidWorkchain } from "../../tlb/block-id.js";
import { assertMasterchain, failure, loadMasterchain, loadReferenceBlock } from "./load.js";
import { openBlock, openMcBlockExtra, openMcState } from "./open-block.js";
import { answerBoc, noBytes, readTree } from "./prove.js";
import type { ServedChain } from "./served-chain.js";
import { findShard, topBlock } from "./shard-hashes.js";
import { readState, unknownBlock } from "./state-proofs.js";

export async function getAllShardsInfo(
  chain: ServedChain,
  { id, proof: wantProof }: { id: BlockIdExt } & WithProof,
): Promise<AllShardsInfo> {
  assertMasterchain(id);
  const { root } = await loadReferenceBlock(chain, id);
  const { value, proof } = readTree(
    root,
    wantProof,
    (block) => openMcBlockExtra(openBlock(block)).shardHashes.root?.physical,
  );
  return { id, proof, data: answerBoc(beginCell().storeMaybeRef(value).endCell()) };
}

export async function getShardInfo(
  chain: ServedChain,
  request: { id: BlockIdExt; workchain: number; shard: bigint; exact: boolean } & WithProof,
): Promise<ShardInfo> {
  const { id, workchain, shard, exact } = request;
  if (shard === 0n || workchain === invalidWorkchain) throw failure("requested shard is invalid");
  const block = await loadMasterchain(chain, id);
  const { value, proof } = readState(block, request.proof, (state) =>
    findShard(openMcState(state).shardHashes, workchain, shard, exact),
  );
  return {
    id,
    shardblk: value ? topBlock(value) : unknownBlock(),
    shardProof: proof,
    shardDescr: value ? answerBoc(value.leaf.physical) : noBytes(),
  };
}
