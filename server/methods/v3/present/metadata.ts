import type { z } from "zod";
import type { metadata, tokenInfo } from "../../../../shared/schema/v3-records.js";
import type { Tokens } from "../../../store/queries/tokens.js";

export type Metadata = z.output<typeof metadata>;
type TokenInfo = z.output<typeof tokenInfo>;

/** One entry per account, with one part per kind of token that it is. */
export function presentMetadata({
  jettonWallets,
  jettonMasters,
  nftCollections,
  nftItems,
}: Tokens): Metadata {
  const entries = new Map<string, TokenInfo[]>();
  const add = (address: string, info: TokenInfo) =>
    entries.set(address, [...(entries.get(address) ?? []), info]);
  for (const { address, ...extra } of jettonWallets)
    add(address, { valid: true, type: "jetton_wallets", extra });
  for (const { address, content } of jettonMasters)
    add(address, infoOf("jetton_masters", content, ["symbol"]));
  for (const { address, content } of nftCollections)
    add(address, infoOf("nft_collections", content, ["name", "description", "image"]));
  for (const { address, index, content } of nftItems)
    add(address, { ...infoOf("nft_items", content, ["name", "domain"]), nft_index: index });
  return Object.fromEntries(
    [...entries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([address, token_info]) => [
        address,
        { is_indexed: token_info.every(({ valid }) => valid !== undefined), token_info },
      ]),
  );
}

type Content = Readonly<Record<string, string>>;

/**
 * What the chain says of a token, if it has one of the attributes that `enough` names. Else a token with a link to more
 * counts as not fetched yet, and others as invalid.
 */
function infoOf(type: string, content: Content, enough: readonly string[]): TokenInfo {
  if (!enough.some((attribute) => attribute in content))
    return content["uri"] === undefined ? { valid: false, type } : { type };
  const { name, symbol, description, image, ...extra } = content;
  return { valid: true, type, name, symbol, description, image, is_nsfw: false, is_scam: false, extra };
}
