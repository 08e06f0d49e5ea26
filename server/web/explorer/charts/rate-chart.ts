import type { Markup } from "../../pages/markup.js";
import { barChart } from "./bar-chart.js";

/** A count at a unix time in seconds. */
type Counted = { readonly at: number; readonly many: number };

/** Bar chart of a rate per second; each bar covers an equal part of the time. */
export function rateChart(counted: readonly Counted[], label: string): Markup {
  return barChart(
    ratesOf(counted, 40).map((size) => ({ size })),
    label,
  );
}

/** Rates per second in equal parts of the time from the first count to the last. */
export function ratesOf(counted: readonly Counted[], parts: number): number[] {
  const times = counted.map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  if (counted.length < 2 || first === last) return [];
  const many = Math.min(parts, last - first);
  const length = (last - first) / many;
  const sums = new Array<number>(many).fill(0);
  // A block's count covers the time since the previous block.
  for (const { at, many: each } of counted)
    if (at > first) sums[Math.min(many, Math.ceil((at - first) / length)) - 1]! += each;
  return sums.map((sum) => sum / length);
}

/** Mean rate per second over the whole time. */
export function meanRate(counted: readonly Counted[]): number | undefined {
  const times = counted.map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  if (counted.length < 2 || first === last) return undefined;
  return counted.reduce((sum, { at, many }) => sum + (at > first ? many : 0), 0) / (last - first);
}
