import { setImmediate } from "node:timers/promises";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { transactionsOf } from "../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { Mutex } from "../../os/mutex.js";
import type { ChainStorage } from "../storage/chain-storage.js";

/** Identifies a transaction by account and logical time. */
export type TransactionKey = { workchain: number; id: Uint8Array; lt: bigint };

/** Identifies a transaction by hash or by account and logical time. */
export type TransactionName = { hash: Uint8Array } | TransactionKey;

/**
 * Finds transactions by hash. The chain stores them by account and logical time, so blocks are indexed on demand:
 * newest first, only as far back as a search requires, each block once.
 */
export class TransactionFinder {
  readonly #storage: Pick<ChainStorage, "blocksAt">;
  readonly #jobs = new Mutex();
  /** Seqno of the step, by transaction hash. */
  readonly #seqnoByHash = new Map<string, number>();
  /** Steps after the first and up to the second seqno are indexed. */
  #indexedAfter = 0;
  #indexedUpTo = 0;

  constructor(storage: Pick<ChainStorage, "blocksAt">) {
    this.#storage = storage;
  }

  /** Finds the transaction with this hash in a chain of `length` steps. */
  find(hash: Uint8Array, length: number): Promise<TransactionKey | undefined> {
    return this.#jobs.run(async () => {
      const wanted = bytesToHex(hash);
      if (this.#indexedUpTo === 0) this.#indexedAfter = this.#indexedUpTo = length;
      while (this.#indexedUpTo < length) await this.#indexBlocks(++this.#indexedUpTo);
      while (!this.#seqnoByHash.has(wanted) && this.#indexedAfter > 0)
        await this.#indexBlocks(this.#indexedAfter--);
      const seqno = this.#seqnoByHash.get(wanted);
      return seqno === undefined ? undefined : (await this.#transactionsAt(seqno)).get(wanted);
    });
  }

  /** Call after a revert: the chain has `length` steps now. */
  truncate(length: number): void {
    void this.#jobs.run(async () => {
      for (const [hash, seqno] of this.#seqnoByHash) if (seqno > length) this.#seqnoByHash.delete(hash);
      this.#indexedUpTo = Math.min(this.#indexedUpTo, length);
      this.#indexedAfter = Math.min(this.#indexedAfter, length);
    });
  }

  async #indexBlocks(seqno: number): Promise<void> {
    for (const hash of (await this.#transactionsAt(seqno)).keys()) this.#seqnoByHash.set(hash, seqno);
    await setImmediate();
  }

  /** The transactions of both blocks of a step, by hash; empty if the step was reverted meanwhile. */
  async #transactionsAt(seqno: number): Promise<Map<string, TransactionKey>> {
    const roots = await this.#storage.blocksAt(seqno);
    const blocks = roots ? [roots.basechain, roots.masterchain] : [];
    return new Map(blocks.flatMap((root) => [...transactionKeysIn(root)]));
  }
}

function* transactionKeysIn(root: Cell): Generator<[hash: string, key: TransactionKey]> {
  const { info, extra } = decode(Block, root);
  for (const { cell, value } of transactionsOf(extra.value.accountBlocks.value)) {
    const { accountAddr: id, lt } = value;
    yield [bytesToHex(cell.hash()), { workchain: info.value.shardId.workchain, id, lt }];
  }
}
