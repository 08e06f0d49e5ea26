import { callContract, commentOf, tonTransfer } from "../basic-blocks.js";
import type { Block } from "../block.js";
import type { ContractLookups } from "../contracts.js";
import { cancel, type Matcher } from "../matcher.js";
import { made, transfer } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";
import { isDomain, isTeleitem } from "./self-sold-items.js";

const outbidNotification = 0x557cea20;
const outbidPhrase = "Your bid has been outbid by another user";
/** Texts that command the auction contract, so such transfers are not bids. */
const words: ReadonlySet<string | undefined> = new Set(["cancel", "finish", "stop"]);

/** The item belongs to the accounts of both. */
const accounts = ({ nft_item }: { readonly nft_item: AddressText | undefined }) => [nft_item];

const auctionBidKind = rowKind("auction_bid", { isLeaf: true, accounts });

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
    const bid = { bidder: anchor.source, auction, amount: anchor.value, ...item };
    return auctionBidKind.build(bid, { isFailed: anchor.isFailed });
  },
};

/** The item that an auction sells, and where. */
function itemAt(auction: AddressText, contracts: ContractLookups) {
  const { nftAuction, nftItem } = contracts.at(auction);
  const sold = nftAuction ? contracts.nftItem(nftAuction.nft) : nftItem;
  if (!nftAuction && !(sold && (isTeleitem(sold) || isDomain(sold)))) return undefined;
  return {
    nft_item: nftAuction ? nftAuction.nft : auction,
    nft_collection: sold?.collection,
    nft_item_index: sold?.index,
    marketplace: nftAuction ? "getgems" : "fragment",
  };
}

/** Domains also accept TON that is no bid. */
function isDomainAt(auction: AddressText, contracts: ContractLookups): boolean {
  const { nftAuction, nftItem } = contracts.at(auction);
  return !nftAuction && nftItem !== undefined && isDomain(nftItem);
}

function isOutbidNotification({ kind, opcode }: Block): boolean {
  return kind === callContract && opcode === outbidNotification;
}

const auctionOutbidKind = rowKind("auction_outbid", { accounts });

/** The previous bid was returned to its bidder. The new bid has its own row. */
export const auctionOutbid: Matcher = {
  name: "auction outbid",
  pattern: made(auctionBidKind),
  build: ({ anchor }) => {
    const bid = auctionBidKind.dataOf(anchor);
    const sent = anchor.followers.filter(({ source }) => source === bid.auction);
    const [refund, ...others] = sent.filter(bid.marketplace === "getgems" ? isRefund : isOutbidNotification);
    if (!refund) return cancel("no previous bid was returned");
    if (others.length > 0) return cancel("more than one bid went back");
    const outbid = {
      auction_address: bid.auction,
      bidder: refund.destination,
      new_bidder: bid.bidder,
      nft_item: bid.nft_item,
      nft_collection: bid.nft_collection,
      amount: refund.value,
    };
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
