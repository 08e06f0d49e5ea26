import {
  comment,
  customPayload,
  forwardAmount,
  forwardPayload,
  isEncrypted,
  queryId,
  responseDestination,
  source,
} from "./common.js";
import { action } from "./declare.js";
import {
  type AddressText,
  account,
  amount,
  type BocText,
  calculated,
  flag,
  knownAccount,
  knownAmount,
  knownText,
  text,
  unsent,
} from "./member.js";

const item = account("The item.").in("asset_secondary");
/** An item that the message went to. */
const calledItem = item.in("asset_secondary", "destination");
const collection = account("Its collection.").in("asset");
const itemIndex = amount("Its index in the collection.");
const marketplace = text("Name of the marketplace.");
const marketplaceAddress = account("The marketplace.");
const owner = account("The owner.").in("source");
const auction = account("The auction.").in("destination");
const sale = account("The sale.").in("destination");
const newOwner = account("The new owner.").in("destination");
const fullPrice = amount("Price in nanotons.");
const marketplaceFee = amount("Fee of the marketplace in nanotons.");
const royaltyAmount = amount("Nanotons of the royalty.");
const feeReceiver = account("Receiver of the fee.");
const royaltyReceiver = account("Receiver of the royalty.");
const payoutReceiver = account("Receiver of the payout.");

type Paid = { readonly forward_payload?: BocText };

const moved = {
  nft_collection: collection,
  nft_item: item,
  nft_item_index: itemIndex,
  old_owner: knownAccount("The old owner; a sale, if it was on sale.").in("source"),
  new_owner: newOwner,
  is_purchase: flag("Whether it was bought."),
  price: knownAmount("Price in nanotons."),
  query_id: queryId,
  response_destination: responseDestination,
  custom_payload: customPayload,
  forward_payload: forwardPayload,
  forward_amount: forwardAmount,
  comment: calculated(comment, (stored: Paid, { commentOf }) => commentOf(stored.forward_payload).text),
  is_encrypted_comment: calculated(
    isEncrypted,
    (stored: Paid, { commentOf }) => commentOf(stored.forward_payload).isEncrypted,
  ),
  marketplace,
  real_old_owner: account("The seller.").in(".real_prev_owner"),
  marketplace_address: marketplaceAddress,
  payout_amount: amount("Nanotons that the seller received."),
};
const payoutComment = {
  payout_comment: text("Comment of the payout."),
  payout_comment_encrypted: flag("Whether it is encrypted."),
  payout_comment_encoded: flag("Whether it is base64."),
};

const listed = { nft_collection: collection, nft_item: item, nft_item_index: itemIndex, owner };
const listedBy = {
  ...listed,
  listing_address: account("The account that the item was sent to.").in("source_secondary"),
};
const marketplaceOfListing = marketplaceAddress.in("nft_transfer_data.marketplace_address");

const putOnAuction = {
  ...listedBy,
  auction_address: auction,
  marketplace_address: marketplaceOfListing,
  marketplace_fee_factor: amount("Numerator of the fee of the marketplace.").in(".mp_fee_factor"),
  marketplace_fee_base: amount("Its denominator.").in(".mp_fee_base"),
  royalty_fee_base: amount("Denominator of the royalty."),
  max_bid: amount("Bid in nanotons that ends the auction."),
  min_bid: amount("Least bid in nanotons."),
  marketplace_fee_address: feeReceiver,
  royalty_address: royaltyReceiver,
  marketplace,
};

const ended = { owner, nft_item: item, nft_collection: collection };
const endedAt = { marketplace_address: marketplaceAddress, marketplace: marketplace.rare() };
const endAuction = { ...ended, auction_address: auction, ...endedAt };

