import type { Handlers } from "../../../shared/methods/define.js";
import type { blockMethods } from "../../../shared/methods/v2/blocks.js";
import {
  presentConsensusBlock,
  presentHeader,
  presentMasterchainInfo,
  presentQueueSizes,
  presentShardProof,
  presentShards,
  presentSignatures,
} from "../../../shared/ton/present/block.js";
import { presentBlockId } from "../../../shared/ton/present/records.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { ServiceError } from "../../errors.js";
import { withErrorContext } from "./lite-errors.js";
import { blockNamed } from "./named-block.js";

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

export const blockHandlers: Handlers<typeof blockMethods, BlockDeps> = {
  async getMasterchainInfo(_params, { reader }, call) {
    const { last } = reader;
    // The root hash of a zero state is the hash of the state itself, because there is no block.
    const stateHash = last.seqno === 0 ? last.rootHash : (await reader.header(last, call)).stateHash;
    return presentMasterchainInfo({ last, stateHash, zeroState: reader.zeroState });
  },

  getConsensusBlock(_params, { reader }) {
    return presentConsensusBlock(reader.last, reader.lastSeenAt);
  },

  async lookupBlock({ workchain, shard, seqno, lt, unixtime }, { reader }, call) {
    const ofShard = { workchain, shard: BigInt.asUintN(64, shard) };
    const by = seqno !== undefined ? { seqno } : lt !== undefined ? { lt } : { utime: unixtime! };
    return presentBlockId(await reader.lookup({ ...ofShard, ...by }, call));
  },

  async getShards({ seqno }, { reader }, call) {
    return presentShards(await reader.shards(await reader.blockAt(seqno, call), call));
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
    const linksBack =
      masterchainBlock.seqno === from.seqno
        ? []
        : [await reader.linkBack({ from, to: masterchainBlock }, call)];
    return presentShardProof({ from, masterchainBlock, links, linksBack });
  },

  async getOutMsgQueueSize(_params, { reader }, call) {
    return presentQueueSizes(await reader.outMsgQueueSizes(call));
  },
};

function tooOld({ seqno }: BlockIdExt): ServiceError {
  return new ServiceError("liteserver-error", "from mc block is too old", { cause: `from_seqno ${seqno}` });
}
