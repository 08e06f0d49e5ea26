import { ManualTimers } from "./manual-timers.js";

/**
 * Time that advances with the event loop: faster than real time, but never so fast that servers and pool miss their
 * deadlines on a busy machine. It advances while a timer waits.
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
