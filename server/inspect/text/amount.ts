import { trimEnd } from "../../../shared/values/trim-end.js";

/** A decimal integer in units of ten to the power of `decimals`: `1500000000` is `1.5` with nine decimals. */
export function inUnits(integer: string, decimals: number): string {
  const [, sign = "", digits = ""] = /^(-?)(\d+)$/.exec(integer) ?? [];
  if (digits === "") return integer;
  const padded = digits.padStart(decimals + 1, "0");
  const whole = padded.slice(0, padded.length - decimals);
  const fraction = trimEnd(padded.slice(padded.length - decimals), "0");
  return `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
