import type { Timers } from "../lite/call.js";
import { LiteError, liteErrorCode } from "../lite-api.js";

/** How long somebody waits. */
export type Patience = { deadline: number; signal?: AbortSignal | undefined };

/** Lets calls wait for something to change. */
export class Change {
  readonly #timers: Timers;
  /** In the order they came. */
  readonly #waiting = new Set<() => void>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves at the next change; rejects with 652 at the deadline, with 653 when the caller gives up. */
  wait({ deadline, signal }: Patience): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        this.#waiting.delete(wake);
        stopTimer();
        signal?.removeEventListener("abort", abort);
        finish();
      };
      const wake = () => settle(resolve);
      const abort = () => settle(() => reject(new LiteError(liteErrorCode.cancelled, "cancelled")));
      const expire = () => settle(() => reject(new LiteError(liteErrorCode.timeout, "timeout")));
      const stopTimer = this.#timers.after(Math.max(0, deadline - this.#timers.now()), expire);
      signal?.addEventListener("abort", abort);
      this.#waiting.add(wake);
      if (signal?.aborted) abort();
    });
  }

  /** Wakes the one that has been waiting longest. */
  tellOne(): void {
    const [first] = this.#waiting;
    first?.();
  }

  tellAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
