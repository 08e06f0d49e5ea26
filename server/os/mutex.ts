import { settled } from "../../shared/values/promises.js";

/** Runs jobs one at a time, in the order of the calls. A failed job does not affect the next. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = settled(result);
    return result;
  }

  /** Resolves when all jobs submitted so far have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
