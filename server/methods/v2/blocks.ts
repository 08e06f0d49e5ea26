import type { blockMethods } from "../../../shared/methods/v2/blocks.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { ChainReader } from "../../chain/read/reader.js";
import { ServiceError } from "../../errors.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { explainingLiteErrors, withErrorContext } from "./lite-errors.js";
import { blockNamed } from "./named-block.js";
import { presentHeader, presentLinkBack, presentShardLink, presentSignatures } from "./present/block.js";
import { presentBlockId } from "./present/records.js";

export type BlockDeps = {
  reader: Pick<
    ChainReader,
    | "last"
    | "lastSeenAt"
    | "zeroState"
    | "blockAt"
    | "lookup"
    | "header"
    | "shards"
    | "signatures"
    | "shardProof"
    | "linkBack"
    | "outMsgQueueSizes"
  >;
};

export const blockHandlers = explainingLiteErrors<typeof blockMethods, BlockDeps>({
  async getMasterchainInfo(_params, { reader }, call) {
    const { last } = reader;
    // A zero state is no block: its id names the state itself.
    const stateHash = last.seqno === 0 ? last.rootHash : (await reader.header(last, call)).stateHash;
    return {
      "@type": "blocks.masterchainInfo",
      last: presentBlockId(last),
      state_root_hash: bytesToBase64(stateHash),
      // Liteservers name the zero state without a shard, and TON Center passes on what that comes to.
      init: { ...presentBlockId(reader.zeroState), shard: "0" },
    };
  },

  getConsensusBlock(_params, { reader }) {
    return {
      "@type": "ext.blocks.consensusBlock",
      consensus_block: reader.last.seqno,
      timestamp: Math.floor(reader.lastSeenAt / 1000),
    };
  },

  async lookupBlock({ workchain, shard, seqno, lt, unixtime }, { reader }, call) {
    const place = { workchain, shard: BigInt.asUintN(64, shard) };
    const by = seqno !== undefined ? { seqno } : lt !== undefined ? { lt } : { utime: unixtime! };
    return presentBlockId(await reader.lookup({ ...place, ...by }, call));
  },

  async getShards({ seqno }, { reader }, call) {
    const shards = await reader.shards(await reader.blockAt(seqno, call), call);
    return { "@type": "blocks.shards", shards: shards.map(presentBlockId) };
  },

  async getBlockHeader(params, { reader }, call) {
    return presentHeader(await reader.header(await blockNamed(params, reader, call), call));
  },

  async getMasterchainBlockSignatures({ seqno }, { reader }, call) {
    const block = await reader.blockAt(seqno, call);
    return presentSignatures(block, await reader.signatures(block, call));
  },

  async getShardBlockProof({ from_seqno, ...params }, { reader }, call) {
    const from = await withErrorContext("lookup from block error: ", reader.blockAt(from_seqno, call));
    const id = await blockNamed(params, reader, call);
    const { masterchainBlock, links } = await reader.shardProof(id, call);
    if (masterchainBlock.seqno > from.seqno) throw tooOld(from);
    const back =
      masterchainBlock.seqno === from.seqno
        ? []
        : [await reader.linkBack({ from, to: masterchainBlock }, call)];
    return {
      "@type": "blocks.shardBlockProof",
      from: presentBlockId(from),
      mc_id: presentBlockId(masterchainBlock),
      links: links.map(presentShardLink),
      mc_proof: back.map(presentLinkBack),
    };
  },

  async getOutMsgQueueSize(_params, { reader }, call) {
    const { shards, extMsgQueueSizeLimit } = await reader.outMsgQueueSizes(call);
    return {
      "@type": "blocks.outMsgQueueSizes",
      shards: shards.map(({ id, size }) => ({
        "@type": "blocks.outMsgQueueSize",
        id: presentBlockId(id),
        size,
      })),
      ext_msg_queue_size_limit: extMsgQueueSizeLimit,
    };
  },
});

function tooOld({ seqno }: BlockIdExt): ServiceError {
  return new ServiceError("liteserver-error", "from mc block is too old", { cause: `from_seqno ${seqno}` });
}
