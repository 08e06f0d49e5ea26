/** Some hours of a network whose blocks come every few seconds. */
const maxFailures = 12;

/** Attempts at something that blocks ask for: after a failure 2, then 4, 8 and so on blocks later, until there were too many. */
export class Attempts {
  #failures = 0;
  #next = 0;

  isDue(seqno: number): boolean {
    return seqno >= this.#next;
  }

  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  /** Whether there will be no further one. */
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
