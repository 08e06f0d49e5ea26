import type { Cell } from "../../cells/cell.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import type { CellOf } from "../../tlb/cell-of.js";
import type { Transaction } from "../../tlb/transaction.js";
import type { Delivery } from "../collate/draft.js";
import { DevnetError } from "../devnet-error.js";

/** A message arrived: in this transaction, in the step of this masterchain block. */
export type Arrival = { transaction: CellOf<Transaction>; block: BlockIdExt };

type Watcher = {
  resolve: (arrival: Arrival) => void;
  reject: (reason: Error) => void;
  /** Not this message is waited for, but the one its transaction sends. */
  followed: boolean;
};

/** Those who wait for a message to arrive, by the message's hash. */
export class DeliveryWatch {
  readonly #watchers = new Map<string, Watcher>();

  /** Settles when a step delivers the message, or when it cannot come any more. */
  arrivalOf(message: Cell): Promise<Arrival> {
    return this.#watch(message, false);
  }

  /** Settles when the first message arrives that is sent in answer to this one. */
  arrivalAfter(message: Cell): Promise<Arrival> {
    return this.#watch(message, true);
  }

  /** A step made these deliveries, in this order. */
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

  /** Nobody needs to wait any longer: for one message, or for all. */
  giveUp(reason: DevnetError, message?: Cell): void {
    const given = message?.hashHex();
    for (const [hash, watcher] of this.#watchers) {
      if (given !== undefined && hash !== given) continue;
      this.#watchers.delete(hash);
      watcher.reject(reason);
    }
  }

  #watch(message: Cell, followed: boolean): Promise<Arrival> {
    return new Promise((resolve, reject) => {
      this.#watchers.set(message.hashHex(), { resolve, reject, followed });
    });
  }

  #follow(watcher: Watcher, { messages }: Transaction): void {
    const [sent] = messages.value.outMsgs.values();
    if (sent) this.#watchers.set(sent.cell.hashHex(), { ...watcher, followed: false });
    else watcher.reject(new DevnetError("conflict", "the transaction sent nothing"));
  }
}
