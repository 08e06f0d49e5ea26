import type { Clock } from "../../../client/transports/transport.js";

type Timer = { readonly at: number; readonly run: () => void };

/** A clock that only tests advance. Zero delays run in the next macrotask. */
export class FakeClock implements Clock {
  #now = 1_700_000_000_000;
  readonly #timers = new Set<Timer>();

  now = () => this.#now;

  setTimeout = (run: () => void, ms: number): unknown => {
    if (ms <= 0) return setImmediate(run);
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return timer;
  };

  clearTimeout = (timer: unknown): void => {
    // Immediates are not timers of this clock.
    if (!this.#timers.delete(timer as Timer) && timer !== undefined && !("run" in (timer as Timer)))
      clearImmediate(timer as NodeJS.Immediate);
  };

  /** Remaining times of the pending timers. */
  get waits(): number[] {
    return [...this.#timers].map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.run();
    }
    this.#now = end;
  }
}
