import type { TrustProgress } from "./trust-chain.js";

/** Guesses how many key blocks there still are from how far apart they were so far. */
export class SyncPace {
  #first: number | undefined;
  #last = 0;
  #proven = 0;

  add(keyBlock: number): void {
    this.#first ??= keyBlock;
    this.#last = keyBlock;
    this.#proven++;
  }

  progress(keyBlock: number, target: number): TrustProgress {
    const span = this.#last - (this.#first ?? this.#last);
    const apart = this.#proven > 1 ? span / (this.#proven - 1) : Number.POSITIVE_INFINITY;
    const left = Math.ceil(Math.max(0, target - keyBlock) / apart);
    return { keyBlock, proven: this.#proven, about: this.#proven + left };
  }
}
