import type { MetadataEntry, TokenInfo } from "../../../../client/api.js";
import type { Markup } from "../../pages/markup.js";
import { rawOf } from "./address.js";
import { amount } from "./amount.js";
import { claimedText } from "./text.js";

/** What tokens say of themselves, by raw address in upper case. */
export type Metadata = Readonly<Record<string, MetadataEntry>>;

/** What a token of one type says of itself. */
export function tokenInfo(metadata: Metadata, address: string, type: string): TokenInfo | undefined {
  const entry = metadata[rawOf(address)?.toUpperCase() ?? ""] ?? metadata[address];
  return entry?.token_info.find((each) => each.type === type);
}

/** Jettons have nine decimals unless they say otherwise. */
const usualDecimals = 9;

/** An amount of a jetton, in its own units. */
export function jettonAmount(units: string, master: string, metadata: Metadata): Markup {
  const info = tokenInfo(metadata, master, "jetton_masters");
  const decimals = Number(info?.extra?.["decimals"] ?? usualDecimals);
  return amount(units, decimals, claimedText(info?.symbol ?? "jettons", 12));
}

/** The name of a token, as it says. */
export function tokenName(info: TokenInfo | undefined, otherwise: string): string {
  return claimedText(info?.name ?? info?.symbol ?? otherwise, 60);
}
