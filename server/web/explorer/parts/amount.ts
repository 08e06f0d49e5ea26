import { amountText } from "../../../../shared/text/amount-text.js";
import { coinName } from "../../../../shared/values/coin.js";
import { type Content, html, type Markup } from "../../pages/markup.js";

export { amountText };

const nanoDigits = 9;

/** An amount of the coin, exact to the nanoton. */
export function ton(nanotons: bigint | string | number): Markup {
  return amount(nanotons, nanoDigits, coin());
}

/** An exact amount of units with decimals. Text that is no number is shown unchanged. */
export function amount(units: bigint | string | number, decimals: number, symbol: string): Markup {
  return html`<span class="amount">${amountText(units, decimals)} <span class="unit">${symbol.slice(0, 16)}</span></span>`;
}

/** An amount with the sign and colour of what an account received (`in`) or gave (`out`). */
export function signed(words: Content, way: "in" | "out" | undefined): Markup {
  if (way === undefined) return html`<span class="amount">${words}</span>`;
  return html`<span class="amount ${way}">${way === "in" ? "+" : "−"}${words}</span>`;
}

/** A whole number with separators. */
export function count(value: bigint | string | number): string {
  return amountText(value, 0);
}

/** The name of the coin on the page's network. */
export function coin(): string {
  return coinName(globalThis.document?.body.dataset["network"] ?? "");
}
