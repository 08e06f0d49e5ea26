import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { Listeners } from "../../../shared/values/listeners.js";
import type { Timers } from "../../../shared/values/timers.js";
import { unavailable } from "./attempts.js";
import { type WaitLimit, WaitQueue } from "./wait-queue.js";

const maxWaitMs = 10_000;
/** Maximum distance past the newest block for which callers can wait. */
const maxAhead = 100;

/** The newest block of any server; its seqno never decreases. */
export class NetworkHead {
  readonly #timers: Timers;
  readonly #waiting: WaitQueue;
  /** Gets every newer head. */
  readonly news = new Listeners<BlockIdExt>();
  #last: BlockIdExt | undefined;
  #utime: number | undefined;
  #closed = false;

  constructor(timers: Timers) {
    this.#timers = timers;
    this.#waiting = new WaitQueue(timers);
  }

  get last(): BlockIdExt | undefined {
    return this.#last;
  }

  /** Unix time in seconds at which `last` was made. */
  get utime(): number | undefined {
    return this.#utime;
  }

  /** 0 while no block is known. */
  get seqno(): number {
    return this.#last?.seqno ?? 0;
  }

  /** Reports a server's newest block; ignored unless it is newer. */
  learn(head: BlockIdExt, utime: number | undefined): void {
    if (head.seqno <= (this.#last?.seqno ?? -1)) return;
    this.#last = head;
    this.#utime = utime;
    this.#waiting.notifyAll();
    this.news.notify(head);
  }

  /** Resolves once the head has this seqno. Rejects with 652 at the deadline, 653 on abort, 651 if too far ahead. */
  async reaches(seqno: number, { deadline, signal }: WaitLimit): Promise<void> {
    const longest = this.#timers.now() + maxWaitMs;
    while ((this.#last?.seqno ?? -1) < seqno) {
      if (this.#closed) throw unavailable();
      if (this.#last && seqno > this.#last.seqno + maxAhead)
        throw new LiteError(liteErrorCode.notReady, "too big masterchain block seqno");
      await this.#waiting.wait({ deadline: Math.min(deadline, longest), signal });
    }
  }

  close(): void {
    this.#closed = true;
    this.#waiting.notifyAll();
  }
}
