import type { Metrics } from "../../observe/metrics.js";
import { type Limit, windowSec } from "./plan.js";
import { SweptMap } from "./swept-map.js";
import type { Count, Counters } from "./windows.js";

/** The result of charging points. */
export type Spending = {
  /** Points granted; calls beyond them must be refused. */
  readonly granted: number;
  /** Whether the caller had exceeded its limit before these points were charged. */
  readonly overdrawn?: boolean;
  /** Seconds until the next window; set if points were refused. */
  readonly retryAfterSec?: number;
  /** `RateLimit` and `RateLimit-Policy`, plus `Retry-After` if points were refused; empty for unlimited plans. */
  readonly headers: Readonly<Record<string, string>>;
};

/** The bucket that points are taken from, and the plan that limits it. */
export type Bucket = { readonly name: string; readonly plan: string; readonly limit: Limit };

type RateLimitOptions = {
  counters: Counters;
  metrics: Pick<Metrics, "refused">;
  /** Wall clock, ms. */
  now: () => number;
};

/** Longest time for which a caller pays for several expensive calls; for a dearer one it pays as long as that takes. */
const maxDebtMs = 60_000;

/** A bucket without points: its window has none left, or pays for expensive calls. */
type Closed = { readonly opensAt: number; readonly forMs: number; readonly burst: number };

/** Charges points against limits. */
export class RateLimit {
  readonly #counters: Counters;
  readonly #metrics: Pick<Metrics, "refused">;
  readonly #now: () => number;
  /** Calls of these buckets are refused without asking the counters. */
  readonly #closed: SweptMap<Closed>;

  constructor({ counters, metrics, now }: RateLimitOptions) {
    this.#counters = counters;
    this.#metrics = metrics;
    this.#now = now;
    this.#closed = new SweptMap(({ opensAt }) => opensAt <= now());
  }

  /** Synchronous if the bucket is known to have no points, or the counters are in memory. */
  spend(bucket: Bucket, points: number): Spending | Promise<Spending> {
    const msLeft = this.#closedMs(bucket);
    if (msLeft === 0) return this.#count(bucket, points);
    return this.#spending(bucket, points, { left: Number.NEGATIVE_INFINITY, msBeforeNext: msLeft });
  }

  /**
   * Charges points for calls that were served already. Windows that follow have fewer points until they are paid: the bucket
   * pays as fast as its plan gives it points.
   */
  async settle(bucket: Bucket, points: number): Promise<void> {
    const { name, limit } = bucket;
    const owedMs = await this.#counters.owe(name, (points / limit.rps) * 1000, maxDebtMs);
    const msLeft = msUntilPoint(limit, owedMs);
    if (msLeft > this.#closedMs(bucket)) this.#close(bucket, msLeft);
  }

  #count(bucket: Bucket, points: number): Spending | Promise<Spending> {
    const { name, limit } = bucket;
    const charge = { bucket: name, points, windowSec: windowSec(limit), burst: limit.burst };
    const count = this.#counters.add(charge);
    return count instanceof Promise
      ? count.then((late) => this.#counted(bucket, points, late))
      : this.#counted(bucket, points, count);
  }

  #counted(bucket: Bucket, points: number, count: Count): Spending {
    const balance = balanceOf(bucket.limit, count);
    if (balance.left < 0) this.#close(bucket, balance.msBeforeNext);
    return this.#spending(bucket, points, balance);
  }

  #close({ name, limit }: Bucket, forMs: number): void {
    this.#closed.set(name, { opensAt: this.#now() + forMs, forMs, burst: limit.burst });
  }

  /** Milliseconds until the bucket has points; 0 if it is not known to have none. */
  #closedMs({ name, limit }: Bucket): number {
    const closed = this.#closed.get(name);
    if (!closed) return 0;
    const left = closed.opensAt - this.#now();
    // The clock was set back, the plan has changed, or the bucket is open again.
    if (left > 0 && left <= closed.forMs && closed.burst === limit.burst) return left;
    this.#closed.delete(name);
    return 0;
  }

  #spending({ plan, limit }: Bucket, points: number, balance: Balance): Spending {
    const refused = Math.min(points, Math.max(0, -balance.left));
    const headers = rateHeaders(plan, limit, balance);
    if (refused === 0) return { granted: points, headers };
    this.#metrics.refused(plan, refused);
    const retryAfterSec = secondsLeft(balance);
    return {
      granted: points - refused,
      ...(-balance.left > points && { overdrawn: true }),
      retryAfterSec,
      headers: { ...headers, "Retry-After": String(retryAfterSec) },
    };
  }
}

/** Points that are left, negative if too many were charged, and the time until there are more. */
type Balance = { left: number; msBeforeNext: number };

function balanceOf(limit: Limit, { consumedPoints, msBeforeNext, owedMs }: Count): Balance {
  const left = Math.floor(limit.burst - consumedPoints - (owedMs * limit.rps) / 1000);
  // The counters compute the time from the wall clock, which may have been set back.
  const windowMs = Math.min(windowSec(limit) * 1000, msBeforeNext);
  return { left, msBeforeNext: left > 0 ? windowMs : Math.max(windowMs, msUntilPoint(limit, owedMs)) };
}

/** Time until the debt is small enough for a window to have a point. */
function msUntilPoint({ rps, burst }: Limit, owedMs: number): number {
  return owedMs - ((burst - 1) / rps) * 1000;
}

/** Structured fields of draft-ietf-httpapi-ratelimit-headers-10. */
function rateHeaders(plan: string, limit: Limit, balance: Balance): Record<string, string> {
  return {
    "RateLimit-Policy": `"${plan}";q=${limit.burst};w=${windowSec(limit)}`,
    RateLimit: `"${plan}";r=${Math.max(0, balance.left)};t=${secondsLeft(balance)}`,
  };
}

/** Whole seconds until there are more points, rounded up, at least one. */
function secondsLeft({ msBeforeNext }: Balance): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
