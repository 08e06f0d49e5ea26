import { parseBocRoot } from "../../shared/ton/cells/boc.js";
import type { LiteCall } from "../../shared/ton/lite/lite-api.js";
import { presentAddressInformation } from "../../shared/ton/present/address-information.js";
import { presentHeader, presentMasterchainInfo, presentShards } from "../../shared/ton/present/block.js";
import { presentConfig, presentLibraries } from "../../shared/ton/present/config.js";
import { presentBlockId, presentBoc } from "../../shared/ton/present/records.js";
import { presentOk, presentSent } from "../../shared/ton/present/send.js";
import { presentPlainTransaction } from "../../shared/ton/present/transaction.js";
import { readConfig } from "../../shared/ton/proofs/read/config.js";
import { readLibraries } from "../../shared/ton/proofs/read/libraries.js";
import { readShards } from "../../shared/ton/proofs/read/shards.js";
import { isSuspended } from "../../shared/ton/proofs/read/suspended.js";
import { readTransactions } from "../../shared/ton/proofs/read/transactions.js";
import { type BlockIdExt, zeroStateBlock } from "../../shared/ton/tlb/block-id.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { Message } from "../../shared/ton/tlb/message.js";
import type { Params, Result } from "../registry-types.js";
import { addressOf, bagOf, hashOf, integer, maybeCount, maybeInteger } from "./inputs.js";
import type { ProvenMethod } from "./proven-method.js";
import type { ProvenReads } from "./proven-reads.js";

type Handlers = {
  readonly [Name in ProvenMethod]: (
    params: Params<Name>,
    reads: ProvenReads,
    call: LiteCall,
  ) => Promise<Result<Name>>;
};

const defaultLimit = 10;
const mostTransactions = 1000;

export const handlers: Handlers = {
  async getMasterchainInfo(_, reads, call) {
    const { last, stateRootHash, init } = (await reads.head(call)).info;
    return presentMasterchainInfo({ last, stateHash: stateRootHash, zeroState: zeroStateBlock(init) });
  },

  async getAddressInformation({ address, seqno }, reads, call) {
    const block = await reads.blockAt(maybeCount("seqno", seqno), call);
    const [account, list] = await Promise.all([
      reads.account(addressOf(address), block.seqno, call),
      reads.suspended(block, call),
    ]);
    return presentAddressInformation(account, {
      isSuspended: isSuspended(account, list),
      stateBoc: presentBoc,
    });
  },

  async getAddressBalance({ address, seqno }, reads, call) {
    const account = await reads.account(addressOf(address), maybeCount("seqno", seqno), call);
    return account.balance.toString();
  },

  async getAddressState({ address, seqno }, reads, call) {
    return (await reads.account(addressOf(address), maybeCount("seqno", seqno), call)).status;
  },

  async getTransactions({ address: text, limit, lt, hash, to_lt: toLt }, reads, call) {
    const address = addressOf(text);
    const start = maybeInteger("lt", lt);
    const from =
      start !== undefined && hash
        ? { lt: start, hash: hashOf(hash) }
        : (await reads.account(address, undefined, call)).lastTransaction;
    const query = {
      address,
      from,
      limit: Math.min(maybeCount("limit", limit) ?? defaultLimit, mostTransactions),
      toLt: maybeInteger("to_lt", toLt) ?? 0n,
    };
    const { transactions } = await readTransactions(reads.lite, query, call);
    return transactions.map(presentPlainTransaction);
  },

  async getBlockHeader(params, reads, call) {
    return presentHeader(await reads.header(await blockNamed(params, reads, call), call));
  },

  async lookupBlock({ workchain, shard, seqno, lt, unixtime }, reads, call) {
    const by =
      maybeCount("seqno", seqno) !== undefined
        ? { bySeqno: true }
        : lt !== undefined && lt !== null
          ? { lt: integer("lt", lt) }
          : { utime: Number(integer("unixtime", unixtime)) };
    const id = { ...shardOf({ workchain, shard }), seqno: maybeCount("seqno", seqno) ?? 0 };
    await reads.head(call);
    return presentBlockId((await reads.lite.lookupBlock({ id, ...by }, call)).id);
  },

  async getShards({ seqno }, reads, call) {
    const block = await reads.blockAt(maybeCount("seqno", seqno), call);
    return presentShards(await readShards(reads.lite, block, call));
  },

  async getConfigParam({ param, config_id: id, seqno }, reads, call) {
    const block = await reads.blockAt(maybeCount("seqno", seqno), call);
    const { params } = await readConfig(reads.lite, block, call);
    return presentConfig(params.get(Number(integer("config_id", id ?? param))));
  },

  async getConfigAll({ seqno } = {}, reads, call) {
    const block = await reads.blockAt(maybeCount("seqno", seqno), call);
    return presentConfig((await readConfig(reads.lite, block, call)).root);
  },

  async getLibraries({ libraries }, reads, call) {
    await reads.head(call);
    const hashes = [libraries].flat().map((hash) => hashOf(hash ?? ""));
    return presentLibraries(await readLibraries(reads.lite, hashes, call));
  },

  async sendBoc({ boc }, reads, call) {
    await reads.lite.sendMessage({ body: bagOf("boc", boc) }, call);
    return presentOk();
  },

  async sendBocReturnHash({ boc }, reads, call) {
    const body = bagOf("boc", boc);
    const root = parseBocRoot(body);
    const sent = presentSent({ root, message: decode(Message, root) });
    await reads.lite.sendMessage({ body }, call);
    return sent;
  },
};

type Named = {
  workchain: number | string;
  shard: string | number | bigint;
  seqno: number | string;
  root_hash?: string | undefined;
  file_hash?: string | undefined;
};

/** A header is proven against the block's hash: given by the caller, or of the block that is looked up. */
async function blockNamed(
  { root_hash: root, file_hash: file, seqno, ...shard }: Named,
  reads: ProvenReads,
  call: LiteCall,
): Promise<BlockIdExt> {
  const id = { ...shardOf(shard), seqno: maybeCount("seqno", seqno) ?? 0 };
  if (root && file) return { ...id, rootHash: hashOf(root), fileHash: hashOf(file) };
  await reads.head(call);
  return (await reads.lite.lookupBlock({ id, bySeqno: true }, call)).id;
}

function shardOf({ workchain, shard }: Pick<Named, "workchain" | "shard">) {
  return {
    workchain: Number(integer("workchain", workchain)),
    shard: BigInt.asUintN(64, integer("shard", shard)),
  };
}
