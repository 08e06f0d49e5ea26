/** Progress of the first proof of a chain, from the start block to the newest one. */
export type TrustProgress = {
  /** Seqno of the newest proven key block. */
  keyBlock: number;
  /** Key blocks proven so far. */
  proven: number;
  /** Estimated number of key blocks in total. */
  about: number;
};

/** Estimates the number of key blocks still to prove from the average distance between those proven. */
export class SyncProgress {
  #first: number | undefined;
  #last = 0;
  #proven = 0;

  add(keyBlock: number): void {
    this.#first ??= keyBlock;
    this.#last = keyBlock;
    this.#proven++;
  }

  /** `target` is the seqno of the block that the proof leads to. */
  estimate(keyBlock: number, target: number): TrustProgress {
    const span = this.#last - (this.#first ?? this.#last);
    const distance = this.#proven > 1 ? span / (this.#proven - 1) : Number.POSITIVE_INFINITY;
    const left = Math.ceil(Math.max(0, target - keyBlock) / distance);
    return { keyBlock, proven: this.#proven, about: this.#proven + left };
  }
}
