import { RecentMap } from "../../shared/values/recent-map.js";

const maxBuckets = 10_000;

type ClosedWindow = { opensAt: number; forMs: number; burst: number };

/**
 * The windows in which a bucket has no points left, and the time in which it pays for expensive calls. Calls in them
 * are refused without reading a counter, in memory or in Redis.
 */
export class ClosedWindows {
  /** Wall clock, ms. */
  readonly #now: () => number;
  readonly #closed = new RecentMap<string, ClosedWindow>(maxBuckets);

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds until the bucket's window opens; `undefined` if it is not known to be closed. */
  msLeft(bucket: string, burst: number): number | undefined {
    const window = this.#closed.get(bucket);
    if (!window) return undefined;
    const left = window.opensAt - this.#now();
    // The clock was set back, the plan has changed, or the window is over.
    if (left > 0 && left <= window.forMs && window.burst === burst) return left;
    this.#closed.delete(bucket);
    return undefined;
  }

  close(bucket: string, burst: number, msLeft: number): void {
    this.#closed.set(bucket, { opensAt: this.#now() + msLeft, forMs: msLeft, burst });
  }
}
