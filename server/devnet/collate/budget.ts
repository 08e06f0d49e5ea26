type Allowance = { transactions: number; timeMs: number };

/** How much a step may do; what does not fit waits for the next one. */
export class Budget {
  readonly #transactions: number;
  readonly #untilMs: number;
  readonly #nowMs: () => number;
  readonly #spent: { transactions: number };

  private constructor(
    transactions: number,
    untilMs: number,
    nowMs: () => number,
    spent: { transactions: number },
  ) {
    this.#transactions = transactions;
    this.#untilMs = untilMs;
    this.#nowMs = nowMs;
    this.#spent = spent;
  }

  /** From now on. An infinite time leaves it to the transactions, so that equal input gives equal blocks. */
  static of({ transactions, timeMs }: Allowance, nowMs: () => number): Budget {
    return new Budget(transactions, nowMs() + timeMs, nowMs, { transactions: 0 });
  }

  /** The same budget for somebody who has to leave a part to others. */
  reserving({ transactions, timeMs }: Allowance): Budget {
    return new Budget(this.#transactions - transactions, this.#untilMs - timeMs, this.#nowMs, this.#spent);
  }

  spend(): void {
    this.#spent.transactions++;
  }

  get remaining(): number {
    return this.#nowMs() < this.#untilMs ? Math.max(0, this.#transactions - this.#spent.transactions) : 0;
  }
}
