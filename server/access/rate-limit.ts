import type { Metrics } from "../observe/metrics.js";
import { ClosedWindows } from "./closed-windows.js";
import type { Count, Counters } from "./counters.js";
import { type Limit, windowSec } from "./plan.js";

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

/** Charges points against limits. */
export class RateLimit {
  readonly #counters: Counters;
  readonly #metrics: Pick<Metrics, "refused">;
  readonly #closed: ClosedWindows;

  constructor({ counters, metrics, now }: RateLimitOptions) {
    this.#counters = counters;
    this.#metrics = metrics;
    this.#closed = new ClosedWindows(now);
  }

  spend(bucket: Bucket, points: number): Spending | Promise<Spending> {
    const msLeft = this.#closed.msLeft(bucket.name, bucket.limit.burst);
    if (msLeft === undefined) return this.#count(bucket, points);
    return this.#spending(bucket, points, { left: Number.NEGATIVE_INFINITY, msBeforeNext: msLeft });
  }

  /**
   * Charges points for calls that were served already. Windows that follow have fewer points until they are paid: the bucket
   * pays as fast as its plan gives it points.
   */
  async settle({ name, limit }: Bucket, points: number): Promise<void> {
    const owedMs = await this.#counters.owe(name, (points / limit.rps) * 1000, maxDebtMs);
    const msLeft = msUntilPoint(limit, owedMs);
    if (msLeft > (this.#closed.msLeft(name, limit.burst) ?? 0)) this.#closed.close(name, limit.burst, msLeft);
  }

  async #count(bucket: Bucket, points: number): Promise<Spending> {
    const { name, limit } = bucket;
    const counted = await this.#counters.add(name, points, windowSec(limit), limit.burst);
    const balance = balanceOf(limit, counted);
    if (balance.left < 0) this.#closed.close(name, limit.burst, balance.msBeforeNext);
    return this.#spending(bucket, points, balance);
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
