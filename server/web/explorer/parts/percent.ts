/** A part of a whole in percent, cut to some decimals; exact, as stakes have more digits than a float. */
export function percent(part: bigint | string, whole: bigint | string, decimals = 2): string {
  const [some, all] = [BigInt(part), BigInt(whole)];
  if (all <= 0n) return "0 %";
  const scale = 10n ** BigInt(decimals);
  const scaled = (some * 100n * scale) / all;
  if (scaled === 0n && some > 0n) return `< ${(1 / Number(scale)).toFixed(decimals)} %`;
  return `${scaled / scale}.${(scaled % scale).toString().padStart(decimals, "0")} %`;
}
