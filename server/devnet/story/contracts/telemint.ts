import { type Builder, beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { Address } from "../../../../shared/values/address.js";
import { snake } from "../../contracts/snake.js";

// Messages of names sold like Telegram's (telemint-item.tolk).

export type TelemintAuction = {
  beneficiary: Address;
  minBid: bigint;
  /** A bid of this amount wins immediately; 0: disabled. */
  maxBid: bigint;
  /** Seconds. */
  duration: number;
};

/** Minimum increase over the previous bid in percent, and minimum seconds that remain after a bid. */
const [minBidStep, minExtendTime] = [5, 3600];

function auctionConfig({ beneficiary, minBid, maxBid, duration }: TelemintAuction): Cell {
  // beneficiary:MsgAddress initial_min_bid:Coins max_bid:Coins min_bid_step:uint8 min_extend_time:uint32 duration:uint32
  return beginCell()
    .storeAddress(beneficiary)
    .storeCoins(minBid)
    .storeCoins(maxBid)
    .storeUint(minBidStep, 8)
    .storeUint(minExtendTime, 32)
    .storeUint(duration, 32)
    .endCell();
}

type TelemintItem = {
  name: string;
  /** The zone, with a zero byte after each label. */
  domain: string;
  /** The item's part of the URI. */
  content: string;
  bidder: Address;
  bid: bigint;
  auction: TelemintAuction;
  royaltyTo: Address;
};

/** Message from the collection to a new item: the first bid, whose value must be attached. */
export function deployItemMessage({
  name,
  domain,
  content,
  bidder,
  bid,
  auction,
  royaltyTo,
}: TelemintItem): Cell {
  // numerator:uint16 denominator:uint16 destination:MsgAddress
  const royalty = beginCell().storeUint(5, 16).storeUint(100, 16).storeAddress(royaltyTo);
  // teleitem_msg_deploy#299a3e15 sender_address:MsgAddress bid:Coins token_info:^TokenInfo nft_content:^Cell
  //   auction_config:^AuctionConfig royalty_params:^RoyaltyParams
  return beginCell()
    .storeUint(0x299a3e15, 32)
    .storeAddress(bidder)
    .storeCoins(bid)
    .storeRef(storeShortText(storeShortText(beginCell(), name), domain).endCell())
    .storeRef(snake(content))
    .storeRef(auctionConfig(auction))
    .storeRef(royalty.endCell())
    .endCell();
}

/** `len:uint8 text:(bits (len * 8)) = ShortText` */
function storeShortText(builder: Builder, text: string): Builder {
  const bytes = new TextEncoder().encode(text);
  return builder.storeUint(bytes.length, 8).storeBytes(bytes);
}

/** Body of a message from the owner to the item. */
export function startAuctionBody(auction: TelemintAuction, queryId: number): Cell {
  // teleitem_msg_start_auction#487a8e81 query_id:int64 auction_config:^AuctionConfig
  return beginCell()
    .storeUint(0x487a8e81, 32)
    .storeUint(queryId, 64)
    .storeRef(auctionConfig(auction))
    .endCell();
}
