import { callContract, commentOf, tonTransfer } from "../basic-blocks.js";
import type { Block } from "../block.js";
import { BlockKind } from "../block-kind.js";
import type { ContractLookups } from "../contracts.js";
import { cancel, type Matcher } from "../matcher.js";
import { made, transfer } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { isDomain, isTeleitem } from "./self-sold-items.js";

const outbidNotification = 0x557cea20;
const outbidPhrase = "Your bid has been outbid by another user";
/** Texts that command the auction contract, so such transfers are not bids. */
const words: ReadonlySet<string | undefined> = new Set(["cancel", "finish", "stop"]);

/** The item an auction sells, and its location. */
type AuctionedItem = {
  readonly address: AddressText | undefined;
  readonly index: bigint | undefined;
  readonly collection: AddressText | undefined;
  readonly marketplace: "getgems" | "fragment";
};

type AuctionBid = {
  readonly bidder: AddressText | undefined;
  readonly auction: AddressText;
  readonly amount: bigint | undefined;
  readonly item: AuctionedItem;
};

const auctionBidKind = new BlockKind("auction_bid", {
  type: "auction_bid",
  isLeaf: true,
  row: ({ bidder, auction, amount, item }: AuctionBid) => ({
    source: bidder,
    destination: auction,
    value: amount,
    asset: item.collection,
    asset_secondary: item.address,
    nft_transfer_data: { nft_item_index: item.index, marketplace: item.marketplace },
  }),
  accounts: ({ item }) => [item.address],
});

/** TON sent to an auction, or to an item that sells itself. */
export const auctionBid: Matcher = {
  name: "auction bid",
  pattern: transfer().where("that deploys nothing", ({ node }) => !node.isDeployed),
  build: ({ anchor }, contracts) => {
    const auction = anchor.account;
    const item = itemAt(auction, contracts);
    if (!item) return cancel("the receiver is no known auction");
    if (words.has(commentOf(anchor.node).text)) return cancel("the transfer ends the auction");
    if (isDomainAt(auction, contracts) && !anchor.followers.some(isOutbidNotification))
      return cancel("no previous bid was returned");
    const bid = { bidder: anchor.source, auction, amount: anchor.value, item };
    return auctionBidKind.build(bid, { isFailed: anchor.isFailed });
  },
};

function itemAt(auction: AddressText, contracts: ContractLookups): AuctionedItem | undefined {
  const { nftAuction, nftItem } = contracts.at(auction);
  if (nftAuction) {
    const item = contracts.nftItem(nftAuction.nft);
    return {
      address: nftAuction.nft,
      index: item?.index,
      collection: item?.collection,
      marketplace: "getgems",
    };
  }
  if (!nftItem || !(isTeleitem(nftItem) || isDomain(nftItem))) return undefined;
  return { address: auction, index: nftItem.index, collection: nftItem.collection, marketplace: "fragment" };
}

/** Domains also accept TON that is no bid. */
function isDomainAt(auction: AddressText, contracts: ContractLookups): boolean {
  const { nftAuction, nftItem } = contracts.at(auction);
  return !nftAuction && nftItem !== undefined && isDomain(nftItem);
}

function isOutbidNotification({ kind, opcode }: Block): boolean {
  return kind === callContract && opcode === outbidNotification;
}

type Outbid = {
  readonly bid: AuctionBid;
  /** The previous bidder, who got the bid back. */
  readonly bidder: AddressText | undefined;
  readonly amount: bigint | undefined;
};

const auctionOutbidKind = new BlockKind("auction_outbid", {
  type: "auction_outbid",
  row: ({ bid, bidder, amount }: Outbid) => ({
    source: bid.auction,
    source_secondary: bid.bidder,
    destination: bidder,
    asset: bid.item.collection,
    asset_secondary: bid.item.address,
    amount,
  }),
  accounts: ({ bid }) => [bid.item.address],
});

/** The previous bid was returned to its bidder. The new bid has its own row. */
export const auctionOutbid: Matcher = {
  name: "auction outbid",
  pattern: made(auctionBidKind),
  build: ({ anchor }) => {
    const bid = auctionBidKind.dataOf(anchor);
    const sent = anchor.followers.filter(({ source }) => source === bid.auction);
    const [refund, ...others] = sent.filter(
      bid.item.marketplace === "getgems" ? isRefund : isOutbidNotification,
    );
    if (!refund) return cancel("no previous bid was returned");
    if (others.length > 0) return cancel("more than one bid went back");
    const outbid = { bid, bidder: refund.destination, amount: refund.value };
    return auctionOutbidKind.build(outbid, { from: [refund] });
  },
};

/** Throws, which cancels the match, for a transfer without a text, because its meaning is unknown. */
function isRefund({ kind, node }: Block): boolean {
  if (kind !== tonTransfer) return false;
  const { text } = commentOf(node);
  if (text === undefined) throw new TypeError("the auction sent a transfer without a text");
  return text.includes(outbidPhrase);
}
