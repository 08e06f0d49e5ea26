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
        params: { address: "EQD2RNdz0FSf-uiWfTGWBIO3hDzun0sbdeu0yP15rKQvsL3V" },
        story: { address: ofStory("nft_collection") },
        result: {
          "@type": "ext.tokens.nftCollectionData",
          address: "EQD2RNdz0FSf-uiWfTGWBIO3hDzun0sbdeu0yP15rKQvsL3V",
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
        params: { address: "0:D8E353AB37292F59A5A5BE122EBEA908AB4B048C842804654DF36F2F2639D7A0" },
        story: { address: ofStory("nft_item") },
        result: {
          "@type": "ext.tokens.nftItemData",
          address: "0:D8E353AB37292F59A5A5BE122EBEA908AB4B048C842804654DF36F2F2639D7A0",
          contract_type: "nft_item",
          init: true,
          index: "0",
          collection_address: "EQD2RNdz0FSf-uiWfTGWBIO3hDzun0sbdeu0yP15rKQvsL3V",
          owner_address: "EQB-BibvwfoutJ68rB-2DKl9CQFnaNJutwapwgk75zhF_0kG",
          content: { type: "offchain", data: "https://nft.example/devnet-trees/0.json" },
        },
      },
    ],
  }),
};
