import type { Timers } from "../../shared/values/timers.js";

/** Time that passes on the test's command. */
export class ManualTimers implements Timers {
  #time: number;
  readonly #waiting = new Set<{ at: number; callback: () => void }>();

  constructor(time = 1_000_000) {
    this.#time = time;
  }

  now(): number {
    return this.#time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#time + ms, callback };
    this.#waiting.add(timer);
    return () => this.#waiting.delete(timer);
  }

  /** Timers that have not gone off yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** In how many milliseconds the next one goes off. */
  get next(): number | undefined {
    return this.#times[0];
  }

  /** In how many milliseconds the last one goes off. */
  get last(): number | undefined {
    return this.#times.at(-1);
  }

  get #times(): number[] {
    return Array.from(this.#waiting, ({ at }) => at - this.#time).sort((one, other) => one - other);
  }

  pass(ms: number): void {
    this.#time += ms;
    for (const timer of [...this.#waiting])
      if (timer.at <= this.#time && this.#waiting.delete(timer)) timer.callback();
  }
}
