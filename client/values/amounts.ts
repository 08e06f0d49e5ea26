import { decimalAmount } from "../../shared/values/decimal-amount.js";

/** Parses an amount in nanotons from an answer. Throws a TypeError if it is not a whole number. */
export function nano(text: string | number): bigint {
  return wholeNumber(text, "an amount");
}

/** Parses a logical time from an answer. Throws a TypeError if it is not a whole number. */
export function lt(text: string | number): bigint {
  return wholeNumber(text, "a logical time");
}

function wholeNumber(value: string | number, kind: string): bigint {
  if (typeof value === "number" ? Number.isSafeInteger(value) : /^-?\d+$/.test(value)) return BigInt(value);
  throw new TypeError(`${value} is not ${kind}`);
}

/** Converts TON to nanotons: `"1.5"` is `1500000000n`. Throws a TypeError if the text is not an amount. */
export function toNano(tons: string): bigint {
  return parsedAmount(tons, 9, "TON");
}

/** Converts nanotons to TON: `1500000000n` is `"1.5"`. */
export function fromNano(nanos: bigint): string {
  return decimalAmount(`${nanos}`, 9);
}

/** Smallest units of an amount with this number of decimals. */
export function parsedAmount(text: string, decimals: number, of: string): bigint {
  const [, whole, part = ""] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (!whole || part.length > decimals) throw new TypeError(`${text} is not an amount of ${of}`);
  return BigInt(whole + part.padEnd(decimals, "0"));
}
