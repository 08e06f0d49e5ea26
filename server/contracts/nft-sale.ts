import type { Cell } from "../../shared/ton/cells/cell.js";
import { anySlice, bytesKey, Dictionary } from "../../shared/ton/cells/dictionaries/dictionary.js";
import type { Slice } from "../../shared/ton/cells/slice.js";
import { Answer, type GetMethods, UnexpectedAnswer } from "../../shared/ton/contracts/get-method.js";
import { ifReadable } from "../../shared/ton/tlb/readable.js";
import type { StackValue } from "../../shared/ton/tvm/stack.js";
import { Address } from "../../shared/values/address.js";

/** A sale at a fixed price. Amounts are nanotons, times unix seconds. */
export type NftSale = {
  isComplete: boolean;
  createdAt: bigint;
  marketplace: Address;
  item: Address;
  owner: Address | undefined;
  price: bigint;
  feeAddress: Address;
  fee: bigint;
  royaltyAddress: Address;
  royalty: bigint;
  /** Since version 4: when it was sold, by which query, and prices in jettons by their masters. */
  sold:
    | { at: bigint; queryId: bigint; jettonPrices: Readonly<Record<string, string>> | undefined }
    | undefined;
};

/** An auction. Amounts are nanotons or units of its jetton, times unix seconds. */
export type NftAuction = {
  isEnded: boolean;
  endTime: bigint;
  marketplace: Address;
  item: Address;
  owner: Address | undefined;
  lastBid: bigint;
  lastMember: Address | undefined;
  minStep: bigint;
  fee: Share;
  royalty: Share;
  maxBid: bigint;
  minBid: bigint;
  createdAt: bigint;
  lastBidAt: bigint;
  isCanceled: boolean;
  /** Since version 4. */
  more: AuctionDetails | undefined;
};

type Share = { address: Address; factor: bigint; base: bigint };

type AuctionDetails = {
  isActivated: boolean;
  stepTime: bigint;
  lastQueryId: bigint;
  jettonWallet: Address | undefined;
  jettonMaster: Address | undefined;
  isBroken: boolean;
  publicKey: bigint;
};

/** `FIXP` */
const fixedPrice = 0x46495850n;
/** `AUC` */
const auction = 0x415543n;

/** Reads a sale by `get_sale_data()`, versions 1 to 3. Throws UnexpectedAnswer or a CellError if it is none. */
export async function readNftSale(methods: GetMethods, address: Address): Promise<NftSale> {
  const data = await Answer.of(methods, address, "get_sale_data");
  if (data.int(0) !== fixedPrice) throw new UnexpectedAnswer("the sale has no fixed price");
  return { ...saleAt(data, 1), sold: undefined };
}

/** Reads a sale by `get_fix_price_data_v4()`. */
export async function readNftSaleV4(methods: GetMethods, address: Address): Promise<NftSale> {
  const data = await Answer.of(methods, address, "get_fix_price_data_v4");
  const jettonPrices = data.isNull(12) ? undefined : readJettonPrices(data.cell(12));
  return { ...saleAt(data, 0), sold: { at: data.number(10), queryId: data.int(11), jettonPrices } };
}

function saleAt(data: Answer, first: number): Omit<NftSale, "sold"> {
  return {
    isComplete: data.flag(first),
    createdAt: data.number(first + 1),
    marketplace: data.address(first + 2),
    item: data.address(first + 3),
    owner: data.maybeAddress(first + 4),
    price: data.int(first + 5),
    feeAddress: data.address(first + 6),
    fee: data.int(first + 7),
    royaltyAddress: data.address(first + 8),
    royalty: data.int(first + 9),
  };
}

/** More prices than any sale has; a larger dictionary has shared branches. */
const maxPrices = 256;

/** `HashmapE 256 Coins` without its first bit: prices by the account id of the jetton master. */
function readJettonPrices(root: Cell): Record<string, string> {
  const prices: Record<string, string> = {};
  let read = 0;
  for (const [id, value] of Dictionary.loadDirect(root, bytesKey(32), anySlice).entries()) {
    if (++read > maxPrices) throw new UnexpectedAnswer("the sale has too many prices");
    const price = loadCoins(value);
    if (price !== undefined) prices[new Address(0, id).toRawUpper()] = String(price);
  }
  return prices;
}

/** `undefined` for a value that is no amount. */
function loadCoins(value: Slice): bigint | undefined {
  return ifReadable(() => value.loadCoins());
}

/** Reads an auction by `get_sale_data()`, versions 1 to 3. */
export async function readNftAuction(methods: GetMethods, address: Address): Promise<NftAuction> {
  const data = await Answer.of(methods, address, "get_sale_data");
  if (data.int(0) !== auction) throw new UnexpectedAnswer("the sale is no auction");
  return { ...auctionAt(data), more: undefined };
}

/** Reads an auction by `get_auction_data_v4()`. */
export async function readNftAuctionV4(methods: GetMethods, address: Address): Promise<NftAuction> {
  const data = await Answer.of(methods, address, "get_auction_data_v4");
  const isActivated = data.flag(0);
  return {
    ...auctionAt(data),
    more: {
      isActivated,
      stepTime: data.number(20),
      lastQueryId: data.int(21),
      jettonWallet: data.maybeAddress(22),
      jettonMaster: data.maybeAddress(23),
      isBroken: data.flag(24),
      publicKey: data.int(25),
    },
  };
}

/** Whether it answers as an auction of version 4, regardless of the values. */
export async function hasFormOfAuctionV4(methods: GetMethods, address: Address): Promise<boolean> {
  return (await Answer.of(methods, address, "get_auction_data_v4")).startsWith(typesOfAuctionV4);
}

const typesOfAuctionV4: readonly StackValue["type"][] = [
  ...(["int", "int", "int", "slice", "slice", "slice", "int", "slice", "int"] as const),
  ...(["slice", "int", "int", "slice", "int", "int", "int", "int", "int", "int", "int"] as const),
  ...(["int", "int", "slice", "slice", "int", "int"] as const),
];

/** Both versions have these values at the same places. */
function auctionAt(data: Answer): Omit<NftAuction, "more"> {
  return {
    isEnded: data.flag(1),
    endTime: data.number(2),
    marketplace: data.address(3),
    item: data.address(4),
    owner: data.maybeAddress(5),
    lastBid: data.int(6),
    lastMember: data.maybeAddress(7),
    minStep: data.number(8),
    fee: { address: data.address(9), factor: data.number(10), base: data.number(11) },
    royalty: { address: data.address(12), factor: data.number(13), base: data.number(14) },
    maxBid: data.int(15),
    minBid: data.int(16),
    createdAt: data.number(17),
    lastBidAt: data.number(18),
    isCanceled: data.flag(19),
  };
}
