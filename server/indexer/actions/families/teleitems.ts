import { addressText, fieldsOf } from "../body.js";
import type { ContractLookups, NftItem } from "../contracts.js";
import { cancel, type Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";
import { endedTrade } from "./nft-trade-ends.js";
import { isTeleitem } from "./self-sold-items.js";

const startAuction = 0x487a8e81;
const cancelAuction = 0x371638ae;
const ok = 0xa37a0983;

const teleitemStartAuctionKind = rowKind("teleitem_start_auction");

export const teleitemStartAuction: Matcher = {
  name: "teleitem start of an auction",
  pattern: call(startAuction).followedBy(call(ok).optional()),
  build: ({ anchor }, contracts) => {
    const { source: owner, destination: address } = anchor;
    const item = teleitemAt(address, contracts);
    if (address === undefined || !item) return cancel("the item is not one of Telegram");
    const { auction_config: config } = fieldsOf("teleitem_msg_start_auction", anchor);
    const auction = {
      nft_item: address,
      nft_collection: item.collection,
      nft_item_index: item.index,
      owner,
      listing_address: undefined,
      auction_address: address,
      marketplace_address: undefined,
      marketplace_fee_factor: 0n,
      marketplace_fee_base: 0n,
      royalty_fee_base: 0n,
      max_bid: config.max_bid,
      min_bid: config.initial_min_bid,
      marketplace_fee_address: addressText(config.beneficiary_address),
      royalty_address: undefined,
      marketplace: "fragment",
    };
    return teleitemStartAuctionKind.build(auction, { isFailed: anchor.node.isAborted });
  },
};

const teleitemCancelAuctionKind = rowKind("teleitem_cancel_auction", endedTrade);

export const teleitemCancelAuction: Matcher = {
  name: "teleitem cancellation of an auction",
  pattern: call(cancelAuction).followedBy(call(ok).optional()),
  build: ({ anchor }, contracts) => {
    const { source: owner, destination: address } = anchor;
    const item = teleitemAt(address, contracts);
    if (address === undefined || !item) return cancel("the item is not one of Telegram");
    const ended = {
      owner,
      nft_item: address,
      nft_collection: item.collection,
      auction_address: address,
      marketplace_address: undefined,
    };
    return teleitemCancelAuctionKind.build(ended, { isFailed: anchor.node.isAborted });
  },
};

function teleitemAt(address: AddressText | undefined, contracts: ContractLookups): NftItem | undefined {
  const item = contracts.nftItem(address);
  return item && isTeleitem(item) ? item : undefined;
}
