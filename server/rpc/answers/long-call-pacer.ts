import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { takeFirst } from "../../../shared/values/lookups.js";

/** Time after which a call starts however busy the event loop is. */
const maxWaitMs = 100;

type Waiting = { readonly owner: object; readonly begin: () => void };

/**
 * Paces the starts of calls with long results, each of which keeps the event loop busy for milliseconds. One batch
 * starts its calls freely. While several do, one starts only once the loop was idle for as long as it was busy since the
 * last start, so half of its time is left for the short calls of others.
 */
export class LongCallPacer {
  readonly #waiting: Waiting[] = [];
  /** The batch that started a call last, and the time of the loop at that moment. */
  #last: { readonly owner: object; readonly at: EventLoopUtilization } | undefined;

  /** Resolves when a call of the batch may start; returns nothing if it may start immediately. */
  next(owner: object): Promise<void> | undefined {
    if (this.#waiting.length === 0 && (!this.#last || this.#last.owner === owner)) {
      this.#start(owner);
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push({ owner, begin: resolve });
      if (this.#waiting.length === 1) this.#continue();
    });
  }

  #start(owner: object): void {
    this.#last = { owner, at: performance.eventLoopUtilization() };
  }

  #continue(): void {
    const { idle, active } = performance.eventLoopUtilization(this.#last?.at);
    const restMs = Math.min(active - idle, maxWaitMs - active - idle);
    if (restMs > 0) {
      setTimeout(() => this.#continue(), restMs);
      return;
    }
    const next = takeFirst(this.#waiting);
    this.#start(next.owner);
    next.begin();
    // Let the started call begin to run before the next one is considered.
    if (this.#waiting.length > 0) setTimeout(() => this.#continue(), 1);
  }
}
