import { recognizeWallet } from "../../shared/ton/contracts/wallet.js";
import type { LiteCall } from "../../shared/ton/lite/lite-api.js";
import {
  presentAccountState,
  presentExtendedInformation,
  presentWalletInformation,
} from "../../shared/ton/present/account.js";
import { presentHeader, presentShards } from "../../shared/ton/present/block.js";
import { presentConfig, presentLibraries } from "../../shared/ton/present/config.js";
import { presentBlockId, presentBoc } from "../../shared/ton/present/records.js";
import { presentPlainTransaction } from "../../shared/ton/present/transaction.js";
import { readConfig } from "../../shared/ton/proofs/read/config.js";
import { readLibraries } from "../../shared/ton/proofs/read/libraries.js";
import { isBetween, locateResult, locateSource } from "../../shared/ton/proofs/read/locate-transaction.js";
import { readShards } from "../../shared/ton/proofs/read/shards.js";
import { getConfigAll } from "../../shared/ton/proofs/verify/config.js";
import { getLibraries } from "../../shared/ton/proofs/verify/libraries.js";
import { getAllShardsInfo } from "../../shared/ton/proofs/verify/shards.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { RpcError } from "../errors.js";
import type { Params } from "../registry-types.js";
import type { Handlers } from "./handlers.js";
import { addressOf, hashOf, int32, integer, maybeCount, writtenOf } from "./inputs.js";
import { provenLocateReads } from "./locate.js";
import type { FurtherMethod } from "./proven-method.js";
import type { ProvenReads } from "./proven-reads.js";

const furtherChecks = { getAllShardsInfo, getConfigAll, getLibraries };

/** Methods that few clients call. */
export const furtherHandlers: Handlers<FurtherMethod> = {
  async getExtendedAddressInformation({ address, seqno }, reads, call) {
    const written = writtenOf(address);
    const account = await reads.account(written.address, maybeCount("seqno", seqno), call);
    const state = await presentAccountState(account, { stateBoc: presentBoc, unlocked: unproven });
    return presentExtendedInformation(written, account, state);
  },

  async getWalletInformation({ address, seqno }, reads, call) {
    const account = await reads.account(addressOf(address), maybeCount("seqno", seqno), call);
    const { code, data } = account;
    return presentWalletInformation(account, code && data && recognizeWallet(code, data));
  },

  tryLocateTx: (params, reads, call) => locate(locateResult, params, reads, call),
  tryLocateResultTx: (params, reads, call) => locate(locateResult, params, reads, call),

  tryLocateSourceTx: (params, reads, call) => locate(locateSource, params, reads, call),

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
    return presentShards(await readShards(reads.liteOf(furtherChecks), block, call));
  },

  async getConfigParam({ param, config_id: id, seqno }, reads, call) {
    const block = await reads.blockAt(maybeCount("seqno", seqno), call);
    const { params } = await readConfig(reads.liteOf(furtherChecks), block, call);
    return presentConfig(params.get(int32("config_id", id ?? param)));
  },

  async getConfigAll({ seqno } = {}, reads, call) {
    const block = await reads.blockAt(maybeCount("seqno", seqno), call);
    return presentConfig((await readConfig(reads.liteOf(furtherChecks), block, call)).root);
  },

  async getLibraries({ libraries }, reads, call) {
    await reads.head(call);
    const hashes = [libraries].flat().map((hash) => hashOf(hash ?? ""));
    return presentLibraries(await readLibraries(reads.liteOf(furtherChecks), hashes, call));
  },
};

/** A get-method computes the unlocked balance of a restricted wallet, and its result has no proof. */
function unproven(): never {
  throw new RpcError("unknown-method", "the state of a restricted wallet cannot be proven");
}

type LocateParams = Params<"tryLocateTx">;

async function locate(
  search: typeof locateResult | typeof locateSource,
  { source, destination, created_lt: lt }: LocateParams,
  reads: ProvenReads,
  call: LiteCall,
) {
  const ends = {
    source: addressOf(source),
    destination: addressOf(destination),
    createdLt: integer("created_lt", lt),
  };
  const found = await search(ends, provenLocateReads(reads, call), isBetween(ends));
  if (!found) throw new RpcError("absent", "transaction was not found", { status: 404 });
  return presentPlainTransaction(found);
}

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
