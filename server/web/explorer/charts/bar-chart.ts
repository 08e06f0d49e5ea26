import { html, type Markup } from "../../pages/markup.js";

/** A bar of some size, which is negative for a loss. */
type Bar = { readonly size: number; readonly title?: string | undefined };

const width = 320;
const height = 48;
const gap = 1;
/** A bar is at most as wide as one of so many. */
const fewest = 12;

/** Bar chart as wide as its place. `label`, or a table beside it, says the same in words. */
export function barChart(bars: readonly Bar[], label: string): Markup {
  const most = Math.max(...bars.map(({ size }) => Math.abs(size)), 0.001);
  const step = width / Math.max(bars.length, fewest);
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">
    ${bars.map(({ size, title }, index) => {
      const tall = size === 0 ? 1 : Math.max(2, (Math.abs(size) / most) * height);
      return html`<rect${size < 0 && html` class="loss"`} x="${(index * step).toFixed(2)}" y="${(height - tall).toFixed(2)}" width="${Math.max(step - gap, 0.5).toFixed(2)}" height="${tall.toFixed(2)}">${title !== undefined && html`<title>${title}</title>`}</rect>`;
    })}
  </svg>`;
}
