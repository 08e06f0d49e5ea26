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
  readonly #seen = new Map<string, number>();
  /** The blocks behind the first and up to the second of these have been looked through. */
  #before = 0;
  #last = 0;

  constructor(storage: Pick<ChainStorage, "blocksAt">) {
    this.#storage = storage;
  }

  /** Where the transaction with this hash is in a chain of this length. */
  find(hash: Uint8Array, length: number): Promise<TransactionKey | undefined> {
    return this.#jobs.run(async () => {
      const wanted = bytesToHex(hash);
      if (this.#last === 0) this.#before = this.#last = length;
      while (this.#last < length) await this.#look(++this.#last);
      while (!this.#seen.has(wanted) && this.#before > 0) await this.#look(this.#before--);
      const seqno = this.#seen.get(wanted);
      return seqno === undefined ? undefined : (await this.#transactionsAt(seqno)).get(wanted);
    });
  }

  /** The chain has only so many blocks left. */
  truncate(length: number): void {
    void this.#jobs.run(async () => {
      for (const [hash, seqno] of this.#seen) if (seqno > length) this.#seen.delete(hash);
      this.#last = Math.min(this.#last, length);
      this.#before = Math.min(this.#before, length);
    });
  }

  async #look(seqno: number): Promise<void> {
    for (const hash of (await this.#transactionsAt(seqno)).keys()) this.#seen.set(hash, seqno);
    await setImmediate();
  }

  /** Of both blocks of a step; none when it was reverted just now. */
  async #transactionsAt(seqno: number): Promise<Map<string, TransactionKey>> {
    const roots = await this.#storage.blocksAt(seqno);
    const blocks = roots ? [roots.basechain, roots.masterchain] : [];
    return new Map(blocks.flatMap((root) => [...placesIn(root)]));
  }
}

function* placesIn(root: Cell): Generator<[hash: string, place: TransactionKey]> {
  const { info, extra } = decode(Block, root);
  for (const { cell, value } of transactionsOf(extra.value.accountBlocks.value)) {
    const { accountAddr: id, lt } = value;
    yield [bytesToHex(cell.hash()), { workchain: info.value.shardId.workchain, id, lt }];
  }
}
