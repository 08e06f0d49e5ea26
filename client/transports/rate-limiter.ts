import type { Clock, RateLimit } from "./transport.js";

const second = 1000;
const minute = 60 * second;
/** A learned limit creeps up by a tenth per minute. */
const growth = 1.1;

/**
 * At most so many calls in any window of so many milliseconds, however the service's own windows lie. No limit
 * until one is given or learned from a refusal.
 */
export class RateLimiter {
  readonly #now: () => number;
  #calls = Number.POSITIVE_INFINITY;
  #windowMs = 0;
  #refusedAt: number | undefined;
  #blockedUntil = 0;
  /** When calls were made, oldest first. */
  #made: number[] = [];

  constructor({ now }: Pick<Clock, "now">, limit: RateLimit | undefined) {
    this.#now = now;
    if (!limit) return;
    this.#calls = limit.burst ?? Math.max(1, Math.floor(limit.rps));
    this.#windowMs = (this.#calls / limit.rps) * second;
  }

  /** How many of so many calls may be made now; those are counted. */
  take(wanted: number): number {
    if (this.#calls === Number.POSITIVE_INFINITY) return wanted;
    const now = this.#now();
    if (now < this.#blockedUntil) return 0;
    const windowMs = this.#currentWindow(now);
    const gone = this.#made.findIndex((time) => time > now - windowMs);
    this.#made.splice(0, gone < 0 ? this.#made.length : gone);
    const granted = Math.min(wanted, this.#calls - this.#made.length);
    for (let i = 0; i < granted; i++) this.#made.push(now);
    return granted;
  }

  /** How long until `take` grants something again. */
  waitMs(): number {
    const now = this.#now();
    const free = (this.#made[0] ?? 0) + this.#currentWindow(now);
    return Math.max(1, Math.max(free, this.#blockedUntil) - now);
  }

  /** A call was refused: `policy` is the header `RateLimit-Policy` (`"plan";q=10;w=1`). */
  refused(policy: string | null, retryAfterMs = second): void {
    const now = this.#now();
    // Whatever the other side says, it gets asked again within a minute.
    const waitMs = Math.min(minute, Math.max(retryAfterMs, 1));
    const calls = Number(/;\s*q=(\d+)/.exec(policy ?? "")?.[1]);
    const window = Number(/;\s*w=(\d+)/.exec(policy ?? "")?.[1]);
    this.#calls = Math.min(calls || 1, 10_000);
    this.#windowMs = calls && window ? Math.min(minute, window * second) : waitMs;
    this.#refusedAt = now;
    this.#blockedUntil = now + waitMs;
    this.#made = [];
  }

  #currentWindow(now: number): number {
    const minutes = Math.floor((now - (this.#refusedAt ?? now)) / minute);
    return this.#windowMs / growth ** minutes;
  }
}
