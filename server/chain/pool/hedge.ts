import type { Timers } from "../timers.js";

/** Of so many questions one may be asked twice, and so many in a row. */
const questionsPerHedge = 10;
const maxSaved = 10;

/** Keeps second questions a small part of all questions, also when every server has become slow. */
export class HedgeBudget {
  #saved = maxSaved;

  /** A question is asked for the first time. */
  earn(): void {
    this.#saved = Math.min(maxSaved, this.#saved + 1 / questionsPerHedge);
  }

  /** Whether there may be a second one now. */
  spend(): boolean {
    if (this.#saved < 1) return false;
    this.#saved--;
    return true;
  }
}

/**
 * The first attempt that brings something. A second one begins when the first has taken so long, and another one whenever
 * that brings nothing, unless there is nobody to make it. Undefined when none has brought anything; the first that throws
 * ends it.
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
