import { address, boolean, jsonb, nullable, smallint, text, wideInteger, word } from "../declare/columns.js";
import { columnsOf, ifPresent, object } from "../declare/record.js";
import { table } from "../declare/table.js";

/** The kinds of tokens that can link to metadata, as answers name them. */
export const linkingTokens = ["jetton_masters", "nft_collections", "nft_items"] as const;
export type LinkingToken = (typeof linkingTokens)[number];

/** Metadata that tokens link to, and the queue of links to fetch. Times are Unix milliseconds. */
export const addressMetadata = table("address_metadata", {
  columns: {
    address,
    type: word(linkingTokens),
    url: text,
    /** Whether the last fetch ended with metadata; null until one has ended. */
    valid: nullable(boolean),
    name: nullable(text),
    symbol: nullable(text),
    description: nullable(text),
    image: nullable(text),
    extra: nullable(jsonb),
    /** Why the last try failed. */
    error: nullable(text),
    /** When the row is fetched again if an answer needs it; null until a fetch has ended. */
    expires_at: nullable(wideInteger),
    tries: smallint,
    /** Null while nothing is to be fetched; 0 for what an answer needs. */
    next_try_at: nullable(wideInteger),
  },
  key: ["address", "type"],
  merge: "keep",
});

/** The operator's metadata of tokens. */
export const addressMetadataFlags = table("address_metadata_flags", {
  columns: { address, is_nsfw: boolean, is_scam: boolean, fields: jsonb },
  key: ["address"],
});

const f = columnsOf("f", addressMetadata.columns);
const g = columnsOf("g", addressMetadataFlags.columns);

/** Facts of a token beyond its contract, in rows `f` and `g` of outer joins. */
export const describedMembers = {
  fetched: ifPresent(
    f.url,
    object(
      { url: f.url },
      {
        valid: f.valid,
        name: f.name,
        symbol: f.symbol,
        description: f.description,
        image: f.image,
        extra: f.extra,
        expires_at: f.expires_at,
      },
    ),
  ),
  flags: ifPresent(g.address, object({ is_nsfw: g.is_nsfw, is_scam: g.is_scam, fields: g.fields })),
};
