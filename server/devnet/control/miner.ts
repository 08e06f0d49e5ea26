import type { DevnetChain } from "../chain/devnet-chain.js";
import { DevnetError } from "../devnet-error.js";

/** When blocks are made: at an interval while there is work, immediately for each message, or only on request. */
export type MiningMode = "interval" | "message" | "manual";

/** `intervalMs`: the time between blocks in the mode "interval", and between those that elections need in all modes. */
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
  /** `waiting`: for the timer, if it is set, or for work. */
  #state: "new" | "waiting" | "stepping" | "closed" = "new";

  constructor(setting: MiningSetting, target: MiningTarget, nowMs: () => number) {
    this.#setting = setting;
    this.#target = target;
    this.#nowMs = nowMs;
    this.#lastMs = nowMs();
  }

  /** Starts making steps, unless it was closed before. */
  start(): void {
    if (this.#state === "new") this.#state = "waiting";
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
    if (this.#state !== "waiting") return;
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
    this.#state = "closed";
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
    this.#state = "stepping";
    try {
      await this.#target.step();
    } catch (error) {
      this.#notBeforeMs = this.#nowMs() + retryMs;
      this.#target.onError(error);
    } finally {
      if (this.#state === "stepping") this.#state = "waiting";
      this.wake();
    }
  }
}

/** A miner of the chain, which its blocks and messages wake. `onError` gets the errors of steps. */
export function minerOf(
  chain: DevnetChain,
  setting: MiningSetting,
  { nowMs, onError }: { nowMs(): number; onError(error: unknown): void },
): Miner {
  const target: MiningTarget = {
    hasWork: () => chain.canWork,
    msUntilDue: () => msUntilDue(chain),
    // Ticks and tocks of idle blocks would bury other transactions; elections need them.
    step: () => chain.step({ noTicks: !chain.hasWork && chain.operator === undefined }),
    // A data folder that is not writable was reported; each retry would report it again.
    onError: (error) => {
      if (!(error instanceof DevnetError && error.kind === "unavailable")) onError(error);
    },
  };
  const miner = new Miner(setting, target, nowMs);
  chain.msUntilStep = () => miner.msUntilBlock;
  // Imports for a read do not put off the block that messages wait for.
  chain.heads.add(() => chain.isAtImport || miner.onBlock());
  chain.accepted.add(() => miner.wake());
  chain.fork?.imports.progress.add(() => miner.wake());
  return miner;
}

/** A fixed clock does not advance by waiting. */
function msUntilDue({ electionDue, clock, lastUtime }: DevnetChain): number | undefined {
  if (electionDue === undefined) return undefined;
  const seconds = Math.max(0, electionDue - clock.next(lastUtime));
  return seconds > 0 && clock.mode === "fixed" ? undefined : seconds * 1000;
}
