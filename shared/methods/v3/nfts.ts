import { z } from "zod";
import {
  address,
  addresses,
  bool,
  directions,
  itemIndexes,
  lenientAddress,
  manyAddresses,
  page,
  someAddresses,
  sort,
  window,
} from "../../schema/v3/params.js";
import { oneOwnerForSeveral, onlyWith } from "../../schema/v3/rules.js";
import { nftSales } from "../../schema/v3/tokens/nft-sales.js";
import { nftCollections, nftItems } from "../../schema/v3/tokens/nfts.js";
import { nftTransfers } from "../../schema/v3/tokens/token-events.js";
import { defineMethod } from "../define.js";
import { defineList } from "../define-list.js";
import { ofStory } from "../story-roles.js";
import { nobody } from "./examples.js";

const common = { group: "NFTs", verbs: ["GET"], freshness: { kind: "index" } } as const;
const nothing = { address_book: {}, metadata: {} };

export const nftMethods = {
  nft: {
    collections: defineList({
      ...common,
      summary: "NFT collections, in the order in which they appeared.",
      params: z.object({
        collection_address: addresses.optional().describe("Only these collections."),
        owner_address: addresses.optional().describe("Only collections of these owners."),
        ...page({ initial: 10, max: 1000 }),
      }),
      result: nftCollections,
      examples: [
        {
          params: { collection_address: [nobody] },
          story: { collection_address: [ofStory("nft_collection")] },
          result: { nft_collections: [], ...nothing },
        },
      ],
    }),

    items: defineList({
      ...common,
      verbs: ["GET", "POST"],
      summary: "NFT items, the one with the newest transaction first.",
      description: "Items of a collection are listed only if the collection confirms them.",
      params: z
        .object({
          address: manyAddresses.optional().describe("Only these items, at most 1000."),
          owner_address: manyAddresses.optional().describe("Only items of these owners, at most 1000."),
          include_on_sale: bool
            .prefault(false)
            .describe("Also items that a sale or an auction holds for the owner."),
          collection_address: addresses
            .optional()
            .describe("Only items of these collections; several of them require exactly one owner."),
          index: itemIndexes.optional().describe("Only items with these indexes in the collection."),
          sort_by_last_transaction_lt: bool.prefault(false).describe("The same as `sort=desc`."),
          ...page({ initial: 10, max: 1000 }),
          sort,
        })
        .check(oneOwnerForSeveral("collection_address"))
        .check(
          onlyWith(
            "index",
            "collection_address",
            "index parameter is not allowed without the collection_address",
          ),
        ),
      result: nftItems,
      examples: [
        {
          params: { owner_address: [nobody] },
          story: { collection_address: [ofStory("nft_collection")], limit: 2 },
          result: { nft_items: [], ...nothing },
        },
      ],
    }),

    sales: defineMethod({
      ...common,
      summary: "Sales and auctions of NFTs, in the order of the request.",
      description: "Addresses that are neither a sale nor an auction are omitted.",
      params: z.object({
        address: someAddresses({
          missing: "at least 1 address required",
          atMost: { count: 1000, text: "maximum 1000 addresses allowed" },
        }).describe("Contracts that sell an item, at most 1000."),
      }),
      result: nftSales,
      examples: [
        {
          params: { address: [nobody] },
          story: { address: [ofStory("nft_sale")] },
          result: { nft_sales: [], ...nothing },
        },
      ],
    }),

    transfers: defineList({
      ...common,
      summary: "Transfers of NFT items, newest first.",
      description: "Includes transfers that failed.",
      params: z.object({
        owner_address: addresses.optional().describe("Only transfers from or to these owners."),
        address: lenientAddress
          .optional()
          .describe("An older name of `owner_address`, used without it only."),
        item_address: addresses.optional().describe("Only transfers of these items."),
        collection_address: address.optional().describe("Only transfers of items of this collection."),
        direction: directions
          .optional()
          .describe("`in` for transfers to the owners, `out` for those from them. Default: both."),
        ...window("time of the transaction"),
        ...page({ initial: 10, max: 1000 }),
        sort,
      }),
      result: nftTransfers,
      examples: [
        {
          params: { owner_address: [nobody] },
          story: { collection_address: ofStory("nft_collection"), limit: 2 },
          result: { nft_transfers: [], ...nothing },
        },
      ],
    }),
  },
};
