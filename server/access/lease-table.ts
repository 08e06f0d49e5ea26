import { LocalDebts } from "./debts.js";
import { SweptMap } from "./swept-map.js";

/** Points that a process takes from the window of a bucket: those of its calls, and if possible some for later calls. */
export type LeaseRequest = {
  readonly bucket: string;
  readonly points: number;
  readonly windowSec: number;
  /** Points of a whole window. */
  readonly burst: number;
};

export type Lease = {
  /** Identifies the window, so that points of another one are not used in it; absent if `extra` is 0. */
  readonly window?: number;
  /** Points consumed in the window, with those of `extra` and of all other leases. */
  readonly consumedPoints: number;
  /** Points for later calls of the process. */
  readonly extra: number;
  readonly msBeforeNext: number;
  /** Time until the bucket has paid for its expensive calls. */
  readonly owedMs: number;
};

/** Leased points that a process does not need. */
export type Rest = {
  readonly bucket: string;
  readonly window: number;
  readonly points: number;
  /** Points of a whole window. */
  readonly burst: number;
};

/** Grants leases to processes. */
export interface LeaseSource {
  lease(request: LeaseRequest): Promise<Lease>;
  /** Makes points available to other processes; after their window they are void. */
  giveBack(rest: Rest): Promise<void> | void;
  /** As `owe` of `Counters`. */
  owe(bucket: string, ms: number, maxMs: number): Promise<number>;
}

type Window = { id: number; endsAt: number; consumedPoints: number };

/**
 * A process may have this share of its part of the points that are left. What it has is refused to others, so a bucket
 * that all processes serve loses at most this share of a window, and the last points are leased one by one.
 */
const share = 1 / 4;

/** Windows and debts of all buckets, from which the processes of one service take leases. Nothing is leased beyond a limit. */
export class LeaseTable {
  readonly #holders: number;
  /** Wall clock, ms. */
  readonly #now: () => number;
  readonly #debts: LocalDebts;
  readonly #windows: SweptMap<Window>;
  #lastId = 0;

  /** `holders`: the number of processes. */
  constructor(holders: number, now: () => number) {
    this.#holders = holders;
    this.#now = now;
    this.#debts = new LocalDebts(now);
    this.#windows = new SweptMap(({ endsAt }) => endsAt <= now());
  }

  lease({ bucket, points, windowSec, burst }: LeaseRequest): Lease {
    const now = this.#now();
    const window = this.#windowOf(bucket, 1000 * windowSec, now);
    const owedMs = this.#debts.msOf(bucket);
    window.consumedPoints += points;
    const owedPoints = (owedMs / 1000 / windowSec) * burst;
    const left = burst - window.consumedPoints - owedPoints;
    const extra = Math.max(0, Math.floor((left * share) / this.#holders));
    window.consumedPoints += extra;
    const { id, endsAt, consumedPoints } = window;
    return { window: id, consumedPoints, extra, msBeforeNext: endsAt - now, owedMs };
  }

  /** Calls that were refused have counted, too: they leave no room for what comes back. */
  giveBack({ bucket, window: id, points, burst }: Rest): void {
    const window = this.#windows.get(bucket);
    if (window?.id !== id || window.endsAt <= this.#now()) return;
    window.consumedPoints = Math.max(0, Math.min(window.consumedPoints, burst) - points);
  }

  owe(bucket: string, ms: number, maxMs: number): number {
    return this.#debts.add(bucket, ms, maxMs);
  }

  #windowOf(bucket: string, windowMs: number, now: number): Window {
    const known = this.#windows.get(bucket);
    // Its end is far away if the clock was set back.
    if (known && known.endsAt > now && known.endsAt - now <= windowMs) return known;
    const window = { id: ++this.#lastId, endsAt: now + windowMs, consumedPoints: 0 };
    this.#windows.set(bucket, window);
    return window;
  }
}
