import { LRUCache } from "lru-cache";
import type { Freshness } from "../../shared/methods/define.js";

/** Where the service's data stand: a key that changes with every new block; `undefined` before the first. */
export type Head = { readonly current: string | undefined };

/** No chain, no index: nothing depends on them, so nothing is stored for them. */
export const noHead: Head = { current: undefined };

export type CacheOptions = {
  /** Bound on the stored text, each for immutable answers and for those of every kind of head. */
  maxBytes: number;
  chain: Head;
  index: Head;
};

/** A place for one answer: taken before the handler runs, so that a block coming in meanwhile voids it. */
export interface Slot {
  /** Tells equal calls in flight apart from those of another head. */
  readonly flightKey: string;
  read(): string | undefined;
  write(json: string): void;
}

/**
 * Results as JSON text, ready to be put into an answer. Nothing expires by time: what depends on the newest
 * block goes when the next one comes, what cannot change stays until room is needed.
 */
export class AnswerCache {
  #immutable: LRUCache<string, string>;
  readonly #maxBytes: number;
  /** How often everything was forgotten; calls from before do not share their answers with later ones. */
  #era = 0;
  readonly #byHead: Readonly<Record<"head" | "index" | "both", HeadStore>>;

  constructor({ maxBytes, chain, index }: CacheOptions) {
    this.#maxBytes = maxBytes;
    this.#immutable = createStore(maxBytes);
    this.#byHead = {
      head: new HeadStore(chain, maxBytes),
      index: new HeadStore(index, maxBytes),
      both: new HeadStore(both(chain, index), maxBytes),
    };
  }

  /** What could not change has changed: a devnet went back. Answers still under way will not be kept either. */
  forget(): void {
    this.#era++;
    this.#immutable = createStore(this.#maxBytes);
  }

  /** The slot of a call, `undefined` for what is never stored. */
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
}

class ImmutableSlot implements Slot {
  readonly flightKey: string;
  readonly #store: LRUCache<string, string>;

  constructor(store: LRUCache<string, string>, key: string) {
    this.#store = store;
    this.flightKey = key;
  }

  read(): string | undefined {
    return this.#store.get(this.flightKey);
  }

  write(json: string): void {
    this.#store.set(this.flightKey, json);
  }
}

/** Answers that belong to one head; the first look after it has changed empties the store. */
class HeadStore {
  readonly #head: Head;
  readonly #store: LRUCache<string, string>;
  #storedFor: string | undefined;

  constructor(head: Head, maxBytes: number) {
    this.#head = head;
    this.#store = createStore(maxBytes);
  }

  slot(key: string): Slot | undefined {
    const head = this.#head.current;
    if (head === undefined) return undefined;
    if (head !== this.#storedFor) this.#store.clear();
    this.#storedFor = head;
    return new HeadSlot(this, head, key);
  }

  get(key: string): string | undefined {
    return this.#store.get(key);
  }

  /** An answer that took longer than the block may come from either of the two heads: not worth keeping. */
  set(head: string, key: string, json: string): void {
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

  read(): string | undefined {
    return this.#owner.get(this.#key);
  }

  write(json: string): void {
    this.#owner.set(this.#head, this.#key, json);
  }
}

/** Changes with either of two heads; unknown while one of them is. */
function both(chain: Head, index: Head): Head {
  return {
    get current() {
      const { current } = index;
      return current === undefined || chain.current === undefined ? undefined : `${chain.current} ${current}`;
    },
  };
}

function createStore(maxBytes: number): LRUCache<string, string> {
  // Two bytes per character at most, and a hundred for the entry itself.
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: (json, key) => 2 * (json.length + key.length) + 100,
  });
}
