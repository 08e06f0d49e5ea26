import { Refused } from "../devnet-error.js";

/** `wall` follows the machine's clock (shifted by whoever set the time), `fixed` gives each block one second. */
export type ClockMode = "wall" | "fixed";

/** Blocks have 32 bits for it: from here on time stands still. */
export const endOfTime = 0xffffffff;

/** What was done to a clock. */
export type Moved = { readonly shift: number; readonly asked: number | undefined };

/** Tells the time of the next block. Chain time never runs backwards. */
export class ChainClock {
  #mode: ClockMode;
  /** Seconds between the machine's clock and ours. */
  #shift = 0;
  /** A time somebody asked for; it holds for the next block. */
  #asked: number | undefined;
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
    if (this.#asked !== undefined) return Math.max(this.#asked, last);
    const due = this.#mode === "fixed" ? last + 1 : Math.floor(this.#wallSeconds()) + this.#shift;
    return Math.min(Math.max(due, last), endOfTime);
  }

  get moved(): Moved {
    return { shift: this.#shift, asked: this.#asked };
  }

  /** As it was when `moved` said so. */
  restore({ shift, asked }: Moved): void {
    this.#shift = shift;
    this.#asked = asked;
  }

  /** A block was made; an asked time has had its effect. */
  used(): void {
    this.#asked = undefined;
  }

  setMode(mode: ClockMode): void {
    this.#mode = mode;
  }

  /** The next block gets this time and a wall clock runs on from there. */
  set(time: number, last: number): void {
    if (!Number.isInteger(time) || time > endOfTime)
      throw new Refused("invalid", `${time} is not a unix time`);
    if (time < last) throw new Refused("conflict", `time ${time} is before the last block's time ${last}`);
    this.#asked = time;
    this.#shift = time - Math.floor(this.#wallSeconds());
  }
}
