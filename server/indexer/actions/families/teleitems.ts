import { BlockKind } from "../block-kind.js";
import { addressText, fieldsOf } from "../body.js";
import type { ContractLookups, NftItem } from "../contracts.js";
import { cancel, type Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { type Listing, listingColumns } from "./nft-listings.js";
import { endedTrade } from "./nft-trade-ends.js";
import { isTeleitem } from "./self-sold-items.js";

const startAuction = 0x487a8e81;
const cancelAuction = 0x371638ae;
const ok = 0xa37a0983;

type OwnAuction = Listing & {
  readonly beneficiary: AddressText | undefined;
  readonly minBid: bigint;
  readonly maxBid: bigint;
};

const teleitemStartAuctionKind = new BlockKind("teleitem_start_auction", {
  type: "teleitem_start_auction",
  row: ({ beneficiary, minBid, maxBid, ...listing }: OwnAuction) => ({
    ...listingColumns(listing),
    nft_listing_data: {
      nft_item_index: listing.item.index,
      mp_fee_factor: 0n,
      mp_fee_base: 0n,
      royalty_fee_base: 0n,
      max_bid: maxBid,
      min_bid: minBid,
      marketplace_fee_address: beneficiary,
      marketplace: "fragment",
    },
  }),
});

export const teleitemStartAuction: Matcher = {
  name: "teleitem start of an auction",
  pattern: call(startAuction).followedBy(call(ok).optional()),
  build: ({ anchor }, contracts) => {
    const { source: owner, destination: address } = anchor;
    const item = teleitemAt(address, contracts);
    if (address === undefined || !item) return cancel("the item is not one of Telegram");
    const { auction_config: config } = fieldsOf("teleitem_msg_start_auction", anchor);
    const auction: OwnAuction = {
      address,
      item,
      owner,
      listedBy: undefined,
      contract: address,
      marketplace: undefined,
      beneficiary: addressText(config.beneficiary_address),
      minBid: config.initial_min_bid,
      maxBid: config.max_bid,
    };
    return teleitemStartAuctionKind.build(auction, { isFailed: anchor.node.isAborted });
  },
};

const teleitemCancelAuctionKind = new BlockKind("teleitem_cancel_auction", {
  type: "teleitem_cancel_auction",
  ...endedTrade,
});

export const teleitemCancelAuction: Matcher = {
  name: "teleitem cancellation of an auction",
  pattern: call(cancelAuction).followedBy(call(ok).optional()),
  build: ({ anchor }, contracts) => {
    const { source: owner, destination: address } = anchor;
    const item = teleitemAt(address, contracts);
    if (address === undefined || !item) return cancel("the item is not one of Telegram");
    const ended = {
      contract: address,
      address,
      collection: item.collection,
      owner,
      marketplace: undefined,
    };
    return teleitemCancelAuctionKind.build(ended, { isFailed: anchor.node.isAborted });
  },
};

function teleitemAt(address: AddressText | undefined, contracts: ContractLookups): NftItem | undefined {
  const item = contracts.nftItem(address);
  return item && isTeleitem(item) ? item : undefined;
}
