import type { Clock } from "../../server/http/clock.js";

/** Time of connections that passes on the test's command. */
export class ManualClock implements Clock {
  #time = 0;
  readonly #repeated = new Set<{ ms: number; next: number; work: () => void }>();

  readonly now = (): number => this.#time;

  every(ms: number, work: () => void): () => void {
    const each = { ms, next: this.#time + ms, work };
    this.#repeated.add(each);
    return () => this.#repeated.delete(each);
  }

  /** Repeated timers fire as often as they are due, each at its time. */
  pass(ms: number): void {
    const end = this.#time + ms;
    for (;;) {
      const due = [...this.#repeated].filter(({ next }) => next <= end).sort((a, b) => a.next - b.next)[0];
      if (!due) break;
      this.#time = due.next;
      due.next += due.ms;
      due.work();
    }
    this.#time = end;
  }
}
