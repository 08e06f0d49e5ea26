import { setImmediate } from "node:timers/promises";

/** Longest stretch of work before others in this thread get their turn. */
const sliceMs = 8;

/** Breaks up long work, so that reads are answered while a block is made or taken in. */
export class Pace {
  #sliceBegan = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.#sliceBegan < sliceMs) return;
    await setImmediate();
    this.#sliceBegan = performance.now();
  }
}
