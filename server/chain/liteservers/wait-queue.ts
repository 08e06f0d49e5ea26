import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { Timers } from "../../../shared/values/timers.js";
import { NoAnswerError } from "../no-answer-error.js";

/** Limits of a wait: a deadline in Unix milliseconds, and the caller's signal. */
export type WaitLimit = { deadline: number; signal?: AbortSignal | undefined };

type Waiter = { wake(): void; canUse(): boolean };

/** Calls that wait for a change, first in, first out. */
export class WaitQueue {
  readonly #timers: Timers;
  /** In order of arrival. */
  readonly #waiting = new Set<Waiter>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves at the next change that `canUse` accepts; rejects with 652 at the deadline, with 653 on abort. */
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
      const expire = () => settle(() => reject(new NoAnswerError()));
      const stopTimer = this.#timers.after(Math.max(0, deadline - this.#timers.now()), expire);
      signal?.addEventListener("abort", abort);
      this.#waiting.add(waiter);
      if (signal?.aborted) abort();
    });
  }

  /** Wakes the longest waiting call that can use the change. */
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
