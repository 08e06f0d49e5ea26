import { RateLimiterMemory } from "rate-limiter-flexible";

/** A bucket's window after points were added to it, allowed or not. */
export type Count = { consumedPoints: number; msBeforeNext: number };

/** Counts points in fixed windows that open with a bucket's first point and judges nothing. */
export interface Counters {
  add(bucket: string, points: number, windowSec: number): Promise<Count>;
  close(): Promise<void>;
}

/** The library wants a limit and a window of its own; ours come with each call. */
export const unusedLimit = { points: 1, duration: 1 };

/** Counters of this process alone; a window that is over leaves the memory by itself. */
export function createLocalCounters(): Counters {
  const limiter = new RateLimiterMemory(unusedLimit);
  return {
    // What the library calls a penalty is adding points without a verdict, so going over costs no exception.
    add: (bucket, points, windowSec) => limiter.penalty(bucket, points, { customDuration: windowSec }),
    close: async () => {},
  };
}
