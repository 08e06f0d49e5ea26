import type { Metadata, TokenInfo } from "../../../shared/schema/v3/records.js";
import { addToGroup } from "../../../shared/values/groups.js";
import { embeddedMetadata } from "../../metadata/embedded-document.js";
import type { Tokens } from "../../store/queries/tokens/tokens.js";
import type { LinkingToken } from "../../store/tables/metadata.js";

/** A token with fetched metadata and the operator's overrides in addition to the contract's data. */
type Described = Omit<Tokens["jetton_masters"][number], "address">;

/** By which amounts of a jetton are shown (TEP-526), as a member of `extra`. */
type Multiplier = Pick<Described, "scaled_ui">;

/** Links to resized versions of an image, as members of `extra`. */
export type ImageLinks = (image: string) => Readonly<Record<string, string>>;

/** A token without fetched metadata is valid if it has one of these attributes. */
const needed: Record<LinkingToken, readonly string[]> = {
  jetton_masters: ["symbol"],
  nft_collections: ["name", "description", "image"],
  nft_items: ["name", "domain"],
};

/** One entry per account, with one part per kind of token. */
export function presentMetadata(tokens: Tokens, imageLinks?: ImageLinks): Metadata {
  const entries = new Map<string, TokenInfo[]>();
  const add = (address: string, info: TokenInfo) => addToGroup(entries, address, info);
  for (const { address, ...extra } of tokens.jetton_wallets)
    add(address, { valid: true, type: "jetton_wallets", extra });
  for (const token of tokens.jetton_masters) add(token.address, infoOf("jetton_masters", token, imageLinks));
  for (const token of tokens.nft_collections)
    add(token.address, infoOf("nft_collections", token, imageLinks));
  for (const token of tokens.nft_items)
    add(token.address, { ...infoOf("nft_items", token, imageLinks), nft_index: token.index });
  return Object.fromEntries(
    [...entries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([address, token_info]) => [
        address,
        { is_indexed: token_info.every(({ valid }) => valid !== undefined), token_info },
      ]),
  );
}

/** The operator's data take precedence over the contract's, and these over fetched metadata. */
function infoOf(type: LinkingToken, token: Described, imageLinks: ImageLinks | undefined): TokenInfo {
  const { content, flags, scaled_ui: scaledUi } = token;
  const fetched: Partial<NonNullable<Described["fetched"]>> | undefined =
    embeddedMetadata(content["uri"]) ?? token.fetched;
  const multiplier: Multiplier = scaledUi ? { scaled_ui: scaledUi } : {};
  const given: Record<string, unknown> = { ...flags?.fields };
  const isKnown =
    needed[type].some((attribute) => attribute in content) || fetched?.valid || Object.keys(given).length > 0;
  if (!isKnown) {
    const isDecided = fetched?.valid === false || content["uri"] === undefined;
    const state = isDecided ? { valid: false, type } : { type };
    return scaledUi ? { ...state, extra: multiplier } : state;
  }
  const { url: _, valid: __, expires_at: ___, extra: fetchedExtra, ...fetchedTexts } = fetched ?? {};
  // A multiplier in metadata is no multiplier: the contract's get-method alone states it.
  const {
    name,
    symbol,
    description,
    image,
    decimals,
    scaled_ui: _____,
    ...rest
  }: Record<string, unknown> = {
    ...fetchedExtra,
    ...fetchedTexts,
    ...content,
    ...given,
  };
  const isNsfw = flags?.is_nsfw ?? false;
  const links = typeof image === "string" && imageLinks ? imageLinks(image) : {};
  return {
    valid: true,
    type,
    ...textsOf({ name, symbol, description, image }),
    is_nsfw: isNsfw,
    is_scam: flags?.is_scam ?? false,
    // Other values of decimals cannot be used in calculations.
    extra: {
      ...rest,
      ...(isCount(decimals) && { decimals }),
      ...(isNsfw ? blurredOnly(links) : links),
      ...multiplier,
    },
  };
}

function isCount(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function textsOf(members: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, string] => typeof member[1] === "string"),
  );
}

const blurSuffix = "_blur";

/** Clients show the links that they know, so for NSFW images those lead to blurred ones. */
function blurredOnly(links: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(links)
      .filter((name) => !name.endsWith(blurSuffix))
      .map((name) => [name, links[`${name}${blurSuffix}`] ?? ""]),
  );
}
