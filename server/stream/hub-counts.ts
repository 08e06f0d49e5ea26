import type { StreamEvent } from "./events/events.js";

/** Upper bounds of the delay between a block and its events, in seconds. */
const delayBuckets = [1, 2, 5, 10, 30, 60, 300];

/** Metrics of a hub's sent events. */
export class HubCounts {
  readonly #sent = new Map<string, { kind: string; finality: string; count: number }>();
  readonly #delays = delayBuckets.map((le) => ({ le, count: 0 }));
  #delaySum = 0;
  #delayCount = 0;
  /** Subscriptions that began in the past. */
  resumes = 0;
  /** Blocks read for a single subscription. */
  resumedUnits = 0;
  /** Pending events dropped because their clients did not read. */
  dropped = 0;

  /** Counts an event once per receiver. */
  sent({ type, finality }: Pick<StreamEvent, "type" | "finality">, receivers: number): void {
    const name = `${type} ${finality}`;
    const known = this.#sent.get(name);
    if (known) known.count += receivers;
    else this.#sent.set(name, { kind: type, finality, count: receivers });
  }

  /** Records the delay of a block sent to the subscriptions at the head. */
  delayed(seconds: number): void {
    const delay = Math.max(0, seconds);
    this.#delaySum += delay;
    this.#delayCount++;
    for (const bucket of this.#delays) if (delay <= bucket.le) bucket.count++;
  }

  get events(): readonly { kind: string; finality: string; count: number }[] {
    return [...this.#sent.values()];
  }

  get delay(): { buckets: readonly { le: number; count: number }[]; sum: number; count: number } {
    return { buckets: this.#delays, sum: this.#delaySum, count: this.#delayCount };
  }
}
