/** When blocks are made: at an interval while there is work, immediately for each message, or only on request. */
export type MiningMode = "interval" | "message" | "manual";

export type MiningSetting = { mode: MiningMode; intervalMs: number };

/** Interval of blocks in an idle chain, so that its time advances. */
const heartbeatMs = 10_000;
/** Maximum delay of a timer. */
const maxDelayMs = 0x7fffffff;
/** Delay after a failed step. */
const retryMs = 1000;

/** The chain's interface to the miner. */
type MiningTarget = {
  /** Whether a message waits in the mempool or in a queue. */
  hasWork(): boolean;
  /** Milliseconds until elections need a block, 0 if they need one now. Undefined if they need none. */
  msUntilDue?(): number | undefined;
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

  /** Takes effect immediately. */
  change(setting: MiningSetting): void {
    this.#setting = setting;
    this.wake();
  }

  /** Reschedules; call when there may be new work. */
  wake(): void {
    clearTimeout(this.#timer);
    if (this.#busy || !this.#started) return;
    const delay = this.#delay();
    if (delay !== undefined) this.#timer = setTimeout(() => void this.#run(), delay);
  }

  /** Call after each block, including requested ones. */
  onBlock(): void {
    this.#lastMs = this.#nowMs();
    this.wake();
  }

  /** Milliseconds until a block for a message sent now. 0 if blocks are made only on request. */
  get msUntilBlock(): number {
    const { mode, intervalMs } = this.#setting;
    return mode === "interval" ? Math.max(0, this.#lastMs + intervalMs - this.#nowMs()) : 0;
  }

  close(): void {
    this.#started = false;
    clearTimeout(this.#timer);
  }

  #delay(): number | undefined {
    if (this.#setting.mode === "manual") return undefined;
    const now = this.#nowMs();
    const times = [this.#nextRegular(), this.#nextDue(now)].filter((time) => time !== undefined);
    if (times.length === 0) return undefined;
    return Math.min(Math.max(0, Math.min(...times) - now, this.#notBeforeMs - now), maxDelayMs);
  }

  /** Time of the next block for waiting messages or for the heartbeat. */
  #nextRegular(): number | undefined {
    const { mode, intervalMs } = this.#setting;
    const work = this.#target.hasWork();
    if (mode === "message") return work ? this.#lastMs : undefined;
    return this.#lastMs + (work ? intervalMs : Math.max(heartbeatMs, intervalMs));
  }

  /** Time of the next block for elections. Consecutive ones keep the interval in every mode. */
  #nextDue(now: number): number | undefined {
    const wait = this.#target.msUntilDue?.();
    return wait === undefined ? undefined : Math.max(now + wait, this.#lastMs + this.#setting.intervalMs);
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
