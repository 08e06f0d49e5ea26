/**
 * The most recently used entries: at least `least` of them, at most twice as many. It allocates for its content only,
 * unlike a cache of fixed size, whose creation takes milliseconds for tens of thousands of entries.
 */
export class RecentMap<Key, Value extends NonNullable<unknown>> {
  readonly #least: number;
  #recent = new Map<Key, Value>();
  /** Has what was not used since `#recent` was begun. */
  #older = new Map<Key, Value>();

  constructor(least: number) {
    this.#least = least;
  }

  has(key: Key): boolean {
    return this.#recent.has(key) || this.#older.has(key);
  }

  /** This is a use of the entry. */
  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    this.#older.delete(key);
    if (this.#recent.size >= this.#least && !this.#recent.has(key)) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }

  delete(key: Key): void {
    this.#recent.delete(key);
    this.#older.delete(key);
  }

  clear(): void {
    this.#older.clear();
    this.#recent.clear();
  }
}
