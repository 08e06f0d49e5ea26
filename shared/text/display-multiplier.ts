import type { TokenInfo } from "../schema/v3/records.js";

/** The factor by which amounts of a jetton are shown (TEP-526). */
export type DisplayMultiplier = { readonly numerator: bigint; readonly denominator: bigint };

/** Contracts compute with integers of 257 bits, so an amount that is shown has no more. */
const limit = 1n << 256n;

/** The multiplier that metadata of a jetton have; `undefined` without one that can be used. */
export function multiplierOf(info: TokenInfo | undefined): DisplayMultiplier | undefined {
  const { numerator, denominator } = info?.extra?.["scaled_ui"] ?? {};
  if (!isFactor(numerator) || !isFactor(denominator)) return undefined;
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) };
}

function isFactor(text: unknown): text is string {
  return typeof text === "string" && /^[1-9]\d{0,77}$/.test(text);
}

/**
 * The units to show for an amount: `muldivr` of the TVM, which rounds to the nearest integer. `undefined` if they are the amount itself,
 * or too many to be shown.
 */
export function multiplied(units: bigint, { numerator, denominator }: DisplayMultiplier): bigint | undefined {
  const size = units < 0n ? -units : units;
  if (size >= limit) return undefined;
  const shown = (2n * size * numerator + denominator) / (2n * denominator);
  if (shown === size || shown >= limit) return undefined;
  return units < 0n ? -shown : shown;
}
