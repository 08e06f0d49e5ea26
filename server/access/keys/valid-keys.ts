import type { KnownKey } from "./key-store.js";

/** The keys that are valid, by hash and by owner. */
export class ValidKeys {
  /** Wall clock, ms. */
  readonly #now: () => number;
  #byHash = new Map<string, KnownKey>();
  /** In the order of their creation; most owners have one. */
  #byOwner = new Map<string, KnownKey[]>();
  /** No key ends before. */
  #nextEnd = Number.POSITIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#byHash.size;
  }

  /** The key with the hash of its text; it may have ended since the last `dropEnded`. */
  get(hash: string): KnownKey | undefined {
    return this.#byHash.get(hash);
  }

  /** The newest key of an owner that has not ended. */
  newestOf(owner: string): KnownKey | undefined {
    const now = this.#now();
    return this.#byOwner.get(owner)?.findLast(({ endsAt }) => endsAt > now);
  }

  /** Adds or changes a key; `ended` if it was valid before and is not any more. */
  put(key: KnownKey): "ended" | undefined {
    const isValid = key.endsAt > this.#now();
    const before = this.#byHash.get(key.hash);
    if (!isValid) {
      if (before) this.#remove(before);
      return before && "ended";
    }
    this.#byHash.set(key.hash, key);
    this.#nextEnd = Math.min(this.#nextEnd, key.endsAt);
    const own = this.#byOwner.get(key.owner);
    if (!own) this.#byOwner.set(key.owner, [key]);
    else if (before) own.splice(own.indexOf(before), 1, key);
    else own.push(key);
    return undefined;
  }

  /** Has these keys only. Returns those that it had and has not any more. */
  replace(keys: readonly KnownKey[]): KnownKey[] {
    const before = this.#byHash;
    this.#byHash = new Map();
    this.#byOwner = new Map();
    this.#nextEnd = Number.POSITIVE_INFINITY;
    for (const key of keys) this.put(key);
    return [...before.values()].filter(({ hash }) => !this.#byHash.has(hash));
  }

  /** Removes and returns the keys that have ended since. */
  dropEnded(): KnownKey[] {
    const now = this.#now();
    if (this.#nextEnd > now) return [];
    const ended = [...this.#byHash.values()].filter(({ endsAt }) => endsAt <= now);
    for (const key of ended) this.#remove(key);
    this.#nextEnd = Number.POSITIVE_INFINITY;
    for (const { endsAt } of this.#byHash.values()) this.#nextEnd = Math.min(this.#nextEnd, endsAt);
    return ended;
  }

  #remove(key: KnownKey): void {
    this.#byHash.delete(key.hash);
    const own = this.#byOwner.get(key.owner) ?? [];
    own.splice(own.indexOf(key), 1);
    if (own.length === 0) this.#byOwner.delete(key.owner);
  }
}
