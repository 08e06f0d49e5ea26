import { z } from "zod";
import { integerText, rawAddressUpper } from "../../../forms/values.js";
import { nextCursor } from "../list-cursor.js";
import { answerExtras, nullableAddress } from "../records.js";
import { foundTokens } from "./found.js";
import { recognisedState, tokenContent } from "./jettons.js";

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
  .meta({ id: "NftCollection", description: "An NFT collection." });

export const nftCollections = z
  .object({
    nft_collections: z.array(nftCollection).describe("The collections."),
    ...answerExtras,
    ...nextCursor,
    ...foundTokens,
  })
  .meta({ id: "NftCollections" });

export const nftItem = z
  .object({
    address: rawAddressUpper.describe("The item."),
    init: z.boolean().describe("Whether the item is initialized."),
    index: integerText.describe("Its index in the collection."),
    collection_address: nullableAddress.describe("Its collection; `null` for an item without one."),
    owner_address: nullableAddress.describe("Its owner; `null` if there is none."),
    content: tokenContent,
    last_transaction_lt,
    code_hash,
    data_hash,
    collection: nftCollection.nullable().describe("Its collection; `null` if that is not known."),
    on_sale: z.boolean().describe("Whether its owner is a sale or an auction of it."),
    sale_contract_address: rawAddressUpper.optional().describe("The sale that owns it."),
    auction_contract_address: rawAddressUpper.optional().describe("The auction that owns it."),
    real_owner: rawAddressUpper.optional().describe("The seller if it is on sale; else its owner."),
  })
  .meta({ id: "NftItem", description: "An NFT item." });

export const nftItems = z
  .object({
    nft_items: z.array(nftItem).describe("The items."),
    ...answerExtras,
    ...nextCursor,
    ...foundTokens,
  })
  .meta({ id: "NftItems" });
