export type Sample = { metricName?: string; labels: Record<string, string | number>; value: number };

type Tally = {
  readonly outcomes: Map<string, number>;
  /** Calls per duration bucket; the last bucket is above all bounds. */
  readonly buckets: number[];
  totalSec: number;
};

/**
 * Counts calls by outcome and duration. prom-client looks up labels at every observation, which costs as much as a
 * cached call; these plain counts become samples only when metrics are scraped.
 */
export class CallTally {
  readonly #boundsSec: readonly number[];
  readonly #methods = new Map<string, Tally>();

  /** Bounds in ascending order. */
  constructor(boundsSec: readonly number[]) {
    this.#boundsSec = boundsSec;
  }

  add(method: string, outcome: string, durationSec: number): void {
    const tally = this.#methods.get(method) ?? this.#open(method);
    tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
    let bucket = 0;
    while (bucket < this.#boundsSec.length && durationSec > this.#boundsSec[bucket]!) bucket++;
    tally.buckets[bucket]!++;
    tally.totalSec += durationSec;
  }

  /** Call counts by method and outcome. */
  counts(): Sample[] {
    return [...this.#methods].flatMap(([method, { outcomes }]) =>
      [...outcomes].map(([outcome, value]) => ({ labels: { method, outcome }, value })),
    );
  }

  /** Durations by method, as the series of a Prometheus histogram. */
  histogram(name: string): Sample[] {
    return [...this.#methods].flatMap(([method, { buckets, totalSec }]) => {
      let upTo = 0;
      const series: Sample[] = buckets.map((count, i) => {
        upTo += count;
        return {
          metricName: `${name}_bucket`,
          labels: { le: this.#boundsSec[i] ?? "+Inf", method },
          value: upTo,
        };
      });
      series.push({ metricName: `${name}_sum`, labels: { method }, value: totalSec });
      series.push({ metricName: `${name}_count`, labels: { method }, value: upTo });
      return series;
    });
  }

  #open(method: string): Tally {
    const buckets = new Array<number>(this.#boundsSec.length + 1).fill(0);
    const tally = { outcomes: new Map<string, number>(), buckets, totalSec: 0 };
    this.#methods.set(method, tally);
    return tally;
  }
}
