import type { Timers } from "../../../shared/values/timers.js";
import type { Log } from "../../observe/log.js";

type HeadAgeOptions = {
  /** Unix time in seconds of the newest block; undefined while none is known. */
  genUtime(): number | undefined;
  maxSec: number;
  /** Wall clock in milliseconds. */
  now(): number;
  timers: Timers;
  log: Pick<Log, "info" | "warn">;
};

const checkEveryMs = 5000;

/**
 * Age of the newest block of a network. Liteservers that stand still together, or that are cut off from the network, all
 * report the same old block, which no comparison among them shows. Logs when the age exceeds the limit, and when it no
 * longer does. The owner must `close` it.
 */
export class HeadAge {
  readonly #options: HeadAgeOptions;
  #isLogged = false;
  #stopTimer: () => void = () => {};

  constructor(options: HeadAgeOptions) {
    this.#options = options;
    this.#check();
  }

  /** Undefined while no block is known. A block may be of the near future: 0 then. */
  get sec(): number | undefined {
    const { genUtime, now } = this.#options;
    const made = genUtime();
    return made === undefined ? undefined : Math.max(0, Math.floor(now() / 1000) - made);
  }

  /** Why the network counts as stopped; undefined while its newest block is recent. */
  staleReason(): string | undefined {
    const { sec } = this;
    const isStale = sec !== undefined && sec > this.#options.maxSec;
    this.#log(isStale);
    return isStale ? `The newest block of the liteservers is ${sec} s old` : undefined;
  }

  close(): void {
    this.#stopTimer();
  }

  #check(): void {
    this.staleReason();
    this.#stopTimer = this.#options.timers.after(checkEveryMs, () => this.#check());
  }

  #log(isStale: boolean): void {
    if (isStale === this.#isLogged) return;
    this.#isLogged = isStale;
    const { log, maxSec } = this.#options;
    const facts = { ageSec: this.sec, maxSec };
    if (isStale) log.warn(facts, "the newest block of the liteservers is too old");
    else log.info(facts, "the newest block of the liteservers is recent again");
  }
}
