import { LRUCache } from "lru-cache";
import { type Json, type SharedJson, SingleUseJson, sharedJson } from "../../shared/methods/json-text.js";
import type { PlainFreshness } from "./bind.js";
import type { IndexVersion } from "./shared-run.js";

/** Identifies the newest block of the chain or of the index; `undefined` before the first block. */
export type Head = {
  readonly current: string | undefined;
  /** The newest known version of an index. */
  readonly version?: IndexVersion | undefined;
};

/** For services without a chain or an index: answers that depend on one are not cached. */
export const noHead: Head = { current: undefined };

type CacheOptions = {
  /** Capacity in bytes of each of the four stores: immutable answers, and answers for each kind of head. */
  maxBytes: number;
  chain: Head;
  index: Head;
  /**
   * Whether the chain is in the memory of this process. Reading its newest state takes less time than storing an answer
   * and dropping it with the next block, so these answers are cached at their second request. Default: false.
   */
  isChainLocal?: boolean;
};

/** The cache entry of one call. Taken before the handler runs, so that a new block meanwhile invalidates it. */
export interface Slot {
  /** Identifies the run that equal calls share; differs for another head. */
  readonly runKey: string;
  /** The version of the index that stored results were read at. */
  readonly indexVersion?: IndexVersion | undefined;
  read(): SharedJson | undefined;
  /** `readAt`: the oldest version of the index that was read for the result, if any was. */
  write(json: Json, readAt?: IndexVersion): void;
}

/**
 * Caches results as JSON text. There is no TTL: results that depend on the newest block are dropped with the next one,
 * immutable results are evicted least recently used first. Long results, and cheap ones, are cached at their second
 * request.
 */
export class AnswerCache {
  #immutable: AnswerStore;
  readonly #maxBytes: number;
  readonly #doorkeeper = new Doorkeeper();
  /** Counts calls of `forget`, so that calls in flight before one do not share their results with later ones. */
  #era = 0;
  readonly #byHead: Readonly<Record<"head" | "index" | "both", HeadStore>>;

  constructor({ maxBytes, chain, index, isChainLocal = false }: CacheOptions) {
    this.#maxBytes = maxBytes;
    this.#immutable = this.#createStore();
    this.#byHead = {
      head: new HeadStore(chain, this.#createStore(isChainLocal)),
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
  slot(freshness: PlainFreshness, key: string, params: Readonly<Record<string, unknown>>): Slot | undefined {
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

  #createStore(isSelective = false): AnswerStore {
    return new AnswerStore(this.#maxBytes, this.#doorkeeper, isSelective);
  }
}

class ImmutableSlot implements Slot {
  readonly runKey: string;
  readonly #store: AnswerStore;

  constructor(store: AnswerStore, key: string) {
    this.#store = store;
    this.runKey = key;
  }

  read(): SharedJson | undefined {
    return this.#store.get(this.runKey);
  }

  write(json: Json): void {
    this.#store.set(this.runKey, json);
  }
}

/** Results that depend on a head. The first access after the head has changed clears the store. */
class HeadStore {
  readonly #head: Head;
  readonly #store: AnswerStore;
  #storedFor: string | undefined;
  /** Results of one head have one version of the index. */
  #version: IndexVersion | undefined;

  constructor(head: Head, store: AnswerStore) {
    this.#head = head;
    this.#store = store;
  }

  slot(key: string): Slot | undefined {
    const head = this.#head.current;
    if (head === undefined) return undefined;
    if (head !== this.#storedFor) {
      this.#store.clear();
      this.#version = undefined;
    }
    this.#storedFor = head;
    return new HeadSlot(this, head, key);
  }

  get version(): IndexVersion | undefined {
    return this.#version;
  }

  get(key: string): SharedJson | undefined {
    return this.#store.get(key);
  }

  /**
   * Ignores a result if the head has changed since its slot was taken: it may belong to either head. Ignores one that was
   * read from an older version of the index, as a standby may have.
   */
  set(head: string, key: string, json: Json, readAt: IndexVersion | undefined): void {
    if (this.#head.current !== head || this.#storedFor !== head) return;
    if (readAt && readAt.n !== this.#head.version?.n) return;
    this.#version ??= readAt;
    this.#store.set(key, json);
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

  get runKey(): string {
    return `${this.#head} ${this.#key}`;
  }

  get indexVersion(): IndexVersion | undefined {
    return this.#owner.version;
  }

  read(): SharedJson | undefined {
    return this.#owner.get(this.#key);
  }

  write(json: Json, readAt?: IndexVersion): void {
    this.#owner.set(this.#head, this.#key, json, readAt);
  }
}

/** Results up to a total of bytes: all results, or only those requested twice. */
class AnswerStore {
  readonly #answers: LRUCache<string, SharedJson>;
  readonly #doorkeeper: Doorkeeper;
  readonly #isSelective: boolean;

  constructor(maxBytes: number, doorkeeper: Doorkeeper, isSelective: boolean) {
    // At most two bytes per character, and about 100 bytes of overhead per entry.
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (json, key) => sizeOf(json) + 2 * key.length + 100,
    });
    this.#doorkeeper = doorkeeper;
    this.#isSelective = isSelective;
  }

  get(key: string): SharedJson | undefined {
    return this.#answers.get(key);
  }

  /** Texts of single use would have to be copied, so they are stored only at their second request. */
  set(key: string, json: Json): void {
    if ((json instanceof SingleUseJson || this.#isSelective) && !this.#doorkeeper.knows(key)) return;
    this.#answers.set(key, sharedJson(json));
  }

  clear(): void {
    this.#answers.clear();
  }
}

/** A power of two. */
const rememberedQuestions = 1 << 15;
/** Characters of a question that are compared; the last ones, if it is longer. */
const comparedCharacters = 256;

/**
 * Remembers requested questions, also over later heads: a hash each, until another question overwrites it. It allocates
 * nothing, as most questions are asked once. Confusing two questions costs no more than a place in the cache.
 */
class Doorkeeper {
  readonly #asked = new Uint32Array(rememberedQuestions);

  /** Whether a question was asked before; from now on it was. */
  knows(question: string): boolean {
    const hash = hashOf(question);
    const place = hash % rememberedQuestions;
    const isKnown = this.#asked[place] === hash;
    this.#asked[place] = hash;
    return isKnown;
  }
}

/** FNV-1a of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  for (let i = Math.max(0, text.length - comparedCharacters); i < text.length; i++)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** A head that changes with either of two; undefined while one of them is. */
function both(chain: Head, index: Head): Head {
  return {
    get current() {
      const { current } = index;
      return current === undefined || chain.current === undefined ? undefined : `${chain.current} ${current}`;
    },
    get version() {
      return index.version;
    },
  };
}

function sizeOf(json: SharedJson): number {
  return typeof json === "string" ? 2 * json.length : json.bytes.buffer.byteLength;
}
