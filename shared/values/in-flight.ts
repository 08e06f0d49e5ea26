/**
 * Values in flight, by key. A Map with short-lived entries allocates one table after another, and V8 keeps everything
 * alive that a discarded table refers to until it collects the whole heap: a quarter of the allocations of serving
 * calls survived because of it. An object's dictionary reuses the places of deleted entries.
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

  /** Removes a key and returns its value. */
  take(key: Key): Value | undefined {
    const value = this.#entries[key];
    delete this.#entries[key];
    return value;
  }

  /** Removes and returns all values. */
  takeAll(): Value[] {
    const values = Object.values(this.#entries);
    this.#entries = Object.create(null);
    return values;
  }
}
