import type { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import type { Message } from "../../../../shared/ton/tlb/message.js";
import type { InternalInfo } from "../../../../shared/ton/tlb/message-info.js";
import type { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import { compareBytes } from "../../../../shared/values/bytes.js";

/** An internal message sent by a transaction of this block. */
export type NewMessage = {
  lt: bigint;
  message: CellOf<Message>;
  info: InternalInfo;
  sender: CellOf<Transaction>;
};

function isBefore(a: NewMessage, b: NewMessage): boolean {
  if (a.lt !== b.lt) return a.lt < b.lt;
  return compareBytes(a.message.cell.hash(), b.message.cell.hash()) < 0;
}

/** A binary heap of messages ordered by (lt, hash). */
export class NewMessages {
  readonly #heap: NewMessage[] = [];

  get size(): number {
    return this.#heap.length;
  }

  push(message: NewMessage): void {
    const heap = this.#heap;
    let at = heap.push(message) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at]!, heap[parent]!)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Removes and returns the first message. */
  pop(): NewMessage | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    heap[0] = last;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= heap.length) return first;
      const right = left + 1;
      const child = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left;
      if (!isBefore(heap[child]!, heap[at]!)) return first;
      this.#swap(at, child);
      at = child;
    }
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#heap[b]!, this.#heap[a]!];
  }
}
