export type TimeShareSetting = {
  /** Share of elapsed time available as CPU time. */
  readonly share: number;
  /** Maximum savings in milliseconds; also the initial balance. */
  readonly savedMs: number;
  /** Monotonic clock, milliseconds. */
  readonly now?: (() => number) | undefined;
};

/** A CPU time budget that grows with elapsed time, regardless of the number of blocks. Overruns are owed. */
export class TimeShare {
  readonly #setting: TimeShareSetting;
  readonly #now: () => number;
  #leftMs: number;
  #since: number;

  constructor(setting: TimeShareSetting) {
    this.#setting = setting;
    this.#now = setting.now ?? (() => performance.now());
    this.#leftMs = setting.savedMs;
    this.#since = this.#now();
  }

  get leftMs(): number {
    return this.#leftMs;
  }

  /** Adds the time earned since the last call. */
  refill(): void {
    const now = this.#now();
    const { share, savedMs } = this.#setting;
    this.#leftMs = Math.min(savedMs, this.#leftMs + share * (now - this.#since));
    this.#since = now;
  }

  /** Takes time; a negative value returns it. */
  take(ms: number): void {
    this.#leftMs -= ms;
  }
}
