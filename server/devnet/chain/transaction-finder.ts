import { setImmediate } from "node:timers/promises";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import { transactionsOf } from "../../tlb/account-block.js";
import { Block } from "../../tlb/block.js";
import { decode } from "../../tlb/codec.js";
import type { ChainStorage } from "../storage/chain-storage.js";
import { Mutex } from "./mutex.js";

/** An account's transaction. */
export type TransactionKey = { workchain: number; id: Uint8Array; lt: bigint };

/**
 * Finds transactions by hash, while the chain keeps them by account and time. Blocks are looked through newest first,
 * no further back than a search has to go, and each once: what it held is remembered.
 */
export class TransactionFinder {
  readonly #storage: Pick<ChainStorage, "blocksAt">;
  readonly #jobs = new Mutex();
  /** Seqnos by hash. */
  readonly #seqnoByHash = new Map<string, number>();
  /** The blocks behind the first and up to the second of these have been looked through. */
  #indexedAfter = 0;
  #indexedUpTo = 0;

  constructor(storage: Pick<ChainStorage, "blocksAt">) {
    this.#storage = storage;
  }

  /** Where the transaction with this hash is in a chain of this length. */
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

  /** The chain has only so many blocks left. */
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

  /** Of both blocks of a step; none when it was reverted just now. */
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
