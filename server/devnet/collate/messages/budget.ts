type Allowance = { transactions: number; timeMs: number };

/** Limits the work of a step by transactions and time. Work beyond it waits for the next step. */
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

  /** A budget that starts now. With infinite time only transactions count, so equal input gives equal blocks. */
  static of({ transactions, timeMs }: Allowance, nowMs: () => number): Budget {
    return new Budget(transactions, nowMs() + timeMs, nowMs, { transactions: 0 });
  }

  /** A view of this budget that reserves a part for others. Both count the same transactions. */
  reserving({ transactions, timeMs }: Allowance): Budget {
    return new Budget(this.#transactions - transactions, this.#untilMs - timeMs, this.#nowMs, this.#spent);
  }

  /** Counts one transaction. */
  spend(): void {
    this.#spent.transactions++;
  }

  /** Number of transactions left; 0 once the time is over. */
  get remaining(): number {
    return this.#nowMs() < this.#untilMs ? Math.max(0, this.#transactions - this.#spent.transactions) : 0;
  }
}
