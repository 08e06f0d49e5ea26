import type { BlockIdExt } from "../block-id.js";
import type { CellOf } from "../tlb/cell-of.js";
import type { Transaction } from "../tlb/transaction.js";
import type { Delivery } from "./collate/draft.js";

/** A message arrived: in this transaction, in the step of this masterchain block. */
export type Arrival = { transaction: CellOf<Transaction>; block: BlockIdExt };

type Watcher = { resolve: (arrival: Arrival) => void; reject: (reason: Error) => void };

/** Those who wait for a message to arrive, by the message's hash. */
export class DeliveryWatch {
  readonly #watchers = new Map<string, Watcher>();

  /** Settles when a step delivers the message, or when it cannot come any more. */
  arrival(messageHash: string): Promise<Arrival> {
    return new Promise((resolve, reject) => this.#watchers.set(messageHash, { resolve, reject }));
  }

  delivered(deliveries: readonly Delivery[], block: BlockIdExt): void {
    if (this.#watchers.size === 0) return;
    for (const { message, transaction } of deliveries) {
      const hash = message.hashHex();
      this.#watchers.get(hash)?.resolve({ transaction, block });
      this.#watchers.delete(hash);
    }
  }

  /** Nobody needs to wait any longer: for one message, or for all. */
  giveUp(reason: Error, messageHash?: string): void {
    for (const [hash, watcher] of this.#watchers) {
      if (messageHash !== undefined && hash !== messageHash) continue;
      watcher.reject(reason);
      this.#watchers.delete(hash);
    }
  }
}
