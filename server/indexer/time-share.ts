export type TimeShareSetting = {
  /** The part of the time that passes which may be taken as CPU time. */
  readonly share: number;
  /** The most that is saved, in milliseconds; it is there at the start. */
  readonly savedMs: number;
  /** Milliseconds of a steady clock. */
  readonly now?: (() => number) | undefined;
};

/** CPU time that comes with the time that passes, however many blocks come in it. What is taken beyond it is owed. */
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

  /** Adds what has come since the last call. */
  refill(): void {
    const now = this.#now();
    const { share, savedMs } = this.#setting;
    this.#leftMs = Math.min(savedMs, this.#leftMs + share * (now - this.#since));
    this.#since = now;
  }

  /** Takes time, or gives it back. */
  take(ms: number): void {
    this.#leftMs -= ms;
  }
}
