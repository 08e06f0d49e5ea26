/** Limit of first entries that run concurrently, and the number of them up to which a batch may run a second entry. */
const most = 24;
const mostBesides = 16;

/** Bounds the running entries of batches of which no result is known: each of them may be long. */
export class FirstEntryLimit {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Begins an entry, of a batch of which another one runs if not `isFirst`; false if it may not begin now. */
  begin(isFirst: boolean): boolean {
    if (this.#running >= (isFirst ? most : mostBesides)) return false;
    this.#running++;
    return true;
  }

  end(): void {
    this.#running--;
    const retry = this.#waiting.shift();
    // In a later turn of the event loop, so that other callers get answers in between.
    if (retry) setImmediate(retry);
  }

  /** Calls back once an entry has ended; call it after `begin(true)` returned false. */
  wait(retry: () => void): void {
    this.#waiting.push(retry);
  }
}
