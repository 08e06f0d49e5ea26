import { amountText } from "../parts/amount.js";

/** Digits after the point of a percentage. */
const places = 2;
const whole = 100n * 10n ** BigInt(places);

/** A part as percentage, cut to hundredths; `undefined` if it is a part of nothing. */
export function percent(part: bigint, of: bigint): string | undefined {
  if (of <= 0n || part < 0n) return undefined;
  const hundredths = (part * whole) / of;
  return hundredths === 0n && part > 0n ? "< 0.01 %" : `${amountText(hundredths, places)} %`;
}
