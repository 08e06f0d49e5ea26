import { lazy } from "../../shared/values/lazy.js";
import { LocalDebts } from "./debts.js";

/** State of a bucket's window after adding points, whether within the limit or not. */
export type Count = {
  consumedPoints: number;
  msBeforeNext: number;
  /** Time until the bucket has paid for its expensive calls. */
  owedMs: number;
};

/** Counts points in fixed windows that start with a bucket's first point, and debts. Does not enforce limits. */
export interface Counters {
  /** `burst`: the points of a window, of which some may be taken in advance. */
  add(bucket: string, points: number, windowSec: number, burst: number): Promise<Count>;
  /**
   * Adds to the debt of a bucket, which time reduces. Several together grow to a maximum, a single one counts as a whole.
   * Returns the whole of it in milliseconds.
   */
  owe(bucket: string, ms: number, maxMs: number): Promise<number>;
  close(): Promise<void>;
}

/** The library requires a limit and a window; ours differ per call. */
const unusedLimit = { points: 1, duration: 1 };

/**
 * Counters in memory, for this process only. Expired windows are removed automatically.
 * `now`: wall clock, ms.
 */
export function createLocalCounters(now: () => number): Counters {
  // The library brings its limiters for every database, and a devnet's callers have no limit.
  const limiter = lazy(async () => {
    // A bundle has no other export of a CommonJS package that is imported late.
    const { default: library } = await import("rate-limiter-flexible");
    return new library.RateLimiterMemory(unusedLimit);
  });
  const debts = new LocalDebts(now);
  return {
    // `penalty` adds points without enforcing a limit, so exceeding one throws no exception.
    async add(bucket, points, windowSec) {
      const { consumedPoints, msBeforeNext } = await (await limiter()).penalty(bucket, points, {
        customDuration: windowSec,
      });
      return { consumedPoints, msBeforeNext, owedMs: debts.msOf(bucket) };
    },
    owe: async (bucket, ms, maxMs) => debts.add(bucket, ms, maxMs),
    close: async () => {},
  };
}
