/** When blocks are made: at an interval while there is work, immediately for each message, or only on request. */
export type MiningMode = "interval" | "message" | "manual";

export type MiningSetting = { mode: MiningMode; intervalMs: number };

/** Interval of blocks in an idle chain, so that its time advances. */
const heartbeatMs = 10_000;
/** Delay after a failed step. */
const retryMs = 1000;

/** The chain as the miner uses it. */
export type MiningTarget = {
  /** Whether a message waits in the mempool or in a queue. */
  hasWork(): boolean;
  step(): Promise<unknown>;
  onError(error: unknown): void;
};

/** Schedules steps according to its setting, one at a time. */
export class Miner {
  #setting: MiningSetting;
  readonly #target: MiningTarget;
  readonly #nowMs: () => number;
  #timer: NodeJS.Timeout | undefined;
  #lastMs: number;
  #notBeforeMs = 0;
  #busy = false;
  #started = false;

  constructor(setting: MiningSetting, target: MiningTarget, nowMs: () => number) {
    this.#setting = setting;
    this.#target = target;
    this.#nowMs = nowMs;
    this.#lastMs = nowMs();
  }

  /** Starts making steps. */
  start(): void {
    this.#started = true;
    this.wake();
  }

  get setting(): MiningSetting {
    return this.#setting;
  }

  /** Applies at once. */
  change(setting: MiningSetting): void {
    this.#setting = setting;
    this.wake();
  }

  /** Reschedules: call when there may be new work. */
  wake(): void {
    clearTimeout(this.#timer);
    if (this.#busy || !this.#started) return;
    const delay = this.#delay();
    if (delay !== undefined) this.#timer = setTimeout(() => void this.#run(), delay);
  }

  /** Call after each block, whoever requested it. */
  onBlock(): void {
    this.#lastMs = this.#nowMs();
    this.wake();
  }

  close(): void {
    this.#started = false;
    clearTimeout(this.#timer);
  }

  #delay(): number | undefined {
    const { mode, intervalMs } = this.#setting;
    const work = this.#target.hasWork();
    if (mode === "manual" || (mode === "message" && !work)) return undefined;
    const pause = mode === "message" ? 0 : work ? intervalMs : Math.max(heartbeatMs, intervalMs);
    return Math.max(0, this.#lastMs + pause - this.#nowMs(), this.#notBeforeMs - this.#nowMs());
  }

  async #run(): Promise<void> {
    this.#busy = true;
    try {
      await this.#target.step();
    } catch (error) {
      this.#notBeforeMs = this.#nowMs() + retryMs;
      this.#target.onError(error);
    } finally {
      this.#busy = false;
      this.wake();
    }
  }
}
