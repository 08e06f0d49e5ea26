import { ManualTimers } from "./manual-timers.js";

/**
 * A clock that advances with the turns of the event loop, so a slow machine cannot make servers or pool miss a deadline.
 * It advances while a timer is pending.
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
