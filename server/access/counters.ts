import { lazy } from "../../shared/values/lazy.js";

/** State of a bucket's window after adding points, whether within the limit or not. */
export type Count = { consumedPoints: number; msBeforeNext: number };

/** Counts points in fixed windows that start with a bucket's first point. Does not enforce limits. */
export interface Counters {
  add(bucket: string, points: number, windowSec: number): Promise<Count>;
  close(): Promise<void>;
}

/** The library requires a limit and a window; ours differ per call. */
export const unusedLimit = { points: 1, duration: 1 };

/** Counters in memory, for this process only. Expired windows are removed automatically. */
export function createLocalCounters(): Counters {
  // The library brings its limiters for every database, and a devnet's callers have no limit.
  const limiter = lazy(async () => {
    // A bundle has no other export of a CommonJS package that is imported late.
    const { default: library } = await import("rate-limiter-flexible");
    return new library.RateLimiterMemory(unusedLimit);
  });
  return {
    // `penalty` adds points without enforcing a limit, so exceeding one throws no exception.
    async add(bucket, points, windowSec) {
      return (await limiter()).penalty(bucket, points, { customDuration: windowSec });
    },
    close: async () => {},
  };
}
