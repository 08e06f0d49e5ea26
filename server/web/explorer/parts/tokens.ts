import type { MetadataEntry, NftItem, TokenInfo } from "../../../../client/api.js";
import { AnswerNames } from "../../../../shared/text/answer-names.js";
import { multiplied } from "../../../../shared/text/display-multiplier.js";
import { html, type Markup } from "../../pages/markup.js";
import { rawOf } from "./address.js";
import { amountText } from "./amount.js";
import type { Names } from "./names.js";
import { claimedText } from "./text.js";

/** Metadata of tokens, by raw address in upper case. */
export type Metadata = Readonly<Record<string, MetadataEntry>>;

/** Metadata of a token of one type. */
export function tokenInfo(metadata: Metadata, address: string, type: string): TokenInfo | undefined {
  const entry = metadata[rawOf(address)?.toUpperCase() ?? ""] ?? metadata[address];
  return entry?.token_info.find((each) => each.type === type);
}

/**
 * An amount of a jetton, exact, with its symbol; if it has a display multiplier, the shown amount and that of the chain. Units of a
 * jetton without known decimals are called units.
 */
export function jettonAmount(units: string | bigint, master: string, metadata: Metadata): Markup {
  const key = rawOf(master)?.toUpperCase() ?? master;
  const { symbol, decimals, multiplier } = new AnswerNames({ metadata }).jetton(key);
  const shown = multiplier && multiplied(BigInt(units), multiplier);
  const number = (value: string | bigint) => amountText(value, decimals ?? 0);
  return html`<span class="amount">${number(shown ?? units)} <span class="unit">${decimals === undefined && "units of "}${symbol}</span>${shown !== undefined && html` <span class="aside">(${number(units)} on chain)</span>`}</span>`;
}

/** The token's claimed name or symbol, if it is not blank. */
export function tokenName(info: TokenInfo | undefined, otherwise: string): string {
  return (
    claimedText(info?.name ?? "", 60) || claimedText(info?.symbol ?? "", 60) || claimedText(otherwise, 60)
  );
}

/** The name of an item: its domain, what its metadata call it, or its number. */
export function itemName(
  { address, content, index }: Pick<NftItem, "address" | "content" | "index">,
  metadata: Metadata,
  names: Names,
): string {
  const fallback = names.of(address) ?? (index.length > 12 ? "Item" : `Item ${index}`);
  const domain = claimedText(content["domain"] ?? "", 60);
  return domain === "" ? tokenName(tokenInfo(metadata, address, "nft_items"), fallback) : domain;
}

type TokenPage = { readonly label: string; readonly path: (friendly: string) => string };

/** Pages of tokens, by the interface or kind of their contracts. */
const pages: readonly (readonly [kind: RegExp, page: TokenPage])[] = [
  [/^jetton_master/, { label: "jetton page", path: jettonPath }],
  [/^nft_collection/, { label: "collection page", path: collectionPath }],
  [/^(nft_item|dns_item|telemint_item|teleitem)/, { label: "NFT page", path: nftPath }],
];

export function jettonPath(friendly: string): string {
  return `/jetton/${friendly}`;
}

export function collectionPath(friendly: string): string {
  return `/collection/${friendly}`;
}

export function nftPath(friendly: string): string {
  return `/nft/${friendly}`;
}

/** The page of a token; `undefined` for contracts that are no tokens with pages. */
export function tokenPageOf(kinds: readonly string[]): TokenPage | undefined {
  return pages.find(([kind]) => kinds.some((each) => kind.test(each)))?.[1];
}
