const leastForSweep = 1000;

/** A map that forgets the entries that are over, once it has twice as many as after the last time. */
export class SweptMap<Value> {
  readonly #isOver: (value: Value) => boolean;
  readonly #entries = new Map<string, Value>();
  #sweepAt = leastForSweep;

  constructor(isOver: (value: Value) => boolean) {
    this.#isOver = isOver;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#entries.size >= this.#sweepAt) this.#sweep();
    this.#entries.set(key, value);
  }

  values(): Iterable<Value> {
    return this.#entries.values();
  }

  #sweep(): void {
    for (const [key, value] of this.#entries) if (this.#isOver(value)) this.#entries.delete(key);
    this.#sweepAt = Math.max(leastForSweep, 2 * this.#entries.size);
  }
}
