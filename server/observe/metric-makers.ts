import { Counter, Gauge, type Registry } from "prom-client";

/**
 * How the gauges of several processes become one: what each has is added up; of what all see, the largest counts; of what
 * each must have, the smallest.
 */
type Combination = "sum" | "max" | "min" | "average";

/** Creates gauges whose numbers may not be available yet. */
export function gaugesOf<Numbers>(
  part: string,
  registers: Registry[],
  read: () => Numbers | undefined,
  aggregator: Combination = "max",
) {
  return (name: string, help: string, value: (numbers: Numbers) => number | undefined) =>
    new Gauge({
      name: `tonwire_${part}_${name}`,
      help,
      registers,
      aggregator,
      collect() {
        // Resetting a gauge without labels would make it 0.
        this.remove();
        const numbers = read();
        const shown = numbers && value(numbers);
        if (shown !== undefined) this.set(shown);
      },
    });
}

/** Creates counters of what is counted elsewhere. */
export function countersOf<Numbers>(part: string, registers: Registry[], read: () => Numbers) {
  return (name: string, help: string, value: (numbers: Numbers) => number) =>
    new Counter({
      name: `tonwire_${part}_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value(read()));
      },
    });
}

/** Creates gauges with a sample for each of several items, which a label names. */
export function gaugesPer<Item>(
  part: string,
  label: string,
  registers: Registry[],
  read: () => readonly (readonly [name: string, item: Item])[],
  aggregator: Combination = "max",
) {
  return (name: string, help: string, value: (item: Item) => number | undefined) =>
    new Gauge({
      name: `tonwire_${part}_${name}`,
      help,
      labelNames: [label],
      registers,
      aggregator,
      collect() {
        this.reset();
        for (const [key, item] of read()) {
          const shown = value(item);
          if (shown !== undefined) this.set({ [label]: key }, shown);
        }
      },
    });
}
