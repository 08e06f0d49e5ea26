import { outOfGas, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben, item } from "./people.js";

export const auctions = {
  auction_bid: {
    details: { amount: "12100000000", bidder: ann, nft_item: item },
    says: "‹bidder› bid ‹amount: 12.1 TON› for ‹lot=item›",
    shown: ["auction", "Bid"],
    failed: ownCode,
  },
  auction_outbid: {
    details: {
      bidder: ben,
      new_bidder: ann,
      nft_item: item,
      amount: "11000000000",
      marketplace: "getgems\u202e",
    },
    says: "‹new_bidder› outbid ‹bidder› in the auction of ‹nft_item› on getgems�; the earlier bid of ‹amount: 11 TON› was returned",
    shown: ["auction", "Outbid"],
  },
  nft_put_on_auction: {
    details: { nft_item: item, owner: ann, min_bid: "10000000000", marketplace: "getgems" },
    says: "‹owner› put ‹nft_item› up for auction on getgems, from ‹min_bid: 10 TON›",
    shown: ["auction", "NFT put up for auction"],
  },
  teleitem_start_auction: {
    details: { nft_item: item, owner: ann, min_bid: "5000000000", marketplace: "fragment" },
    says: "‹owner› put ‹nft_item› up for auction on fragment, from ‹min_bid: 5 TON›",
    shown: ["auction", "Auction started"],
    failed: ownCode,
  },
  nft_cancel_auction: {
    details: { owner: ann, nft_item: item, marketplace: "getgems\u202e" },
    says: "‹owner› cancelled the auction of ‹nft_item› on getgems�",
    shown: ["auction", "Auction cancelled"],
  },
  teleitem_cancel_auction: {
    details: { owner: ann, nft_item: item, marketplace: null },
    says: "‹owner› cancelled the auction of ‹nft_item›",
    shown: ["auction", "Auction cancelled"],
    failed: outOfGas,
  },
  nft_finish_auction: {
    details: { owner: ann, nft_item: item, marketplace: "getgems\u202e" },
    says: "The auction of ‹nft_item› by ‹owner› ended on getgems�",
    shown: ["auction", "Auction ended"],
  },
} satisfies Partial<Goldens>;
