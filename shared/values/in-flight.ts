/**
 * What is in flight, by its key. A Map whose entries come and go allocates one table after the other, and V8 takes everything
 * for alive that a discarded table refers to, until it collects the whole heap: a quarter of what serving calls allocated
 * survived because of it. The dictionary of an object uses the places of deleted entries again.
 */
export class InFlight<Key extends string | number, Value> {
  #entries: Record<string | number, Value> = Object.create(null);

  get(key: Key): Value | undefined {
    return this.#entries[key];
  }

  set(key: Key, value: Value): void {
    this.#entries[key] = value;
  }

  delete(key: Key): void {
    delete this.#entries[key];
  }

  /** The value of a key, which is no longer in flight. */
  take(key: Key): Value | undefined {
    const value = this.#entries[key];
    delete this.#entries[key];
    return value;
  }

  /** All values; nothing is in flight then. */
  takeAll(): Value[] {
    const values = Object.values(this.#entries);
    this.#entries = Object.create(null);
    return values;
  }
}
