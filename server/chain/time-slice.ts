import { setImmediate } from "node:timers/promises";

/** Longest uninterrupted work in milliseconds. */
const defaultSliceMs = 8;

/**
 * Splits long work, so that requests are answered while a block is made or stored. Tasks that share a slice take turns:
 * one of them continues per round of the event loop.
 */
export class TimeSlice {
  readonly #sliceMs: number;
  #sliceBegan = performance.now();
  #turn = Promise.resolve();

  constructor(sliceMs: number = defaultSliceMs) {
    this.#sliceMs = sliceMs;
  }

  /** Yields to the event loop if the slice is used up. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#sliceBegan < this.#sliceMs) return;
    this.#turn = this.#turn.then(() => setImmediate());
    await this.#turn;
    this.#sliceBegan = performance.now();
  }
}
