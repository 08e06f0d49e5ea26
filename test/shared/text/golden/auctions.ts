import { outOfGas, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben, collection, item, pool } from "./people.js";

export const auctions: Goldens<
  | "auction_bid"
  | "auction_outbid"
  | "nft_put_on_auction"
  | "teleitem_start_auction"
  | "nft_cancel_auction"
  | "teleitem_cancel_auction"
  | "nft_finish_auction"
> = {
  auction_bid: {
    details: {
      amount: "12100000000",
      bidder: ann,
      auction: pool,
      nft_item: item,
      nft_collection: collection,
      nft_item_index: "5",
    },
    text: "<img src=x onerror=alert(1)> bid 12.1 TON for Long name Long name Long name Lo…",
    icon: "auction",
    title: "Bid",
    values: [["amount", "12100000000", null, "TON", 9, "12.1 TON"]],
    accounts: [
      ["bidder", ann, "<img src=x onerror=alert(1)>"],
      ["lot", item, "Long name Long name Long name Lo…"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> bid 12.1 TON for Long name Long name Long name Lo…; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["bidder", ann, "<img src=x onerror=alert(1)>"],
        ["lot", item, "Long name Long name Long name Lo…"],
        ["failed", pool, null],
      ],
    },
  },
  auction_outbid: {
    details: {
      auction_address: "0:95482BA25B7BF178DDE12DB3FF20F00E90FAD0092F1811D39CA318F7071AC9D7",
      bidder: ben,
      new_bidder: ann,
      nft_item: item,
      nft_collection: collection,
      amount: "11000000000",
      marketplace: "getgems\u202e",
    },
    text: "<img src=x onerror=alert(1)> outbid ben��.ton {amount:TON} in the auction of Long name Long name Long name Lo… on getgems�; the earlier bid of 11 TON was returned",
    icon: "auction",
    title: "Outbid",
    values: [["amount", "11000000000", null, "TON", 9, "11 TON"]],
    accounts: [
      ["new_bidder", ann, "<img src=x onerror=alert(1)>"],
      ["bidder", ben, "ben��.ton {amount:TON}"],
      ["nft_item", item, "Long name Long name Long name Lo…"],
    ],
    failed: null,
  },
  nft_put_on_auction: {
    details: {
      nft_item: item,
      nft_collection: collection,
      owner: ann,
      listing_address: "0:AF9D7F5C94154C51766656842B4CA4CA1024BF010A5D61350766AF33EC179A82",
      marketplace_address: "0:DFD76B3ECBEFE4606D9CBFA7E7C41884B22D214A0C13560BB7EB10E65C11851F",
      nft_item_index: "5",
      auction_address: "0:95482BA25B7BF178DDE12DB3FF20F00E90FAD0092F1811D39CA318F7071AC9D7",
      marketplace_fee_factor: "5",
      marketplace_fee_base: "100",
      royalty_fee_base: "1000",
      max_bid: "900000000000",
      min_bid: "10000000000",
      marketplace_fee_address: "0:2BD806C97F0E00AF1A1FC3328FA763A9269723C8DB8FAC4F93AF71DB186D6E90",
      royalty_address: "0:81B637D8FCD2C6DA6359E6963113A1170DE795E4B725B84D1E0B4CFD9EC58CE9",
      marketplace: "getgems",
    },
    text: "<img src=x onerror=alert(1)> put Long name Long name Long name Lo… up for auction on getgems, from 10 TON",
    icon: "auction",
    title: "NFT put up for auction",
    values: [["min_bid", "10000000000", null, "TON", 9, "10 TON"]],
    accounts: [
      ["owner", ann, "<img src=x onerror=alert(1)>"],
      ["nft_item", item, "Long name Long name Long name Lo…"],
    ],
    failed: null,
  },
  teleitem_start_auction: {
    details: {
      nft_item: item,
      nft_collection: collection,
      owner: ann,
      listing_address: null,
      marketplace_address: null,
      nft_item_index: "5",
      auction_address: item,
      marketplace_fee_factor: "0",
      marketplace_fee_base: "0",
      royalty_fee_base: "0",
      max_bid: "500000000000",
      min_bid: "5000000000",
      marketplace_fee_address: "0:81B637D8FCD2C6DA6359E6963113A1170DE795E4B725B84D1E0B4CFD9EC58CE9",
      royalty_address: null,
      marketplace: "fragment",
    },
    text: "<img src=x onerror=alert(1)> put Long name Long name Long name Lo… up for auction on fragment, from 5 TON",
    icon: "auction",
    title: "Auction started",
    values: [["min_bid", "5000000000", null, "TON", 9, "5 TON"]],
    accounts: [
      ["owner", ann, "<img src=x onerror=alert(1)>"],
      ["nft_item", item, "Long name Long name Long name Lo…"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> put Long name Long name Long name Lo… up for auction on fragment, from 5 TON; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["owner", ann, "<img src=x onerror=alert(1)>"],
        ["nft_item", item, "Long name Long name Long name Lo…"],
        ["failed", pool, null],
      ],
    },
  },
  nft_cancel_auction: {
    details: {
      owner: ann,
      nft_item: item,
      nft_collection: collection,
      marketplace_address: "0:DFD76B3ECBEFE4606D9CBFA7E7C41884B22D214A0C13560BB7EB10E65C11851F",
      marketplace: "getgems\u202e",
      auction_address: "0:95482BA25B7BF178DDE12DB3FF20F00E90FAD0092F1811D39CA318F7071AC9D7",
    },
    text: "<img src=x onerror=alert(1)> cancelled the auction of Long name Long name Long name Lo… on getgems�",
    icon: "auction",
    title: "Auction cancelled",
    values: [],
    accounts: [
      ["owner", ann, "<img src=x onerror=alert(1)>"],
      ["nft_item", item, "Long name Long name Long name Lo…"],
    ],
    failed: null,
  },
  teleitem_cancel_auction: {
    details: {
      owner: ann,
      nft_item: item,
      nft_collection: collection,
      marketplace_address: null,
      marketplace: null,
      auction_address: item,
    },
    text: "<img src=x onerror=alert(1)> cancelled the auction of Long name Long name Long name Lo…",
    icon: "auction",
    title: "Auction cancelled",
    values: [],
    accounts: [
      ["owner", ann, "<img src=x onerror=alert(1)>"],
      ["nft_item", item, "Long name Long name Long name Lo…"],
    ],
    failed: {
      failure: outOfGas,
      text: "Failed: <img src=x onerror=alert(1)> cancelled the auction of Long name Long name Long name Lo…; EQDMzM…zDA5 failed in the compute phase with exit code -14 (out of gas)",
      accounts: [
        ["owner", ann, "<img src=x onerror=alert(1)>"],
        ["nft_item", item, "Long name Long name Long name Lo…"],
        ["failed", pool, null],
      ],
    },
  },
  nft_finish_auction: {
    details: {
      owner: ann,
      nft_item: item,
      nft_collection: collection,
      marketplace_address: "0:DFD76B3ECBEFE4606D9CBFA7E7C41884B22D214A0C13560BB7EB10E65C11851F",
      marketplace: "getgems\u202e",
      auction_address: "0:95482BA25B7BF178DDE12DB3FF20F00E90FAD0092F1811D39CA318F7071AC9D7",
    },
    text: "The auction of Long name Long name Long name Lo… by <img src=x onerror=alert(1)> ended on getgems�",
    icon: "auction",
    title: "Auction ended",
    values: [],
    accounts: [
      ["nft_item", item, "Long name Long name Long name Lo…"],
      ["owner", ann, "<img src=x onerror=alert(1)>"],
    ],
    failed: null,
  },
};
