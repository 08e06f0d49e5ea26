import { z } from "zod";
import { nftCollections } from "../../schema/v3-nfts.js";
import { addresses, page } from "../../schema/v3-params.js";
import { defineMethod } from "../define.js";
import { nobody } from "./examples.js";

const common = { group: "NFTs", verbs: ["GET"], freshness: { kind: "index" } } as const;
const nothing = { address_book: {}, metadata: {} };

export const nftMethods = {
  nft: {
    collections: defineMethod({
      ...common,
      summary: "NFT collections, in the order in which they appeared.",
      params: z.object({
        collection_address: addresses.optional().describe("Only these collections."),
        owner_address: addresses.optional().describe("Only collections of these owners."),
        ...page({ initial: 10, max: 1000 }),
      }),
      result: nftCollections,
      examples: [{ params: { collection_address: [nobody] }, result: { nft_collections: [], ...nothing } }],
    }),
  },
};
