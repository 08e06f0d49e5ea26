import { systemTimers, type Timers } from "../../shared/values/timers.js";

/** Resolves after the time, or as soon as the signal aborts; never rejects. */
export function pause(
  ms: number,
  signal: AbortSignal | undefined,
  timers: Pick<Timers, "after"> = systemTimers,
): Promise<void> {
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
