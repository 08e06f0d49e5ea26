import type { BlockIdExt } from "../../tlb/block-id.js";
import { LiteError, liteErrorCode } from "../lite-api.js";
import type { Timers } from "../timers.js";
import { unavailable } from "./attempts.js";
import { type WaitLimit, WaitQueue } from "./wait-queue.js";

const maxWaitMs = 10_000;
/** How far ahead of the chain a caller may wait. */
const maxAhead = 100;

/** The newest block of any server; it never falls. */
export class PoolHead {
  readonly #timers: Timers;
  readonly #news: WaitQueue;
  readonly #listeners = new Set<(head: BlockIdExt) => void>();
  #last: BlockIdExt | undefined;
  #closed = false;

  constructor(timers: Timers) {
    this.#timers = timers;
    this.#news = new WaitQueue(timers);
  }

  get last(): BlockIdExt | undefined {
    return this.#last;
  }

  /** 0 before there is one. */
  get seqno(): number {
    return this.#last?.seqno ?? 0;
  }

  /** Calls back with every newer head; the answer ends that. */
  onChange(listener: (head: BlockIdExt) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Of some server; it may be old news. */
  learn(head: BlockIdExt): void {
    if (head.seqno <= (this.#last?.seqno ?? -1)) return;
    this.#last = head;
    this.#news.notifyAll();
    for (const listener of this.#listeners) listener(head);
  }

  async reaches(seqno: number, { deadline, signal }: WaitLimit): Promise<void> {
    const longest = this.#timers.now() + maxWaitMs;
    while ((this.#last?.seqno ?? -1) < seqno) {
      if (this.#closed) throw unavailable();
      if (this.#last && seqno > this.#last.seqno + maxAhead)
        throw new LiteError(liteErrorCode.notReady, "too big masterchain block seqno");
      await this.#news.wait({ deadline: Math.min(deadline, longest), signal });
    }
  }

  close(): void {
    this.#closed = true;
    this.#news.notifyAll();
  }
}
