import { z } from "zod";
import { int32, parsedAddress } from "../../schema/v2/params.js";
import { tokenData } from "../../schema/v2/tokens.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";

export const tokenMethods = {
  getTokenData: defineMethod({
    summary: "Data of a jetton, jetton wallet, NFT collection or NFT item.",
    description: "Jetton wallets and NFT items must be confirmed by their jetton master or collection.",
    group: "Accounts",
    verbs: ["GET", "POST"],
    params: z.object({
      address: parsedAddress.describe("The contract."),
      seqno: int32({ atLeast: 1 })
        .optional()
        .describe("Masterchain block to read at. Default: the last one."),
    }),
    result: tokenData,
    freshness: { kind: "head", pinnedBy: ["seqno"] },
    errors: ["not-a-token", "liteserver-error"],
    examples: [
      {
        params: { address: "EQBb_nkOAAo4g1zeS453QiPHF0xIbo1uz2dxtu68XLh-nfhQ" },
        story: { address: ofStory("nft_collection") },
        result: {
          "@type": "ext.tokens.nftCollectionData",
          address: "EQBb_nkOAAo4g1zeS453QiPHF0xIbo1uz2dxtu68XLh-nfhQ",
          contract_type: "nft_collection",
          next_item_index: "13",
          owner_address: "EQAuin39fYVq0ETGzy0o4Noideb66BPkwXF6D_9lzLKpTDf-",
          collection_content: {
            type: "offchain",
            data: "https://nft.example/devnet-trees/collection.json",
          },
        },
      },
      {
        params: { address: "0:5B10ACD51312CEDE5CC31AF711C13B789D63FF65F9B0F32B70147E9128DEABCD" },
        story: { address: ofStory("nft_item") },
        result: {
          "@type": "ext.tokens.nftItemData",
          address: "0:5B10ACD51312CEDE5CC31AF711C13B789D63FF65F9B0F32B70147E9128DEABCD",
          contract_type: "nft_item",
          init: true,
          index: "0",
          collection_address: "EQByJZIV5HnWddyyIWqfppqxDB4sRaO1CI-_joqNojgyEOlb",
          owner_address: "EQASXlU12SMajBGuBKPW9tzM5ocla-QikHVC47L6aH7HnUVH",
          content: { type: "offchain", data: "https://usernames.example/sprout.json" },
        },
      },
    ],
  }),
};
