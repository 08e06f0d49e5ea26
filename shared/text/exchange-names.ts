/** Display names of exchanges, by their names in actions. */
const exchanges: Readonly<Record<string, string>> = {
  stonfi: "STON.fi",
  stonfi_v2: "STON.fi v2",
  dedust: "DeDust",
  dedust_v2: "DeDust v2",
  tonco: "TONCO",
  coffee: "swap.coffee",
};

/** The display name of an exchange; unknown names are returned unchanged. */
export function exchangeName(dex: string | null): string | null {
  return dex !== null && Object.hasOwn(exchanges, dex) ? (exchanges[dex] ?? dex) : dex;
}
