/** Runs jobs one after another in the order they came; a failed job does not stop the next. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when every job given so far has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
