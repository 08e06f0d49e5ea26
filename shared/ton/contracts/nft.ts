import type { Address } from "../../values/address.js";
import type { Cell } from "../cells/cell.js";
import type { StackValue } from "../tvm/stack.js";
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
  return withContent(methods, await readNftData(methods, address));
}

/** Like `readNftItem`, but with the individual content only. */
export async function readNftData(methods: GetMethods, address: Address): Promise<ItemData> {
  const { collection, ...item } = await readItemData(methods, address);
  if (collection) await confirmItem(methods, address, { collection, index: item.index });
  return { ...item, collection };
}

/** Like `readNftItem`, but without confirmation by the collection, which still provides the content. */
export async function readClaimedItem(methods: GetMethods, address: Address): Promise<NftItem> {
  return withContent(methods, await readItemData(methods, address));
}

/** Throws UnexpectedAnswer unless the collection confirms that this is its item with the index. */
export async function confirmItem(
  methods: GetMethods,
  address: Address,
  { collection, index }: { collection: Address; index: bigint },
): Promise<void> {
  const known = await Answer.of(methods, collection, "get_nft_address_by_index", [intOf(index)]);
  if (!known.address(0).equals(address))
    throw new UnexpectedAnswer(`the collection ${collection} has another item ${index}`);
}

type ItemData = Omit<NftItem, "content"> & { individual: Cell };

async function readItemData(methods: GetMethods, address: Address): Promise<ItemData> {
  const data = await Answer.of(methods, address, "get_nft_data");
  return {
    initialized: data.flag(0),
    index: data.int(1),
    collection: data.maybeAddress(2),
    owner: data.maybeAddress(3),
    individual: data.cell(4),
  };
}

async function withContent(methods: GetMethods, { individual, ...item }: ItemData): Promise<NftItem> {
  if (!item.collection) return { ...item, content: readTokenContent(individual) };
  const stack = [intOf(item.index), { type: "cell", cell: individual } as const];
  const content = await Answer.of(methods, item.collection, "get_nft_content", stack);
  return { ...item, content: readTokenContent(content.cell(0)) };
}

function intOf(value: bigint): StackValue {
  return { type: "int", value };
}
