import type { Timers } from "../../../shared/values/timers.js";

/** One hedge per this many calls, and the largest burst. */
const questionsPerHedge = 10;
const maxSaved = 10;

/** Token bucket that keeps hedged requests a small share of all, even when every server is slow. */
export class HedgeBudget {
  #saved = maxSaved;

  /** Call once per first request. */
  earn(): void {
    this.#saved = Math.min(maxSaved, this.#saved + 1 / questionsPerHedge);
  }

  /** Takes a token; false if there is none, so the request must not be hedged. */
  spend(): boolean {
    if (this.#saved < 1) return false;
    this.#saved--;
    return true;
  }
}

/**
 * Returns the first result of `first` and its hedges. `second` is called after `afterMs`, and again each time a hedge
 * gives undefined while `first` is pending; it returns undefined if no server is left. Undefined if all attempts
 * gave undefined. Rejects with the first attempt that throws.
 */
export function hedged<T>(
  first: Promise<T | undefined>,
  {
    timers,
    afterMs,
    second,
  }: { timers: Timers; afterMs: number; second(): Promise<T | undefined> | undefined },
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    let open = 1;
    const end = (result: T | undefined) => {
      open--;
      if (result === undefined && open > 0) return;
      stop();
      resolve(result);
    };
    const fail = (error: unknown) => {
      stop();
      reject(error);
    };
    const hedge = () => {
      const other = second();
      if (!other) return;
      open++;
      other.then((result) => {
        const isFirstOpen = open > 1;
        if (result === undefined && isFirstOpen) hedge();
        end(result);
      }, fail);
    };
    const stop = timers.after(afterMs, hedge);
    first.then(end, fail);
  });
}
