import { LiteError, liteErrorCode } from "../lite-api.js";
import type { Timers } from "../timers.js";

/** How long somebody waits. */
export type WaitLimit = { deadline: number; signal?: AbortSignal | undefined };

type Waiter = { wake(): void; canUse(): boolean };

/** Lets calls wait for something to change. */
export class WaitQueue {
  readonly #timers: Timers;
  /** In the order they came. */
  readonly #waiting = new Set<Waiter>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves at the next change that can be used; rejects with 652 at the deadline, with 653 when the caller gives up. */
  wait({ deadline, signal }: WaitLimit, canUse: () => boolean = () => true): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        this.#waiting.delete(waiter);
        stopTimer();
        signal?.removeEventListener("abort", abort);
        finish();
      };
      const waiter = { wake: () => settle(resolve), canUse };
      const abort = () => settle(() => reject(new LiteError(liteErrorCode.cancelled, "cancelled")));
      const expire = () => settle(() => reject(new LiteError(liteErrorCode.timeout, "timeout")));
      const stopTimer = this.#timers.after(Math.max(0, deadline - this.#timers.now()), expire);
      signal?.addEventListener("abort", abort);
      this.#waiting.add(waiter);
      if (signal?.aborted) abort();
    });
  }

  /** Wakes the one that has been waiting longest of those who can use the change. */
  notifyOne(): void {
    for (const waiter of this.#waiting) {
      if (!waiter.canUse()) continue;
      waiter.wake();
      return;
    }
  }

  notifyAll(): void {
    for (const { wake } of [...this.#waiting]) wake();
  }
}
