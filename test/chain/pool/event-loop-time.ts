import { ManualTimers } from "../../helpers/manual-timers.js";

/**
 * Time that passes with the turns of the event loop, in which servers and pool go on: faster than real time where they
 * are quick, and never so fast that they would be late. It passes as long as somebody waits for it.
 */
export class TimeOfTurns extends ManualTimers {
  #clock: NodeJS.Timeout | undefined;

  constructor() {
    super(Date.now());
  }

  override after(ms: number, callback: () => void): () => void {
    this.#clock ??= setInterval(() => this.#turn(), 10);
    return super.after(ms, callback);
  }

  close(): void {
    clearInterval(this.#clock);
    this.#clock = undefined;
  }

  #turn(): void {
    this.pass(20);
    if (this.waiting === 0) this.close();
  }
}
