import type { Timers } from "../lite/call.js";

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
 * The first of two attempts that brings something. The second one begins when the first has taken so long, unless there
 * is nobody to make it. Undefined when both have brought nothing; the first that throws ends it.
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
    const stop = timers.after(afterMs, () => {
      const other = second();
      if (!other) return;
      open++;
      other.then(end, fail);
    });
    first.then(end, fail);
  });
}
