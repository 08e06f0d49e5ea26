/** When blocks are made: at a pace while there is work, at once for every message, or only when asked. */
export type MiningMode = "interval" | "message" | "manual";

export type MiningSetting = { mode: MiningMode; intervalMs: number };

/** Blocks made while nothing happens, so that the chain's time goes on. */
const heartbeatMs = 10_000;
/** Pause after a step that failed. */
const retryMs = 1000;

/** What the miner drives. */
export type Mine = {
  /** Whether a message waits, outside the chain or in one of its queues. */
  hasWork(): boolean;
  step(): Promise<unknown>;
  onError(error: unknown): void;
};

/** Makes steps at the times its setting says, one at a time. */
export class Miner {
  #setting: MiningSetting;
  readonly #mine: Mine;
  readonly #nowMs: () => number;
  #timer: NodeJS.Timeout | undefined;
  #lastMs: number;
  #notBeforeMs = 0;
  #busy = false;
  #started = false;

  constructor(setting: MiningSetting, mine: Mine, nowMs: () => number) {
    this.#setting = setting;
    this.#mine = mine;
    this.#nowMs = nowMs;
    this.#lastMs = nowMs();
  }

  /** From now on steps are made. */
  start(): void {
    this.#started = true;
    this.wake();
  }

  get setting(): MiningSetting {
    return this.#setting;
  }

  change(setting: MiningSetting): void {
    this.#setting = setting;
    this.wake();
  }

  /** Something came up that may need a block sooner than planned. */
  wake(): void {
    clearTimeout(this.#timer);
    if (this.#busy || !this.#started) return;
    const delay = this.#delay();
    if (delay !== undefined) this.#timer = setTimeout(() => void this.#run(), delay);
  }

  /** A block was made, by whomever. */
  made(): void {
    this.#lastMs = this.#nowMs();
    this.wake();
  }

  close(): void {
    this.#started = false;
    clearTimeout(this.#timer);
  }

  #delay(): number | undefined {
    const { mode, intervalMs } = this.#setting;
    const work = this.#mine.hasWork();
    if (mode === "manual" || (mode === "message" && !work)) return undefined;
    const pause = mode === "message" ? 0 : work ? intervalMs : Math.max(heartbeatMs, intervalMs);
    return Math.max(0, this.#lastMs + pause - this.#nowMs(), this.#notBeforeMs - this.#nowMs());
  }

  async #run(): Promise<void> {
    this.#busy = true;
    try {
      await this.#mine.step();
    } catch (error) {
      this.#notBeforeMs = this.#nowMs() + retryMs;
      this.#mine.onError(error);
    } finally {
      this.#busy = false;
      this.wake();
    }
  }
}
