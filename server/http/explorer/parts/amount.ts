import { trimEnd } from "../../../../shared/values/trim-end.js";
import { html, type Markup } from "../../pages/markup.js";
import { coin } from "./coin.js";

const nanoDigits = 9;
/** Writes `1,234`. */
const grouped = new Intl.NumberFormat("en-US");
/** Contracts may claim any number of decimals; more digits than this are not shown. */
const maxDecimals = 30;

/** An amount of the coin, exact to the nanoton. */
export function ton(nanotons: bigint | string | number): Markup {
  return amount(nanotons, nanoDigits, coin());
}

/** An exact amount of units with decimals. Text that is no number is shown unchanged. */
export function amount(units: bigint | string | number, decimals: number, symbol: string): Markup {
  return html`<span class="amount">${amountText(units, decimals)} <span class="unit">${symbol.slice(0, 16)}</span></span>`;
}

/** An amount as text: `1,234.5`. */
export function amountText(units: bigint | string | number, decimals: number): string {
  if (!/^-?\d{1,80}$/.test(String(units))) return String(units).slice(0, 80);
  const value = BigInt(units);
  const digits = (value < 0n ? -value : value).toString();
  const places = Number.isInteger(decimals) && decimals > 0 && decimals <= maxDecimals ? decimals : 0;
  const padded = digits.padStart(places + 1, "0");
  const whole = grouped.format(BigInt(padded.slice(0, padded.length - places)));
  const part = trimEnd(padded.slice(padded.length - places), "0");
  return `${value < 0n ? "−" : ""}${whole}${part && `.${part}`}`;
}

/** A whole number with separators. */
export function count(value: bigint | string | number): string {
  return amountText(value, 0);
}
