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

export type RateLimitOptions = {
  counters: Counters;
  metrics: Pick<Metrics, "refused">;
  /** Wall clock, ms. */
  now: () => number;
};

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
    const { name, limit } = bucket;
    const msBeforeNext = this.#closed.msLeft(name, limit.burst, windowSec(limit));
    if (msBeforeNext === undefined) return this.#count(bucket, points);
    return this.#spending(bucket, points, { consumedPoints: Number.POSITIVE_INFINITY, msBeforeNext });
  }

  async #count(bucket: Bucket, points: number): Promise<Spending> {
    const { name, limit } = bucket;
    const counted = await this.#counters.add(name, points, windowSec(limit));
    if (counted.consumedPoints > limit.burst) this.#closed.close(name, limit.burst, counted.msBeforeNext);
    return this.#spending(bucket, points, counted);
  }

  #spending({ plan, limit }: Bucket, points: number, counted: Count): Spending {
    const refused = Math.min(points, Math.max(0, counted.consumedPoints - limit.burst));
    const headers = rateHeaders(plan, limit, counted);
    if (refused === 0) return { granted: points, headers };
    this.#metrics.refused(plan, refused);
    const retryAfterSec = secondsLeft(counted, windowSec(limit));
    return {
      granted: points - refused,
      ...(counted.consumedPoints - points > limit.burst && { overdrawn: true }),
      retryAfterSec,
      headers: { ...headers, "Retry-After": String(retryAfterSec) },
    };
  }
}

/** Structured fields of draft-ietf-httpapi-ratelimit-headers-10. */
function rateHeaders(plan: string, limit: Limit, counted: Count): Record<string, string> {
  const window = windowSec(limit);
  const left = Math.max(0, limit.burst - counted.consumedPoints);
  return {
    "RateLimit-Policy": `"${plan}";q=${limit.burst};w=${window}`,
    RateLimit: `"${plan}";r=${left};t=${secondsLeft(counted, window)}`,
  };
}

/**
 * Whole seconds until the next window, rounded up, at least one. At most a window: the counters compute the time from the
 * wall clock, which may have been set back.
 */
function secondsLeft({ msBeforeNext }: Count, window: number): number {
  return Math.min(window, Math.max(1, Math.ceil(msBeforeNext / 1000)));
}
