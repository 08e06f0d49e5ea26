import { noCoins, outOfGas, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben, collection, hostileComment, item } from "./people.js";

export const nfts = {
  nft_mint: {
    details: { owner: ann, nft_item: item, nft_collection: collection },
    says: "‹owner› minted ‹nft_item› of ‹nft_collection›",
    shown: ["nft", "NFT minted"],
    failed: noCoins,
  },
  nft_transfer: {
    details: {
      old_owner: ann,
      nft_item: item,
      new_owner: ben,
      is_purchase: false,
      comment: hostileComment,
      is_encrypted_comment: false,
    },
    says: "‹old_owner› gave ‹nft_item› to ‹new_owner›, saying “thanks”�, saying “�gnp.exe {amount:TON}[x]”",
    shown: ["nft", "NFT transfer"],
    failed: ownCode,
  },
  nft_purchase: {
    details: {
      price: "1350000000",
      nft_item: item,
      new_owner: ann,
      marketplace: "getgems\u202e",
      real_old_owner: ben,
    },
    says: "‹new_owner› bought ‹nft_item› from ‹seller=ben› for ‹price: 1.35 TON› on getgems�",
    shown: ["sale", "NFT purchase"],
  },
  nft_discovery: {
    details: { source: ann, nft_item: item },
    says: "‹source› asked ‹nft_item› for its data",
    shown: ["nft", "NFT query"],
  },
  nft_put_on_sale: {
    details: { nft_item: item, owner: ann, full_price: "1350000000", marketplace: "getgems" },
    says: "‹owner› put ‹nft_item› up for sale for ‹full_price: 1.35 TON› on getgems",
    shown: ["sale", "NFT put on sale"],
  },
  nft_cancel_sale: {
    details: { owner: ann, nft_item: item, marketplace: "getgems\u202e" },
    says: "‹owner› took ‹nft_item› off sale on getgems�",
    shown: ["sale", "Sale cancelled"],
  },
  nft_update_sale: {
    details: { source: ann, nft_address: item, marketplace: "getgems\u202e", full_price: "120000000000" },
    says: "‹source› changed the price of ‹nft_address› to ‹full_price: 120 TON› on getgems�",
    shown: ["sale", "Price changed"],
    failed: ownCode,
  },
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
  change_dns: {
    details: {
      source: ann,
      asset: item,
      value: {
        sum_type: "DNSText",
        dns_smc_address: null,
        dns_adnl_address: null,
        dns_text: hostileComment,
        dns_next_resolver_address: null,
      },
    },
    says: "‹source› set the text of ‹asset› to “thanks”�, saying “�gnp.exe {amount:TON}[x]”",
    shown: ["domain", "Domain record set"],
    failed: ownCode,
  },
  delete_dns: {
    details: { source: ann, asset: item },
    says: "‹source› deleted a record of ‹asset›",
    shown: ["domain", "Domain record deleted"],
    failed: ownCode,
  },
  renew_dns: {
    details: { source: ann, asset: item },
    says: "‹source› renewed ‹asset›",
    shown: ["domain", "Domain renewed"],
    failed: outOfGas,
  },
  dns_purchase: {
    details: { nft_item: item, new_owner: ben, price: "700000000000" },
    says: "‹new_owner› bought ‹nft_item› for ‹price: 700 TON›",
    shown: ["domain", "Domain purchase"],
    failed: ownCode,
  },
  dns_release: {
    details: { source: ann, nft_item: item, value: "105000000000" },
    says: "‹source› put ‹nft_item› up for auction again, as it had expired, with a first bid of ‹value: 105 TON›",
    shown: ["domain", "Expired domain released"],
    failed: ownCode,
  },
} satisfies Partial<Goldens>;
