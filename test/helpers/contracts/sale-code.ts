import type { Address } from "../../../shared/values/address.js";

// Contracts in Tolk with the get-methods of sales, auctions and items of Telegram.

/** An expression for an address. */
export const tolkAddress = (address: Address) => `address("${address.toRaw()}")`;

/** A get-method that returns these values, each with its type. */
function getMethod(name: string, values: readonly (readonly [type: string, value: string])[]): string {
  const types = values.map(([type]) => type).join(", ");
  return `get fun ${name}(): (${types}) { return (${values.map(([, value]) => value).join(", ")}); }\n`;
}

const int = (value: number | string) => ["int", String(value)] as const;
const at = (address: Address) => ["address", tolkAddress(address)] as const;
const maybeAt = (address: Address | undefined) =>
  address ? at(address) : (["slice", "beginCell().storeUint(0, 2).endCell().beginParse()"] as const);

type SaleParties = {
  item: Address;
  owner: Address | undefined;
  marketplace: Address;
  feeAddress: Address;
  royaltyAddress: Address;
};

const sale = ({ item, owner, marketplace, feeAddress, royaltyAddress }: SaleParties) => [
  int(0),
  int(1_700_000_001),
  at(marketplace),
  at(item),
  maybeAt(owner),
  int("1000"),
  at(feeAddress),
  int(50),
  at(royaltyAddress),
  int(70),
];

/** A sale of versions 1 to 3. */
export const saleCode = (parties: SaleParties) =>
  getMethod("get_sale_data", [int(0x46495850), ...sale(parties)]);

/** A sale of version 4 without prices in jettons. */
export const saleV4Code = (parties: SaleParties) =>
  getMethod("get_fix_price_data_v4", [...sale(parties), int(0), int(0), ["cell?", "null"]]);

const auction = (
  { item, owner, marketplace, feeAddress, royaltyAddress }: SaleParties,
  lastMember: Address | undefined,
) => [
  int(0),
  int(1_800_000_000),
  at(marketplace),
  at(item),
  maybeAt(owner),
  int(lastMember ? "900" : 0),
  maybeAt(lastMember),
  int(5),
  at(feeAddress),
  int(1),
  int(20),
  at(royaltyAddress),
  int(3),
  int(40),
  int("5000"),
  int("100"),
  int(1_700_000_002),
  int(1_700_000_003),
  int(0),
];

/** An auction of versions 1 to 3. */
export const auctionCode = (parties: SaleParties, lastMember?: Address) =>
  getMethod("get_sale_data", [int(0x415543), ...auction(parties, lastMember)]);

/** An auction of version 4 for TON. */
export const auctionV4Code = (parties: SaleParties, lastMember?: Address) =>
  getMethod("get_auction_data_v4", [
    int(-1),
    ...auction(parties, lastMember),
    int(60),
    int(0),
    maybeAt(undefined),
    maybeAt(undefined),
    int(0),
    int(0),
  ]);

/** An item that belongs to no collection. */
export const itemCode = (owner: Address) =>
  getMethod("get_nft_data", [
    int(-1),
    int(7),
    maybeAt(undefined),
    at(owner),
    ["cell", "beginCell().storeUint(0x0161, 16).endCell()"],
  ]);

export type TelemintMethods = {
  name: string;
  /** `undefined`: the method throws, as without an auction. */
  state: string | undefined;
  config: string;
  royalty: string;
};

/** The four get-methods of an item of Telegram, each as its type and its body. */
export function telemintCode({ name, state, config, royalty }: TelemintMethods): string {
  return `
    get fun get_telemint_token_name(): ${name}
    get fun get_telemint_auction_state(): ${state ?? "(slice, int, int, int, int) { throw 219; }"}
    get fun get_telemint_auction_config(): ${config}
    get fun royalty_params(): ${royalty}
  `;
}

/** An item of Telegram: with an auction if there is a beneficiary, with a bid if there is a bidder. */
export function telemintItem(parties: {
  name: string;
  beneficiary?: Address;
  bidder?: Address;
  royalty: Address;
}): TelemintMethods {
  const { name, beneficiary, bidder, royalty } = parties;
  const bid = bidder
    ? `${tolkAddress(bidder)}, 40, 1700000005, 42, 1800000000`
    : "null, 0, 0, 30, 1800000000";
  const config = beneficiary ? `${tolkAddress(beneficiary)}, 30, 900, 5, 3600, 7200` : "null, 0, 0, 0, 0, 0";
  return {
    name: `slice { return "${name}".beginParse(); }`,
    state: beneficiary && `(address?, int, int, int, int) { return (${bid}); }`,
    config: `(address?, int, int, int, int, int) { return (${config}); }`,
    royalty: `(int, int, address) { return (5, 100, ${tolkAddress(royalty)}); }`,
  };
}
