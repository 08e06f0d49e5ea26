import { html, type Markup } from "../../pages/markup.js";

/** A count at a unix time in seconds. */
type Counted = { readonly at: number; readonly many: number };

const width = 320;
const height = 48;
const gap = 1;

/** Bar chart of a rate per second; each bar covers an equal part of the time. */
export function rateChart(counted: readonly Counted[], label: string): Markup {
  const rates = ratesOf(counted, 40);
  const most = Math.max(...rates, 0.001);
  const step = width / Math.max(rates.length, 1);
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">
    ${rates.map((rate, index) => {
      const tall = rate === 0 ? 1 : Math.max(2, (rate / most) * height);
      return html`<rect x="${(index * step).toFixed(2)}" y="${(height - tall).toFixed(2)}" width="${Math.max(step - gap, 0.5).toFixed(2)}" height="${tall.toFixed(2)}"/>`;
    })}
  </svg>`;
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
