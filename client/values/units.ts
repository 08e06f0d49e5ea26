import { decimalAmount } from "../../shared/values/decimal-amount.js";
import { parsedAmount } from "./amounts.js";

/**
 * Converts an amount of a token to its smallest units: `"1.5"` with 6 decimals is `1500000n`. `decimals` may be a text, as metadata
 * have it. Throws a TypeError if the text is not an amount, or has more decimals.
 */
export function parseUnits(amount: string, decimals: number | string): bigint {
  return parsedAmount(amount, decimalsOf(decimals), "a token");
}

/** Converts smallest units of a token to an amount: `1500000n`, or `"1500000"`, with 6 decimals is `"1.5"`. */
export function formatUnits(units: bigint | string, decimals: number | string): string {
  if (!/^-?\d+$/.test(`${units}`)) throw new TypeError(`${units} is not an amount`);
  return decimalAmount(`${BigInt(units)}`, decimalsOf(decimals));
}

function decimalsOf(decimals: number | string): number {
  const count = Number(decimals);
  if (decimals !== "" && Number.isInteger(count) && count >= 0 && count <= 255) return count;
  throw new TypeError(`${decimals} is not a number of decimals`);
}
