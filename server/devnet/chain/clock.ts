import { DevnetError } from "../devnet-error.js";

/** `wall` follows the machine's clock (shifted by whoever set the time), `fixed` gives each block one second. */
export type ClockMode = "wall" | "fixed";

/** Blocks have 32 bits for it: from here on time stands still. */
export const endOfTime = 0xffffffff;

/** What was done to a clock. */
export type ClockOffset = { readonly shift: number; readonly requested: number | undefined };

/** Tells the time of the next block. Chain time never runs backwards. */
export class ChainClock {
  #mode: ClockMode;
  /** Seconds between the machine's clock and ours. */
  #shift = 0;
  /** A time somebody asked for; it holds for the next block. */
  #requested: number | undefined;
  readonly #wallSeconds: () => number;

  constructor(mode: ClockMode, wallSeconds: () => number) {
    this.#mode = mode;
    this.#wallSeconds = wallSeconds;
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  /** What the next block after one of `last` would carry. */
  next(last: number): number {
    if (this.#requested !== undefined) return Math.max(this.#requested, last);
    const due = this.#mode === "fixed" ? last + 1 : Math.floor(this.#wallSeconds()) + this.#shift;
    return Math.min(Math.max(due, last), endOfTime);
  }

  get offset(): ClockOffset {
    return { shift: this.#shift, requested: this.#requested };
  }

  /** As it was when `moved` said so. */
  restore({ shift, requested }: ClockOffset): void {
    this.#shift = shift;
    this.#requested = requested;
  }

  /** A block was made; an asked time has had its effect. */
  onBlock(): void {
    this.#requested = undefined;
  }

  setMode(mode: ClockMode): void {
    this.#mode = mode;
  }

  /** The next block gets this time and a wall clock runs on from there. */
  set(time: number, last: number): void {
    if (!Number.isInteger(time) || time > endOfTime)
      throw new DevnetError("invalid", `${time} is not a unix time`);
    if (time < last)
      throw new DevnetError("conflict", `time ${time} is before the last block's time ${last}`);
    this.#requested = time;
    this.#shift = time - Math.floor(this.#wallSeconds());
  }
}
