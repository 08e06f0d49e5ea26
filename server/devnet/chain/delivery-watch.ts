import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { Delivery } from "../collate/block/draft.js";
import { DevnetError } from "../devnet-error.js";

/** Delivery of a message: its transaction, and the masterchain block of the step. */
export type Arrival = { transaction: CellOf<Transaction>; block: BlockIdExt };

type Watcher = {
  resolve: (arrival: Arrival) => void;
  reject: (reason: Error) => void;
  /** Wait for the first message sent by the delivering transaction instead. */
  followed: boolean;
};

/** Waits for the delivery of messages, by message hash. */
export class DeliveryWatch {
  readonly #watchers = new Map<string, Watcher>();

  /** Resolves when the first message sent in response to this one is delivered. Rejects with the reason of `reject`. */
  arrivalAfter(message: Cell): Promise<Arrival> {
    return new Promise((resolve, reject) => {
      this.#watchers.set(message.hashHex(), { resolve, reject, followed: true });
    });
  }

  /** Reports the deliveries of a step, in order. */
  delivered(deliveries: readonly Delivery[], block: BlockIdExt): void {
    if (this.#watchers.size === 0) return;
    for (const { message, transaction } of deliveries) {
      const hash = message.hashHex();
      const watcher = this.#watchers.get(hash);
      if (!watcher) continue;
      this.#watchers.delete(hash);
      if (watcher.followed) this.#follow(watcher, transaction.value);
      else watcher.resolve({ transaction, block });
    }
  }

  /** Rejects the watchers of one message, or of all. */
  reject(reason: Error, message?: Cell): void {
    const rejected = message?.hashHex();
    for (const [hash, watcher] of this.#watchers) {
      if (rejected !== undefined && hash !== rejected) continue;
      this.#watchers.delete(hash);
      watcher.reject(reason);
    }
  }

  #follow(watcher: Watcher, { messages }: Transaction): void {
    const [sent] = messages.value.outMsgs.values();
    if (sent) this.#watchers.set(sent.cell.hashHex(), { ...watcher, followed: false });
    else watcher.reject(new DevnetError("conflict", "the transaction sent nothing"));
  }
}
