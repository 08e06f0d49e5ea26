/** Limits of what a connection can cause beyond the rate limit of its caller. */
export type FloodLimits = {
  /** Refusals per window of the rate limit that are answered before reading is paused. */
  maxRefusals: number;
  /** Consecutive windows with a pause after which the connection is closed. */
  maxPauses: number;
  /** Free pings per `pingWindowMs`; further ones are charged. */
  maxPings: number;
};

/** Longest pause for a window of the rate limit; shorter than the silence after which a client is pinged. */
const maxPauseMs = 10_000;
const pingWindowMs = 30_000;

/** Counts refusals and pings of one connection. Decides when to stop reading from it, and when to close it. */
export class FloodGuard {
  readonly #limits: FloodLimits;
  /** Monotonic clock, ms. */
  readonly #now: () => number;
  #refusals = 0;
  #windowEndsAt = 0;
  #pauses = 0;
  #pings = 0;
  #pingsEndAt = 0;

  constructor(limits: FloodLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Whether nothing must be read until the caller's window opens. */
  get isPaused(): boolean {
    return this.#refusals >= this.#limits.maxRefusals && this.#now() < this.#windowEndsAt;
  }

  /** Whether the client has ignored its rate limit in too many windows. */
  get isExhausted(): boolean {
    return this.#pauses >= this.#limits.maxPauses;
  }

  /** Counts calls that were refused. `retryAfterSec`: time until the caller's window opens. */
  refused(calls: number, retryAfterSec = 1): void {
    const { maxRefusals } = this.#limits;
    const time = this.#now();
    if (time >= this.#windowEndsAt) this.#beginWindow(time, retryAfterSec);
    const before = this.#refusals;
    this.#refusals += calls;
    if (before < maxRefusals && this.#refusals >= maxRefusals) this.#pauses++;
  }

  /** Counts pings; returns how many of them exceed the rate of a heartbeat. */
  pinged(pings = 1): number {
    const time = this.#now();
    if (time >= this.#pingsEndAt) {
      this.#pings = 0;
      this.#pingsEndAt = time + pingWindowMs;
    }
    const before = this.#pings;
    this.#pings += pings;
    return Math.max(0, this.#pings - Math.max(before, this.#limits.maxPings));
  }

  #beginWindow(time: number, retryAfterSec: number): void {
    const wasPaused = this.#refusals >= this.#limits.maxRefusals;
    if (!wasPaused || time >= this.#windowEndsAt + maxPauseMs) this.#pauses = 0;
    this.#refusals = 0;
    this.#windowEndsAt = time + Math.min(retryAfterSec * 1000, maxPauseMs);
  }
}
