import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { StoredPair } from "./chain-records.js";
import { RevertedError } from "./reverted-error.js";
import type { ChainRoots } from "./state-store.js";

/** A stored step with the root cells of its blocks. */
export type ReadPair = StoredPair & { roots: ChainRoots };

/** Number of cached steps. They are parsed from the log, whose lazy cells take far less memory than the collator's. */
const maxCached = 64;
/** Maximum number of concurrent reads; further ones wait. */
const maxRunning = 16;

/**
 * Stored steps by seqno. Equal reads are shared. A running read is not in the cache, so that other reads cannot evict
 * it.
 */
export class PairReads {
  readonly #read: (seqno: number) => Promise<ReadPair>;
  readonly #cached = new LRUCache<number, ReadPair>({ max: maxCached });
  readonly #running = new Map<number, Promise<ReadPair>>();
  readonly #limit = pLimit(maxRunning);

  /** `read` reads a step from the log and rejects if there is none. */
  constructor(read: (seqno: number) => Promise<ReadPair>) {
    this.#read = read;
  }

  /** Rejects with `RevertedError` if the step is reverted before it is read. */
  async get(seqno: number): Promise<ReadPair> {
    return this.#cached.get(seqno) ?? this.#running.get(seqno) ?? this.#start(seqno);
  }

  /** Drops the steps after this one, including those that are being read. */
  truncate(last: number): void {
    for (const steps of [this.#cached, this.#running])
      for (const seqno of [...steps.keys()]) if (seqno > last) steps.delete(seqno);
  }

  #start(seqno: number): Promise<ReadPair> {
    const isCurrent = () => this.#running.get(seqno) === run;
    const assertCurrent = () => {
      if (!isCurrent()) throw new RevertedError(seqno);
    };
    const run: Promise<ReadPair> = this.#limit(async () => {
      assertCurrent();
      // A revert takes precedence over a failed read of the step.
      const pair = await this.#read(seqno).finally(assertCurrent);
      this.#cached.set(seqno, pair);
      return pair;
    }).finally(() => {
      if (isCurrent()) this.#running.delete(seqno);
    });
    this.#running.set(seqno, run);
    return run;
  }
}
