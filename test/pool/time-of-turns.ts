import { ManualTimers } from "./manual-timers.js";

/**
 * Time that passes with the turns of the event loop, in which servers and pool go on: faster than real time where they
 * are quick, and never so fast that they would be late.
 */
export class TimeOfTurns extends ManualTimers {
  readonly #clock = setInterval(() => this.pass(20), 10);

  close(): void {
    clearInterval(this.#clock);
  }
}
