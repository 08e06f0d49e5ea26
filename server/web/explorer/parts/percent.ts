import { amountText } from "./amount.js";

/** A part of a whole in percent, cut to some decimals; exact, as stakes have more digits than a float. */
export function percent(part: bigint | string, whole: bigint | string, decimals = 2): string {
  const [some, all] = [BigInt(part), BigInt(whole)];
  if (all <= 0n) return "0 %";
  const scaled = cut(some, all, decimals);
  if (scaled === 0n && some > 0n) return leastText(decimals);
  const scale = 10n ** BigInt(decimals);
  return `${scaled / scale}.${(scaled % scale).toString().padStart(decimals, "0")} %`;
}

const places = 2;

/** The same without zeros at its end, cut to hundredths; `undefined` if it is a part of nothing. */
export function shortPercent(part: bigint, whole: bigint): string | undefined {
  if (whole <= 0n || part < 0n) return undefined;
  const hundredths = cut(part, whole, places);
  return hundredths === 0n && part > 0n ? leastText(places) : `${amountText(hundredths, places)} %`;
}

/** A part in units of the last decimal of a percentage. */
function cut(part: bigint, whole: bigint, decimals: number): bigint {
  return (part * 100n * 10n ** BigInt(decimals)) / whole;
}

function leastText(decimals: number): string {
  return `< ${(10 ** -decimals).toFixed(decimals)} %`;
}
