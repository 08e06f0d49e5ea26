import type { ResultOf } from "../../methods/define.js";
import type { blockMethods } from "../../methods/v2/blocks.js";
import { bytesToBase64 } from "../../values/bytes.js";
import type { BlockLinkBack, OutMsgQueueSizes, ShardBlockLink, SignatureSet } from "../lite/lite-api.js";
import type { BlockHeader } from "../proofs/read/header.js";
import type { BlockIdExt } from "../tlb/block-id.js";
import { presentBlockId } from "./records.js";

type Result<Name extends keyof typeof blockMethods> = ResultOf<(typeof blockMethods)[Name]>;
type ShardProof = Result<"getShardBlockProof">;

export function presentMasterchainInfo({
  last,
  stateHash,
  zeroState,
}: {
  last: BlockIdExt;
  stateHash: Uint8Array;
  zeroState: BlockIdExt;
}): Result<"getMasterchainInfo"> {
  return {
    "@type": "blocks.masterchainInfo",
    last: presentBlockId(last),
    state_root_hash: bytesToBase64(stateHash),
    // Liteservers give the zero state without a shard; TON Center answers 0 for it.
    init: { ...presentBlockId(zeroState), shard: "0" },
  };
}

export function presentConsensusBlock({ seqno }: BlockIdExt, seenAtMs: number): Result<"getConsensusBlock"> {
  return {
    "@type": "ext.blocks.consensusBlock",
    consensus_block: seqno,
    timestamp: Math.floor(seenAtMs / 1000),
  };
}

export function presentShards(shards: readonly BlockIdExt[]): Result<"getShards"> {
  return { "@type": "blocks.shards", shards: shards.map(presentBlockId) };
}

export function presentHeader({ id, globalId, info, previous }: BlockHeader): Result<"getBlockHeader"> {
  // Numbers of 32 bits are signed on the wire.
  return {
    "@type": "blocks.header",
    id: presentBlockId(id),
    global_id: globalId,
    version: info.version,
    flags: info.flags,
    after_merge: info.afterMerge,
    after_split: info.afterSplit,
    before_split: info.beforeSplit,
    want_merge: info.wantMerge,
    want_split: info.wantSplit,
    validator_list_hash_short: info.genValidatorListHashShort | 0,
    catchain_seqno: info.genCatchainSeqno | 0,
    min_ref_mc_seqno: info.minRefMcSeqno | 0,
    is_key_block: info.keyBlock,
    prev_key_block_seqno: info.notMaster ? 0 : info.prevKeyBlockSeqno,
    start_lt: info.startLt.toString(),
    end_lt: info.endLt.toString(),
    gen_utime: info.genUtime,
    vert_seqno: info.vertSeqno,
    prev_blocks: previous.map(presentBlockId),
  };
}

export function presentSignatures(
  id: BlockIdExt,
  signed: SignatureSet,
): Result<"getMasterchainBlockSignatures"> {
  const common = {
    id: presentBlockId(id),
    signatures: signed.signatures.map(({ nodeIdShort, signature }) => ({
      "@type": "blocks.signature" as const,
      node_id_short: bytesToBase64(nodeIdShort),
      signature: bytesToBase64(signature),
    })),
  };
  if (signed.type === "ordinary") return { "@type": "blocks.blockSignatures", ...common };
  return {
    "@type": "blocks.blockSignatures.simplex",
    ...common,
    session_id: bytesToBase64(signed.sessionId),
    slot: signed.slot,
    candidate: bytesToBase64(signed.candidate),
  };
}

export function presentShardProof({
  from,
  masterchainBlock,
  links,
  linksBack,
}: {
  from: BlockIdExt;
  masterchainBlock: BlockIdExt;
  links: readonly ShardBlockLink[];
  linksBack: readonly BlockLinkBack[];
}): ShardProof {
  return {
    "@type": "blocks.shardBlockProof",
    from: presentBlockId(from),
    mc_id: presentBlockId(masterchainBlock),
    links: links.map(presentShardLink),
    mc_proof: linksBack.map(presentLinkBack),
  };
}

function presentShardLink({ id, proof }: ShardBlockLink): ShardProof["links"][number] {
  return { "@type": "blocks.shardBlockLink", id: presentBlockId(id), proof: bytesToBase64(proof) };
}

function presentLinkBack(link: BlockLinkBack): ShardProof["mc_proof"][number] {
  return {
    "@type": "blocks.blockLinkBack",
    to_key_block: link.toKeyBlock,
    from: presentBlockId(link.from),
    to: presentBlockId(link.to),
    dest_proof: bytesToBase64(link.destProof),
    proof: bytesToBase64(link.proof),
    state_proof: bytesToBase64(link.stateProof),
  };
}

export function presentQueueSizes({
  shards,
  extMsgQueueSizeLimit,
}: OutMsgQueueSizes): Result<"getOutMsgQueueSize"> {
  return {
    "@type": "blocks.outMsgQueueSizes",
    shards: shards.map(({ id, size }) => ({
      "@type": "blocks.outMsgQueueSize",
      id: presentBlockId(id),
      size,
    })),
    ext_msg_queue_size_limit: extMsgQueueSizeLimit,
  };
}
