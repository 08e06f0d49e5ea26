import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { type StateInit, stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../../shared/values/address.js";
import { contractCode } from "../../contracts/codes.js";
import { contractAddress } from "../../wallets/compose.js";

type AuctionTerms = {
  version: 3 | 4;
  createdAt: number;
  endTime: number;
  marketplace: Address;
  item: Address;
  minBid: bigint;
  /** A bid of this amount wins immediately; 0: disabled. */
  maxBid: bigint;
  royaltyTo: Address;
};

/** Minimum increase over the previous bid, in percent. */
const minStep = 5;
/** Minimum seconds that remain after a bid. */
const stepTime = 300;

const codes = { 3: "nft-auction", 4: "nft-auction-v4" } as const;

/**
 * An auction (shared/auction.tolk) with 5% for the marketplace and 5% for the creator. Opened by transferring the item
 * to it.
 */
export class NftAuction {
  readonly init: StateInit;
  readonly address: Address;

  constructor({ version, createdAt, endTime, marketplace, item, minBid, maxBid, royaltyTo }: AuctionTerms) {
    // amount:Coins bidder:MsgAddress at:uint32 queryId:uint64
    const bid = beginCell().storeCoins(0n).storeAddress(undefined).storeUint(0, 32).storeUint(0, 64);
    // marketplace:MsgAddress minBid:Coins maxBid:Coins minStep:uint7 stepTime:uint32 fee:^Share royalty:^Share
    const terms = beginCell()
      .storeAddress(marketplace)
      .storeCoins(minBid)
      .storeCoins(maxBid)
      .storeUint(minStep, 7)
      .storeUint(stepTime, 32)
      .storeRef(fivePercent(marketplace))
      .storeRef(fivePercent(royaltyTo));
    // isEnded:Bool isCanceled:Bool createdAt:uint32 endTime:uint32 item:MsgAddress owner:MsgAddress bid:^Bid
    //   terms:^Terms
    const data = beginCell()
      .storeBit(false)
      .storeBit(false)
      .storeUint(createdAt, 32)
      .storeUint(endTime, 32)
      .storeAddress(item)
      .storeAddress(undefined)
      .storeRef(bid.endCell())
      .storeRef(terms.endCell());
    this.init = stateInitOf(contractCode(codes[version]), data.endCell());
    this.address = contractAddress(this.init);
  }
}

function fivePercent(to: Address): Cell {
  // to:MsgAddress factor:uint32 base:uint32 = Share
  return beginCell().storeAddress(to).storeUint(5, 32).storeUint(100, 32).endCell();
}

/** Body of a message from the seller or the marketplace to an auction without bids. */
export function cancelAuctionBody(queryId: number): Cell {
  return beginCell().storeUint(0x5616c572, 32).storeUint(queryId, 64).endCell();
}
