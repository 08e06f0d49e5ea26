import { DevnetError } from "../devnet-error.js";

/** `wall`: follows the system clock, shifted by `set`. `fixed`: each block is one step after the previous one. */
export type ClockMode = "wall" | "fixed";

/** Maximum unix time of a block (32 bits). Later blocks repeat it. */
export const endOfTime = 0xffffffff;

/** Changes made to a clock: seconds of shift, and the time requested for the next block. */
export type ClockOffset = { readonly shift: number; readonly requested: number | undefined };

/** Computes the unix time of the next block. Chain time never decreases. */
export class ChainClock {
  #mode: ClockMode;
  /** Seconds ahead of the system clock. */
  #shift = 0;
  /** Seconds between the blocks of a fixed clock. */
  #step = 1;
  /** The time requested for the next block only. */
  #requested: number | undefined;
  readonly #wallSeconds: () => number;

  constructor(mode: ClockMode, wallSeconds: () => number) {
    this.#mode = mode;
    this.#wallSeconds = wallSeconds;
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  get step(): number {
    return this.#step;
  }

  /**
   * The time of the next block, given the time of the last one, if it is made in `inMs` milliseconds. `offset`: by default
   * the current one.
   */
  next(last: number, inMs = 0, { shift, requested }: ClockOffset = this.offset): number {
    if (requested !== undefined) return Math.max(requested, last);
    const due =
      this.#mode === "fixed" ? last + this.#step : Math.floor(this.#wallSeconds() + inMs / 1000) + shift;
    return Math.min(Math.max(due, last), endOfTime);
  }

  get offset(): ClockOffset {
    return { shift: this.#shift, requested: this.#requested };
  }

  /** Undoes changes made since the offset was read. */
  restore({ shift, requested }: ClockOffset): void {
    this.#shift = shift;
    this.#requested = requested;
  }

  /** Call after each block: consumes the requested time. */
  onBlock(): void {
    this.#requested = undefined;
  }

  /** `step`: by default unchanged. */
  setMode(mode: ClockMode, step = this.#step): void {
    this.#mode = mode;
    this.#step = step;
  }

  /**
   * Sets the time of the next block; a wall clock continues from there. Throws `DevnetError`: "invalid" unless it is a
   * 32-bit unix time, "conflict" if it is before `last`, the time of the last block.
   */
  set(time: number, last: number): void {
    this.setNext(time, last);
    this.#shift = time - Math.floor(this.#wallSeconds());
  }

  /** Sets the time of the next block only. Throws as `set` does. */
  setNext(time: number, last: number): void {
    if (!Number.isInteger(time) || time > endOfTime)
      throw new DevnetError("invalid", `${time} is not a unix time`);
    if (time < last)
      throw new DevnetError("conflict", `time ${time} is before the last block's time ${last}`);
    this.#requested = time;
  }
}
