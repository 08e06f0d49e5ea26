import { setImmediate } from "node:timers/promises";

/** Longest stretch of work before others in this thread get their turn. */
const defaultSliceMs = 8;

/**
 * Breaks up long work, so that reads are answered while a block is made or taken in. Works that share a slice take
 * turns: in one round of the event loop one of them goes on.
 */
export class TimeSlice {
  readonly #sliceMs: number;
  #sliceBegan = performance.now();
  #turn = Promise.resolve();

  constructor(sliceMs: number = defaultSliceMs) {
    this.#sliceMs = sliceMs;
  }

  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#sliceBegan < this.#sliceMs) return;
    this.#turn = this.#turn.then(() => setImmediate());
    await this.#turn;
    this.#sliceBegan = performance.now();
  }
}
