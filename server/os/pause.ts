import { setTimeout as wait } from "node:timers/promises";

/** Resolves after the time, or when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
