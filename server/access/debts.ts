import { RecentMap } from "../../shared/values/recent-map.js";

const maxBuckets = 10_000;

/** Debts of buckets for expensive calls, in memory: the time at which each is paid. */
export class LocalDebts {
  /** Wall clock, ms. */
  readonly #now: () => number;
  readonly #paidAt = new RecentMap<string, number>(maxBuckets);

  constructor(now: () => number) {
    this.#now = now;
  }

  msOf(bucket: string): number {
    return Math.max(0, (this.#paidAt.get(bucket) ?? 0) - this.#now());
  }

  /** Adds to a debt. Several together grow to a maximum, a single one counts as a whole. Returns the whole of it. */
  add(bucket: string, ms: number, maxMs: number): number {
    const before = this.msOf(bucket);
    const owed = Math.max(before, ms, Math.min(maxMs, before + ms));
    this.#paidAt.set(bucket, this.#now() + owed);
    return owed;
  }
}
