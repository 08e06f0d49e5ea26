import type { MetadataEntry, TokenInfo } from "../../../../client/api.js";
import type { Markup } from "../../pages/markup.js";
import { rawOf } from "./address.js";
import { amount } from "./amount.js";
import { claimedText } from "./text.js";

/** Metadata of tokens, by raw address in upper case. */
export type Metadata = Readonly<Record<string, MetadataEntry>>;

/** Metadata of a token of one type. */
export function tokenInfo(metadata: Metadata, address: string, type: string): TokenInfo | undefined {
  const entry = metadata[rawOf(address)?.toUpperCase() ?? ""] ?? metadata[address];
  return entry?.token_info.find((each) => each.type === type);
}

/** Decimals of a jetton that states none. */
const usualDecimals = 9;

/** An amount of a jetton, in its own units. */
export function jettonAmount(units: string, master: string, metadata: Metadata): Markup {
  const info = tokenInfo(metadata, master, "jetton_masters");
  const decimals = Number(info?.extra?.["decimals"] ?? usualDecimals);
  return amount(units, decimals, claimedText(info?.symbol ?? "jettons", 12));
}

/** The token's claimed name. */
export function tokenName(info: TokenInfo | undefined, otherwise: string): string {
  return claimedText(info?.name ?? info?.symbol ?? otherwise, 60);
}
