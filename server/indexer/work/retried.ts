import { setTimeout as wait } from "node:timers/promises";
import { isPassing } from "./failures.js";

const retryMs = 1000;

/** Runs work again while the database or the chain is unavailable. `onError` receives the failures that are retried. */
export async function retried<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onError: (error: Error) => void,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isPassing(error as Error)) throw error;
      onError(error as Error);
      await wait(retryMs, undefined, { signal });
    }
  }
}