export const nftActions = {
  nft_mint: action([30, "v1", "nft_mint_data"], {
    owner: knownAccount("Account that deployed the item.").in("source"),
    nft_item: calledItem,
    nft_collection: collection,
    nft_item_index: itemIndex,
    opcode: unsent<number>("opcode"),
  }),
  nft_transfer: action([31, "v1", "nft_transfer_data"], {
    ...moved,
    payout_address: payoutReceiver.in("nft_listing_data.marketplace_fee_address"),
    payout_comment: payoutComment.payout_comment.rare(),
    payout_comment_encrypted: payoutComment.payout_comment_encrypted.rare(),
    payout_comment_encoded: payoutComment.payout_comment_encoded.rare(),
    royalty_amount: royaltyAmount,
    royalty_address: royaltyReceiver.in("nft_listing_data.royalty_address"),
  }),
  nft_purchase: action([32, "v3", "nft_transfer_data"], {
    ...moved,
    payout_address: calculated(
      payoutReceiver,
      (stored: { real_old_owner?: AddressText }) => stored.real_old_owner,
    ),
    ...payoutComment,
    royalty_amount: royaltyAmount.rare(),
    royalty_address: royaltyReceiver.unknown(),
  }),
  nft_discovery: action([33, "v2", "nft_transfer_data"], {
    source,
    nft_item: item,
    nft_collection: collection,
    nft_item_index: itemIndex,
  }),
  auction_bid: action([42, "v1", "nft_transfer_data"], {
    amount: amount("Nanotons.").in("value"),
    bidder: account("The bidder.").in("source"),
    auction,
    nft_item: item,
    nft_collection: collection,
    nft_item_index: itemIndex,
    marketplace: unsent<string>(".marketplace"),
  }),
  auction_outbid: action([43, "v3"], {
    auction_address: auction.in("source"),
    bidder: account("The bidder who is refunded.").in("destination"),
    new_bidder: account("The bidder who bid more.").in("source_secondary"),
    nft_item: item,
    nft_collection: collection,
    amount: amount("Nanotons of the refund.").in("amount"),
    comment: knownText("Comment of the refund.").unknown(),
    // Answers add the operator's name for it.
    marketplace: knownText("Name of the marketplace.").unknown(),
  }),
  nft_put_on_sale: action([34, "v3", "nft_listing_data"], {
    ...listedBy,
    sale_address: sale,
    marketplace_address: marketplaceOfListing,
    full_price: fullPrice,
    marketplace_fee: marketplaceFee,
    royalty_amount: royaltyAmount,
    marketplace_fee_address: feeReceiver,
    royalty_address: royaltyReceiver,
    marketplace,
  }),
  nft_put_on_auction: action([35, "v3", "nft_listing_data"], putOnAuction),
  teleitem_start_auction: action([40, "v3", "nft_listing_data"], putOnAuction),
  nft_cancel_sale: action([37, "v3", "nft_transfer_data"], { ...ended, sale_address: sale, ...endedAt }),
  nft_cancel_auction: action([38, "v3", "nft_transfer_data"], endAuction),
  teleitem_cancel_auction: action([41, "v3", "nft_transfer_data"], endAuction),
  nft_finish_auction: action([39, "v3", "nft_transfer_data"], endAuction),
  nft_update_sale: action([36, "v3", "nft_listing_data"], {
    source,
    sale_contract: sale,
    nft_address: item,
    marketplace_address: marketplaceOfListing,
    marketplace: calculated(
      marketplace,
      (stored: { ofListing?: string; ofTransfer?: string }) => stored.ofListing ?? stored.ofTransfer,
    ),
    full_price: fullPrice,
    marketplace_fee: marketplaceFee,
    royalty_amount: royaltyAmount,
    ofListing: unsent<string>(".marketplace").rare(),
    ofTransfer: unsent<string>("nft_transfer_data.marketplace").rare(),
  }),
  dns_purchase: action([44, "v3", "nft_transfer_data"], {
    nft_collection: collection,
    nft_item: item,
    nft_item_index: itemIndex,
    new_owner: newOwner,
    price: fullPrice,
    query_id: queryId,
    payout_amount: moved.payout_amount,
  }),
  dns_release: action([45, "v3", "nft_transfer_data"], {
    query_id: queryId,
    source,
    nft_item: calledItem,
    nft_collection: collection,
    nft_item_index: itemIndex,
    value: amount("Nanotons of the first bid.").in("value"),
  }),
};
