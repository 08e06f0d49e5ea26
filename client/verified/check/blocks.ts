import type { LiteApi, LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { readShards } from "../../../shared/ton/proofs/read/shards.js";
import { type FoundTransaction, readOneTransaction } from "../../../shared/ton/proofs/read/transactions.js";
import { getAllShardsInfo } from "../../../shared/ton/proofs/verify/shards.js";
import { getOneTransaction } from "../../../shared/ton/proofs/verify/transactions.js";
import {
  accountPrefix,
  type BlockId,
  type BlockIdExt,
  formatBlockId,
  masterchain,
  shardContainsPrefix,
} from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { GlobalVersion } from "../../../shared/ton/tlb/global-version.js";
import type { Address } from "../../../shared/values/address.js";
import { sharedRead } from "../../../shared/values/shared-reads.js";
import { RpcError } from "../../errors.js";
import type { ProvenReads } from "../proven-reads.js";

const versionParam = 8;
const mostBetween = 16;

/** The proven blocks that one check needs; each is read once. */
export class BlocksOfCheck {
  readonly #reads: ProvenReads;
  readonly #lite: Pick<LiteApi, "getAllShardsInfo" | "getOneTransaction">;
  readonly #call: LiteCall;
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(reads: ProvenReads, call: LiteCall) {
    this.#reads = reads;
    this.#lite = reads.liteOf({ getAllShardsInfo, getOneTransaction });
    this.#call = call;
  }

  /** The block with this seqno in the shard of an account's prefix. */
  found(id: BlockId): Promise<BlockIdExt> {
    return this.#once(`block ${formatBlockId(id)}`, async () => {
      // Lookups begin at the newest proven block.
      await this.#reads.head(this.#call);
      return (await this.#reads.lite.lookupBlock({ id, bySeqno: true }, this.#call)).id;
    });
  }

  /** The transaction of an account at a logical time; undefined if the block has none. */
  transaction(id: BlockIdExt, address: Address, lt: bigint): Promise<FoundTransaction | undefined> {
    return readOneTransaction(this.#lite, { id, address, lt }, this.#call);
  }

  /** Whether a masterchain block is the first one that registers a block of an account's shard, or a later one of it. */
  async isRegisteredBy(seqno: number, block: BlockIdExt, address: Address): Promise<boolean> {
    if (block.workchain === masterchain) return seqno === block.seqno;
    if ((await this.#registered(seqno, address)) < block.seqno) return false;
    // The zero state registers no block of a shard.
    return seqno === 1 || (await this.#registered(seqno - 1, address)) < block.seqno;
  }

  /** Seqno of the newest registered block of an account's shard. Blocks that follow one another count upwards. */
  async #registered(seqno: number, { workchain, hash }: Address): Promise<number> {
    const shards = await this.#once(`shards ${seqno}`, async () =>
      readShards(this.#lite, await this.#reads.blockAt(seqno, this.#call), this.#call),
    );
    const prefix = accountPrefix(hash);
    const own = shards.find(
      (each) => each.workchain === workchain && shardContainsPrefix(each.shard, prefix),
    );
    return own?.seqno ?? -1;
  }

  /** The global version in force after a masterchain block. */
  versionAt(seqno: number): Promise<number> {
    return this.#once(`version ${seqno}`, async () => {
      const block = await this.#reads.blockAt(seqno, this.#call);
      const cell = await this.#reads.configParam(block, versionParam, this.#call);
      return cell ? decode(GlobalVersion, cell).version : 0;
    });
  }

  /** The global version in force after the masterchain block that registers a block of an account's shard. */
  async versionOf(block: BlockIdExt, address: Address): Promise<number> {
    const { info } = await this.#reads.header(block, this.#call);
    if (!info.masterRef) return this.versionAt(block.seqno);
    const { seqno } = info.masterRef.value.master;
    // It follows the one that the block refers to, with few between.
    for (let later = 1; later <= mostBetween; later++)
      if (await this.isRegisteredBy(seqno + later, block, address)) return this.versionAt(seqno + later);
    throw new RpcError(
      "unavailable",
      `unproven: no masterchain block after ${seqno} registers the shard's block`,
      {
        retryable: true,
      },
    );
  }

  #once<T>(key: string, read: () => Promise<T>): Promise<T> {
    return sharedRead(this.#known as Map<string, Promise<T>>, key, read);
  }
}

/** Whether an account is in the shard of a block. */
export function isIn({ workchain, shard }: BlockId, address: Address): boolean {
  return workchain === address.workchain && shardContainsPrefix(shard, accountPrefix(address.hash));
}
