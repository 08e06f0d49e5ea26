const leastForSweep = 1000;

/** A map that forgets the entries that are over, once it has twice as many as after the last time. */
export class SweptMap<Value> extends Map<string, Value> {
  readonly #isOver: (value: Value) => boolean;
  #sweepAt = leastForSweep;

  constructor(isOver: (value: Value) => boolean) {
    super();
    this.#isOver = isOver;
  }

  override set(key: string, value: Value): this {
    if (this.size >= this.#sweepAt) this.#sweep();
    return super.set(key, value);
  }

  #sweep(): void {
    for (const [key, value] of this) if (this.#isOver(value)) this.delete(key);
    this.#sweepAt = Math.max(leastForSweep, 2 * this.size);
  }
}
