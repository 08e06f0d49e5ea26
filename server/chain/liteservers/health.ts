import type { Timers } from "../../../shared/values/timers.js";

const minPauseMs = 1000;
const maxPauseMs = 60_000;
const minBanMs = 3_600_000;
const maxBanMs = 24 * minBanMs;

/** Backoff and bans of a server: suspended after a timeout until it answers again, banned for hours after a lie. */
export class Health {
  readonly #timers: Timers;
  readonly #random: () => number;
  #failures = 0;
  #bans = 0;
  #bannedUntil = 0;

  constructor(timers: Timers, random: () => number) {
    this.#timers = timers;
    this.#random = random;
  }

  /** Unix time in milliseconds; in the past if not banned, Infinity if banned forever. */
  get bannedUntil(): number {
    return this.#bannedUntil;
  }

  get isBanned(): boolean {
    return this.#bannedUntil > this.#timers.now();
  }

  get isBannedForever(): boolean {
    return this.#bannedUntil === Number.POSITIVE_INFINITY;
  }

  /** Whether it has not answered since its last timeout. */
  get isSuspended(): boolean {
    return this.#failures > 0;
  }

  answered(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures++;
  }

  /** Backoff before the next probe, in milliseconds, with jitter. */
  get pauseMs(): number {
    const longest = Math.min(maxPauseMs, minPauseMs * 2 ** Math.max(0, this.#failures - 1));
    return longest * (0.5 + this.#random() / 2);
  }

  /** Bans the server, each time for twice as long; returns the duration in milliseconds. */
  ban(): number {
    const banMs = Math.min(maxBanMs, minBanMs * 2 ** this.#bans++);
    this.#bannedUntil = this.#timers.now() + banMs;
    return banMs;
  }

  /** For servers of another network. */
  banForever(): void {
    this.#bannedUntil = Number.POSITIVE_INFINITY;
  }
}
