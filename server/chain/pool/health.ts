import type { Timers } from "../timers.js";

const minPauseMs = 1000;
const maxPauseMs = 60_000;
const minBanMs = 3_600_000;
const maxBanMs = 24 * minBanMs;

/** Whether a server may be asked: after silence not until it has shown a sign of life, after a lie for hours not. */
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

  /** Unix time in milliseconds; in the past when there is no ban. */
  get bannedUntil(): number {
    return this.#bannedUntil;
  }

  get isBanned(): boolean {
    return this.#bannedUntil > this.#timers.now();
  }

  get isBannedForever(): boolean {
    return this.#bannedUntil === Number.POSITIVE_INFINITY;
  }

  /** Nothing has been heard since it last failed to answer. */
  get isSuspended(): boolean {
    return this.#failures > 0;
  }

  answered(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures++;
  }

  /** How long to leave it alone before it is asked for a sign of life. */
  get pauseMs(): number {
    const longest = Math.min(maxPauseMs, minPauseMs * 2 ** Math.max(0, this.#failures - 1));
    return longest * (0.5 + this.#random() / 2);
  }

  /** Bans it, each time for twice as long; the result is for how long. */
  ban(): number {
    const banMs = Math.min(maxBanMs, minBanMs * 2 ** this.#bans++);
    this.#bannedUntil = this.#timers.now() + banMs;
    return banMs;
  }

  /** A server of another network does not become one of ours. */
  banForever(): void {
    this.#bannedUntil = Number.POSITIVE_INFINITY;
  }
}
