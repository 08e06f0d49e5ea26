import { z } from "zod";
import { rawAddressUpper } from "./results.js";
import { recognisedState, tokenContent } from "./v3-jettons.js";
import { answerExtras, integerText, nullableAddress } from "./v3-records.js";

const { last_transaction_lt, code_hash, data_hash } = recognisedState;

export const nftCollection = z
  .object({
    address: rawAddressUpper.describe("The collection."),
    owner_address: nullableAddress.describe("Its owner; `null` if there is none."),
    last_transaction_lt,
    next_item_index: integerText.describe("Index of the next item; -1 if items are not numbered in order."),
    collection_content: tokenContent,
    data_hash,
    code_hash,
  })
  .describe("An NFT collection.");

export const nftCollections = z.object({
  nft_collections: z.array(nftCollection).describe("The collections."),
  ...answerExtras,
});
