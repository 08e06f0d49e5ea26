import type { Timers } from "../../../shared/values/timers.js";

/** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
export function pause(timers: Timers, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const stop = timers.after(ms, done);
    signal?.addEventListener("abort", done);
    if (signal?.aborted) done();
  });
}
