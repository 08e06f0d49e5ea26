/** How exchanges write their names, by those that actions have. */
const exchanges: Readonly<Record<string, string>> = {
  stonfi: "STON.fi",
  stonfi_v2: "STON.fi v2",
  dedust: "DeDust",
  dedust_v2: "DeDust v2",
  tonco: "TONCO",
  coffee: "swap.coffee",
};

/** The name of an exchange; one that is not known as it is. */
export function exchangeName(dex: string | null): string {
  return dex === null ? "an exchange" : Object.hasOwn(exchanges, dex) ? exchanges[dex]! : dex;
}
