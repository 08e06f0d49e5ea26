import { trimEnd } from "../values/trim-end.js";

/** Writes `1,234.5`. */
const english = new Intl.NumberFormat("en");
/** Contracts may claim any number of decimals; more digits than this are not shown. */
export const maxDecimals = 30;

/** An amount as text: `1,234.5` in English. Text that is no number is returned unchanged, cut. */
export function amountText(units: bigint | string | number, decimals: number, locale = "en"): string {
  if (!/^-?\d{1,80}$/.test(String(units))) return String(units).slice(0, 80);
  const numbers = locale === "en" ? english : new Intl.NumberFormat(locale);
  const value = BigInt(units);
  const digits = (value < 0n ? -value : value).toString();
  const places = Number.isInteger(decimals) && decimals > 0 && decimals <= maxDecimals ? decimals : 0;
  const padded = digits.padStart(places + 1, "0");
  const whole = numbers.format(BigInt(padded.slice(0, padded.length - places)));
  const part = trimEnd(padded.slice(padded.length - places), "0");
  return `${value < 0n ? "−" : ""}${whole}${part && `${numbers.format(0.5).charAt(1)}${part}`}`;
}
