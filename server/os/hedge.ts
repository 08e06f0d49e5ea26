import type { Timers } from "../../shared/values/timers.js";

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

type Hedging<T> = {
  timers: Pick<Timers, "after">;
  afterMs: number;
  /** Before it, `first` has only waited for its turn. Default: no wait. */
  begun?: Promise<void>;
  second(): Promise<T | undefined> | undefined;
};

/**
 * Returns the first result of `first` and its hedges. `second` is called `afterMs` after `first` has begun, and again each
 * time a hedge gives undefined while `first` is pending; it returns undefined if no server is left. Undefined if all
 * attempts gave undefined. Rejects with the first attempt that throws.
 */
export function hedged<T>(
  first: Promise<T | undefined>,
  { timers, afterMs, begun, second }: Hedging<T>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    let open = 1;
    let isOver = false;
    let stopTimer = () => {};
    const stop = () => {
      isOver = true;
      stopTimer();
    };
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
    const begin = () => {
      if (!isOver) stopTimer = timers.after(afterMs, hedge);
    };
    if (begun) begun.then(begin);
    else begin();
    first.then(end, fail);
  });
}
