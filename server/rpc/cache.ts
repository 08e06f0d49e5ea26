import { LRUCache } from "lru-cache";
import type { Freshness } from "../../shared/methods/define.js";
import type { Json } from "../../shared/methods/json-text.js";

/** Identifies the newest block of the chain or of the index; `undefined` before the first block. */
export type Head = { readonly current: string | undefined };

/** For services without a chain or an index: answers that depend on one are not cached. */
export const noHead: Head = { current: undefined };

export type CacheOptions = {
  /** Bytes of each of the four stores: immutable answers, and those of each kind of head. */
  maxBytes: number;
  chain: Head;
  index: Head;
};

/** The cache entry of one call. Taken before the handler runs, so that a new block meanwhile invalidates it. */
export interface Slot {
  /** Identifies the run that equal calls share; differs for another head. */
  readonly flightKey: string;
  read(): Json | undefined;
  write(json: Json): void;
}

/**
 * Caches results as JSON text. There is no TTL: results that depend on the newest block are dropped with the next
 * one, immutable results are evicted least recently used first. Long results are cached when they are asked for again.
 */
export class AnswerCache {
  #immutable: AnswerStore;
  readonly #maxBytes: number;
  readonly #doorkeeper = new Doorkeeper();
  /** Counts calls of `forget`, so that calls in flight before one do not share their results with later ones. */
  #era = 0;
  readonly #byHead: Readonly<Record<"head" | "index" | "both", HeadStore>>;

  constructor({ maxBytes, chain, index }: CacheOptions) {
    this.#maxBytes = maxBytes;
    this.#immutable = this.#createStore();
    this.#byHead = {
      head: new HeadStore(chain, this.#createStore()),
      index: new HeadStore(index, this.#createStore()),
      both: new HeadStore(both(chain, index), this.#createStore()),
    };
  }

  /** Drops immutable results, as a devnet was reverted. Results of calls in flight are not cached either. */
  forget(): void {
    this.#era++;
    this.#immutable = this.#createStore();
  }

  /** The slot of a call; `undefined` if its result is never cached. */
  slot(freshness: Freshness, key: string, params: Readonly<Record<string, unknown>>): Slot | undefined {
    switch (freshness.kind) {
      case "immutable":
        return this.#immutableSlot(key);
      case "head": {
        const pinned = freshness.pinnedBy?.every((name) => params[name] !== undefined) ?? false;
        return pinned ? this.#immutableSlot(key) : this.#byHead.head.slot(key);
      }
      case "index":
      case "both":
        return this.#byHead[freshness.kind].slot(key);
      default:
        return undefined;
    }
  }

  #immutableSlot(key: string): Slot {
    return new ImmutableSlot(this.#immutable, `${this.#era} ${key}`);
  }

  #createStore(): AnswerStore {
    return new AnswerStore(this.#maxBytes, this.#doorkeeper);
  }
}

class ImmutableSlot implements Slot {
  readonly flightKey: string;
  readonly #store: AnswerStore;

  constructor(store: AnswerStore, key: string) {
    this.#store = store;
    this.flightKey = key;
  }

  read(): Json | undefined {
    return this.#store.get(this.flightKey);
  }

  write(json: Json): void {
    this.#store.set(this.flightKey, json);
  }
}

/** Results that depend on a head. The first access after the head has changed clears the store. */
class HeadStore {
  readonly #head: Head;
  readonly #store: AnswerStore;
  #storedFor: string | undefined;

  constructor(head: Head, store: AnswerStore) {
    this.#head = head;
    this.#store = store;
  }

  slot(key: string): Slot | undefined {
    const head = this.#head.current;
    if (head === undefined) return undefined;
    if (head !== this.#storedFor) this.#store.clear();
    this.#storedFor = head;
    return new HeadSlot(this, head, key);
  }

  get(key: string): Json | undefined {
    return this.#store.get(key);
  }

  /** Ignores a result if the head has changed since its slot was taken: it may belong to either head. */
  set(head: string, key: string, json: Json): void {
    if (this.#head.current === head && this.#storedFor === head) this.#store.set(key, json);
  }
}

class HeadSlot implements Slot {
  readonly #owner: HeadStore;
  readonly #head: string;
  readonly #key: string;

  constructor(owner: HeadStore, head: string, key: string) {
    this.#owner = owner;
    this.#head = head;
    this.#key = key;
  }

  get flightKey(): string {
    return `${this.#head} ${this.#key}`;
  }

  read(): Json | undefined {
    return this.#owner.get(this.#key);
  }

  write(json: Json): void {
    this.#owner.set(this.#head, this.#key, json);
  }
}

/** Results that the doorkeeper admits, up to a number of bytes. */
class AnswerStore {
  readonly #answers: LRUCache<string, Json>;
  readonly #doorkeeper: Doorkeeper;

  constructor(maxBytes: number, doorkeeper: Doorkeeper) {
    // At most two bytes per character, and about 100 bytes of overhead per entry.
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (json, key) => sizeOf(json) + 2 * key.length + 100,
    });
    this.#doorkeeper = doorkeeper;
  }

  get(key: string): Json | undefined {
    return this.#answers.get(key);
  }

  set(key: string, json: Json): void {
    if (this.#doorkeeper.admits(key, json)) this.#answers.set(key, json);
  }

  clear(): void {
    this.#answers.clear();
  }
}

/**
 * Keeps pages that nobody asks for again out of the cache, to which lent bytes have to be copied. A question is known for as
 * long as others are not asked more often, under later heads too.
 */
class Doorkeeper {
  readonly #asked = new LRUCache<string, true>({
    maxSize: 1024 * 1024,
    sizeCalculation: (_, key) => 2 * key.length + 100,
  });

  /** Whether a result is to be cached; if it is, its bytes are kept. */
  admits(key: string, json: Json): boolean {
    if (typeof json === "string" || !json.isLent) return true;
    const isKnown = this.#asked.get(key) ?? false;
    if (isKnown) json.keep();
    else this.#asked.set(key, true);
    return isKnown;
  }
}

/** A head that changes with either of two; undefined while one of them is. */
function both(chain: Head, index: Head): Head {
  return {
    get current() {
      const { current } = index;
      return current === undefined || chain.current === undefined ? undefined : `${chain.current} ${current}`;
    },
  };
}

function sizeOf(json: Json): number {
  return typeof json === "string" ? 2 * json.length : json.bytes.buffer.byteLength;
}
