import { z } from "zod";
import { rawAddressUpper } from "../results.js";
import { integerText } from "../v3-records.js";
import {
  account,
  amount,
  comment,
  customPayload,
  flag,
  forwardAmount,
  forwardPayload,
  isEncrypted,
  queryId,
  responseDestination,
  source,
  text,
} from "./fields.js";

const item = account("The item.");
const collection = account("Its collection.");
const itemIndex = amount("Its index in the collection.");
const marketplace = text("Name of the marketplace.");
const marketplaceAddress = account("The marketplace.");
const price = integerText.optional().describe("Price in nanotons.");
const auction = account("The auction.");
const newOwner = account("The new owner.");

const transfer = z.object({
  nft_collection: collection,
  nft_item: item,
  nft_item_index: itemIndex,
  old_owner: rawAddressUpper.optional().describe("The old owner; a sale, if it was on sale."),
  new_owner: newOwner,
  is_purchase: flag("Whether it was bought."),
  price,
  query_id: queryId,
  response_destination: responseDestination,
  custom_payload: customPayload,
  forward_payload: forwardPayload,
  forward_amount: forwardAmount,
  comment,
  is_encrypted_comment: isEncrypted,
  marketplace,
  real_old_owner: account("The seller."),
  marketplace_address: marketplaceAddress,
  payout_amount: amount("Nanotons that the seller received."),
  payout_address: account("Receiver of the payout."),
  payout_comment: text("Comment of the payout."),
  payout_comment_encrypted: flag("Whether it is encrypted."),
  payout_comment_encoded: flag("Whether it is base64."),
  royalty_amount: amount("Nanotons of the royalty."),
  royalty_address: account("Receiver of the royalty."),
});

const listed = {
  nft_collection: collection,
  nft_item: item,
  nft_item_index: itemIndex,
  owner: account("The owner."),
  listing_address: account("The account that the item was sent to."),
};

const putOnAuction = z.object({
  ...listed,
  auction_address: auction,
  marketplace_address: marketplaceAddress,
  marketplace_fee_factor: amount("Numerator of the fee of the marketplace."),
  marketplace_fee_base: amount("Its denominator."),
  royalty_fee_base: amount("Denominator of the royalty."),
  max_bid: amount("Bid in nanotons that ends the auction."),
  min_bid: amount("Least bid in nanotons."),
  marketplace_fee_address: account("Receiver of the fee."),
  royalty_address: account("Receiver of the royalty."),
  marketplace,
});

const endAuction = z.object({
  owner: account("The owner."),
  nft_item: item,
  nft_collection: collection,
  auction_address: auction,
  marketplace_address: marketplaceAddress,
  marketplace,
});

export const nftActions = {
  nft_mint: z.object({
    owner: rawAddressUpper.optional().describe("Account that deployed the item."),
    nft_item: item,
    nft_collection: collection,
    nft_item_index: itemIndex,
  }),
  nft_transfer: transfer,
  nft_purchase: transfer,
  nft_discovery: z.object({
    source,
    nft_item: item,
    nft_collection: collection,
    nft_item_index: itemIndex,
  }),
  auction_bid: z.object({
    amount: amount("Nanotons."),
    bidder: account("The bidder."),
    auction,
    nft_item: item,
    nft_collection: collection,
    nft_item_index: itemIndex,
  }),
  auction_outbid: z.object({
    auction_address: auction,
    bidder: account("The bidder who is refunded."),
    new_bidder: account("The bidder who bid more."),
    nft_item: item,
    nft_collection: collection,
    amount: amount("Nanotons of the refund."),
    comment: z.string().optional().describe("Comment of the refund."),
    marketplace: z.string().optional().describe("Name of the marketplace."),
  }),
  nft_put_on_sale: z.object({
    ...listed,
    sale_address: account("The sale."),
    marketplace_address: marketplaceAddress,
    full_price: amount("Price in nanotons."),
    marketplace_fee: amount("Fee of the marketplace in nanotons."),
    royalty_amount: amount("Nanotons of the royalty."),
    marketplace_fee_address: account("Receiver of the fee."),
    royalty_address: account("Receiver of the royalty."),
    marketplace,
  }),
  nft_put_on_auction: putOnAuction,
  teleitem_start_auction: putOnAuction,
  nft_cancel_sale: z.object({
    owner: account("The owner."),
    nft_item: item,
    nft_collection: collection,
    sale_address: account("The sale."),
    marketplace_address: marketplaceAddress,
    marketplace,
  }),
  nft_cancel_auction: endAuction,
  teleitem_cancel_auction: endAuction,
  nft_finish_auction: endAuction,
  nft_update_sale: z.object({
    source,
    sale_contract: account("The sale."),
    nft_address: item,
    marketplace_address: marketplaceAddress,
    marketplace,
    full_price: amount("Price in nanotons."),
    marketplace_fee: amount("Fee of the marketplace in nanotons."),
    royalty_amount: amount("Nanotons of the royalty."),
  }),
  dns_purchase: z.object({
    nft_collection: collection,
    nft_item: item,
    nft_item_index: itemIndex,
    new_owner: newOwner,
    price: amount("Price in nanotons."),
    query_id: queryId,
    payout_amount: amount("Nanotons that the seller received."),
  }),
  dns_release: z.object({
    query_id: queryId,
    source,
    nft_item: item,
    nft_collection: collection,
    nft_item_index: itemIndex,
    value: amount("Nanotons of the first bid."),
  }),
};
