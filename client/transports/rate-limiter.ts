import type { Clock, RateLimit } from "./transport.js";

const second = 1000;
const minute = 60 * second;
/** A learned limit is raised by a tenth per minute, so that a temporary limit does not stay forever. */
const growth = 1.1;

/**
 * Sliding-window rate limiter, safe however the service's own windows are aligned. Unlimited until a limit is given
 * or learned from a refusal.
 */
export class RateLimiter {
  readonly #now: () => number;
  readonly #given: Limit | undefined;
  #limit: Limit | undefined;
  /** When the current limit was learned; `undefined` if it was given. */
  #refusedAt: number | undefined;
  #blockedUntil = 0;
  /** Times of calls in the window, oldest first. */
  #made: number[] = [];

  constructor({ now }: Pick<Clock, "now">, given: RateLimit | undefined) {
    this.#now = now;
    if (!given) return;
    const calls = given.burst ?? Math.ceil(given.rps);
    this.#given = { calls, windowMs: (calls / given.rps) * second };
    this.#limit = this.#given;
  }

  /** Returns how many of the wanted calls may be made now, and counts them. */
  take(wanted: number): number {
    if (!this.#limit) return wanted;
    const now = this.#now();
    if (now < this.#blockedUntil) return 0;
    const since = now - this.#window(now);
    this.#made = this.#made.filter((time) => time > since);
    const granted = Math.min(wanted, this.#limit.calls - this.#made.length);
    for (let i = 0; i < granted; i++) this.#made.push(now);
    return granted;
  }

  /** Time until `take` grants a call again. */
  waitMs(): number {
    const now = this.#now();
    const free = (this.#made[0] ?? 0) + this.#window(now);
    return Math.max(now + 1, free, this.#blockedUntil) - now;
  }

  /** Learns from a 429 answer: `policy` is the header `RateLimit-Policy` (`"plan";q=10;w=1`). */
  refused(policy: string | null | undefined, retryAfterMs = second): void {
    const now = this.#now();
    // Wait at most a minute, even if the service wants more.
    const waitMs = Math.min(minute, Math.max(retryAfterMs, 1));
    const calls = /;\s*q=([1-9]\d{0,8})/.exec(policy ?? "")?.[1];
    const seconds = /;\s*w=([1-9]\d{0,8})/.exec(policy ?? "")?.[1];
    const learned: Limit =
      calls && seconds
        ? { calls: Number(calls), windowMs: Math.min(minute, Number(seconds) * second) }
        : { calls: 1, windowMs: waitMs };
    this.#limit =
      this.#given && this.#given.calls / this.#given.windowMs < learned.calls / learned.windowMs
        ? this.#given
        : learned;
    this.#refusedAt = this.#limit === learned ? now : undefined;
    this.#blockedUntil = now + waitMs;
    this.#made = [];
  }

  #window(now: number): number {
    const minutes = Math.floor((now - (this.#refusedAt ?? now)) / minute);
    return this.#limit!.windowMs / growth ** minutes;
  }
}

/** At most `calls` in any window of `windowMs`. */
type Limit = { readonly calls: number; readonly windowMs: number };
