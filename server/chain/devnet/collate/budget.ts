/** How much one block may do; what does not fit waits for the next one. */
export class Budget {
  #transactions: number;
  readonly #untilMs: number;
  readonly #nowMs: () => number;

  /** Time counts only where the time of a run may decide what a block holds. */
  constructor(transactions: number, untilMs: number, nowMs: () => number) {
    this.#transactions = transactions;
    this.#untilMs = untilMs;
    this.#nowMs = nowMs;
  }

  spend(): void {
    this.#transactions--;
  }

  get left(): number {
    return this.#nowMs() < this.#untilMs ? Math.max(0, this.#transactions) : 0;
  }
}
