import { SweptMap } from "./swept-map.js";

/** Points to take from the window of a bucket. */
export type Charge = {
  readonly bucket: string;
  readonly points: number;
  readonly windowSec: number;
  /** Points of a whole window. */
  readonly burst: number;
};

/** State of a bucket's window after a charge, whether within the limit or not. */
export type Count = {
  /** Points consumed in the window, with those of all leases. */
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
  /** Time until the bucket has paid for its expensive calls. */
  readonly owedMs: number;
};

/** Counts points in fixed windows that start with a bucket's first point, and debts. Does not enforce limits. */
export interface Counters {
  add(charge: Charge): Promise<Count> | Count;
  /**
   * Adds to the debt of a bucket, which time reduces. Several together grow to a maximum, a single one counts as a whole.
   * Returns the whole of it in milliseconds.
   */
  owe(bucket: string, ms: number, maxMs: number): Promise<number> | number;
  close(): Promise<void> | void;
}

export type Lease = Count & {
  /** Identifies the window, so that points of another one are not used in it; absent if `extra` is 0. */
  readonly window?: number;
  /** Points for later calls of the process. */
  readonly extra: number;
};

/** Leased points that a process does not need. */
export type UnusedPoints = {
  readonly bucket: string;
  readonly window: number;
  readonly points: number;
  /** Points of a whole window. */
  readonly burst: number;
};

/** Grants leases to processes. */
export interface LeaseSource {
  /** Charges the points of the process's calls, and if possible some for its later calls. */
  lease(charge: Charge): Promise<Lease> | Lease;
  /** Makes points available to other processes; after their window they are void. */
  giveBack(unused: UnusedPoints): Promise<void> | void;
  /** As `owe` of `Counters`. */
  owe(bucket: string, ms: number, maxMs: number): Promise<number> | number;
}

type Window = { id: number; endsAt: number; consumedPoints: number; paidAt: number };

const noWindow: Window = { id: 0, endsAt: 0, consumedPoints: 0, paidAt: 0 };

/**
 * A process may have this share of its part of the points that are left. What it has is refused to others, so a bucket
 * that all processes serve loses at most this share of a window, and the last points are leased one by one.
 */
const share = 1 / 4;

/**
 * The windows and debts of all buckets, in memory while they last. One process alone counts in them; several processes of
 * one service take leases from them. Nothing is leased beyond a limit.
 */
export class Windows implements Counters, LeaseSource {
  /** Wall clock, ms. */
  readonly #now: () => number;
  readonly #processes: number;
  readonly #windows: SweptMap<Window>;
  #lastId = 0;

  constructor(now: () => number, processes = 1) {
    this.#now = now;
    this.#processes = processes;
    this.#windows = new SweptMap(({ endsAt, paidAt }) => Math.max(endsAt, paidAt) <= now());
  }

  add(charge: Charge): Count {
    return this.#countOf(this.#charged(charge));
  }

  lease(charge: Charge): Lease {
    const window = this.#charged(charge);
    const count = this.#countOf(window);
    const owedPoints = (count.owedMs / 1000 / charge.windowSec) * charge.burst;
    const left = charge.burst - count.consumedPoints - owedPoints;
    const extra = Math.max(0, Math.floor((left * share) / this.#processes));
    window.consumedPoints += extra;
    return { ...count, consumedPoints: window.consumedPoints, window: window.id, extra };
  }

  /** Calls that were refused have counted, too: they leave no room for what comes back. */
  giveBack({ bucket, window: id, points, burst }: UnusedPoints): void {
    const window = this.#windows.get(bucket);
    if (window?.id !== id || window.endsAt <= this.#now()) return;
    window.consumedPoints = Math.max(0, Math.min(window.consumedPoints, burst) - points);
  }

  owe(bucket: string, ms: number, maxMs: number): number {
    const window = this.#windows.get(bucket) ?? noWindow;
    const before = Math.max(0, window.paidAt - this.#now());
    const owed = Math.max(before, ms, Math.min(maxMs, before + ms));
    this.#windows.set(bucket, { ...window, paidAt: this.#now() + owed });
    return owed;
  }

  close(): void {}

  #charged({ bucket, points, windowSec }: Charge): Window {
    const now = this.#now();
    let window = this.#windows.get(bucket) ?? noWindow;
    if (window.endsAt <= now) {
      window = { ...window, id: ++this.#lastId, endsAt: now + 1000 * windowSec, consumedPoints: 0 };
      this.#windows.set(bucket, window);
    }
    // Its end is far away if the clock was set back.
    window.endsAt = Math.min(window.endsAt, now + 1000 * windowSec);
    window.consumedPoints += points;
    return window;
  }

  #countOf({ consumedPoints, endsAt, paidAt }: Window): Count {
    const now = this.#now();
    return { consumedPoints, msBeforeNext: endsAt - now, owedMs: Math.max(0, paidAt - now) };
  }
}
