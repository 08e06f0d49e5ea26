import { trimEnd } from "./trim-end.js";

/** The amount of smallest units, given as a whole number, with a point before this number of decimals: `1.5`. */
export function decimalAmount(units: string, decimals: number): string {
  const [sign, digits] = units[0] === "-" ? ["-", units.slice(1)] : ["", units];
  const padded = digits.padStart(decimals + 1, "0");
  const end = padded.length - decimals;
  const part = trimEnd(padded.slice(end), "0");
  return `${sign}${padded.slice(0, end)}${part && `.${part}`}`;
}
