import type { Address } from "../../shared/values/address.js";
import { Answer, type GetMethods, UnexpectedAnswer } from "./get-method.js";
import { readTokenContent, type TokenContent } from "./token-content.js";

export type NftCollection = {
  nextItemIndex: bigint;
  content: TokenContent;
  owner: Address | undefined;
};

export type NftItem = {
  initialized: boolean;
  index: bigint;
  collection: Address | undefined;
  owner: Address | undefined;
  content: TokenContent;
};

/** Reads a collection by `(next_item_index, collection_content, owner_address) get_collection_data()` (TEP-62). */
export async function readNftCollection(methods: GetMethods, address: Address): Promise<NftCollection> {
  const data = await Answer.of(methods, address, "get_collection_data");
  return { nextItemIndex: data.int(0), content: readTokenContent(data.cell(1)), owner: data.maybeAddress(2) };
}

/**
 * Reads an item by `(init?, index, collection_address, owner_address, individual_content) get_nft_data()`. If it names a
 * collection, that must confirm the item and makes its full content. Throws UnexpectedAnswer otherwise.
 */
export async function readNftItem(methods: GetMethods, address: Address): Promise<NftItem> {
  const data = await Answer.of(methods, address, "get_nft_data");
  const item = {
    initialized: data.flag(0),
    index: data.int(1),
    collection: data.maybeAddress(2),
    owner: data.maybeAddress(3),
  };
  const individual = data.cell(4);
  if (!item.collection) return { ...item, content: readTokenContent(individual) };
  const index = { type: "int", value: item.index } as const;
  const known = await Answer.of(methods, item.collection, "get_nft_address_by_index", [index]);
  if (!known.address(0).equals(address))
    throw new UnexpectedAnswer(`the collection ${item.collection} has another item ${item.index}`);
  const stack = [index, { type: "cell", cell: individual } as const];
  const content = await Answer.of(methods, item.collection, "get_nft_content", stack);
  return { ...item, content: readTokenContent(content.cell(0)) };
}
