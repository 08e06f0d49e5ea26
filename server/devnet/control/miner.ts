/** When blocks are made: at a pace while there is work, at once for every message, or only when asked. */
export type MiningMode = "interval" | "message" | "manual";

export type MiningSetting = { mode: MiningMode; intervalMs: number };

/** Blocks made while nothing happens, so that the chain's time goes on. */
const heartbeatMs = 10_000;
/** Pause after a step that failed. */
const retryMs = 1000;

/** What the miner drives. */
export type MiningTarget = {
  /** Whether a message waits, outside the chain or in one of its queues. */
  hasWork(): boolean;
  step(): Promise<unknown>;
  onError(error: unknown): void;
};

/** Makes steps at the times its setting says, one at a time. */
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
