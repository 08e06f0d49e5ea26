/** Covers some hours of a network with a block every few seconds. */
const maxFailures = 12;

/**
 * Retries counted in blocks: after a failure the next attempt is 2, then 4, 8 and so on blocks later, up to a limit.
 */
export class BlockRetries {
  #failures = 0;
  #next = 0;

  isDue(seqno: number): boolean {
    return seqno >= this.#next;
  }

  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  /** Whether the limit is reached. */
  get isOver(): boolean {
    return this.#failures >= maxFailures;
  }

  failed(seqno: number): void {
    this.#failures++;
    this.#next = this.isOver ? Number.POSITIVE_INFINITY : seqno + 2 ** this.#failures;
  }

  reset(): void {
    this.#failures = 0;
    this.#next = 0;
  }
}
