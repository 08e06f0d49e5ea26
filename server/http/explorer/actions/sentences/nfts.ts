import type { ActionDetails } from "../../../../../shared/schema/v3-actions.js";
import { claimedText } from "../../parts/text.js";
import { comment, type Phrase, type Sentences, say, ton, when, who } from "../phrase.js";

const item = (address: string | null) => who(address, "an NFT");
const place = (marketplace: string | null | undefined) =>
  when(marketplace, (name) => say` on ${claimedText(name, 40)}`);

type Transfer = ActionDetails["nft_transfer"];

function purchase({ new_owner, nft_item, real_old_owner, old_owner, price, marketplace }: Transfer): Phrase {
  const seller = real_old_owner ?? old_owner;
  return say`${who(new_owner)} bought ${item(nft_item)}${when(seller, (owner) => say` from ${who(owner)}`)}${when(price, (nanotons) => say` for ${ton(nanotons)}`)}${place(marketplace)}`;
}

function startAuction(details: ActionDetails["nft_put_on_auction"]): Phrase {
  return say`${who(details.owner)} put ${item(details.nft_item)} up for auction${place(details.marketplace)}${when(details.min_bid, (bid) => say`, from ${ton(bid)}`)}`;
}

function cancelAuction({ owner, nft_item, marketplace }: ActionDetails["nft_cancel_auction"]): Phrase {
  return say`${who(owner)} cancelled the auction of ${item(nft_item)}${place(marketplace)}`;
}

export const nftSentences = {
  nft_mint: ({ owner, nft_item, nft_collection }) =>
    say`${who(owner)} minted ${item(nft_item)}${when(nft_collection, (collection) => say` of ${who(collection)}`)}`,
  nft_transfer: (details) =>
    details.is_purchase
      ? purchase(details)
      : say`${who(details.old_owner)} gave ${item(details.nft_item)} to ${who(details.new_owner)}${comment(details.comment, details.is_encrypted_comment)}`,
  nft_purchase: purchase,
  nft_discovery: ({ source, nft_item }) => say`${who(source)} asked ${item(nft_item)} for its data`,
  auction_bid: ({ bidder, amount, nft_item, auction }) =>
    say`${who(bidder)} bid ${ton(amount)} for ${nft_item ? item(nft_item) : who(auction, "an NFT")}`,
  auction_outbid: ({ bidder, new_bidder, amount, nft_item, marketplace }) =>
    say`${who(new_bidder, "Another bidder")} outbid ${who(bidder)} in the auction of ${item(nft_item)}${place(marketplace)}; ${ton(amount)} went back`,
  nft_put_on_sale: ({ owner, nft_item, full_price, marketplace }) =>
    say`${who(owner)} put ${item(nft_item)} up for sale${when(full_price, (price) => say` for ${ton(price)}`)}${place(marketplace)}`,
  nft_put_on_auction: startAuction,
  teleitem_start_auction: startAuction,
  nft_cancel_sale: ({ owner, nft_item, marketplace }) =>
    say`${who(owner)} took ${item(nft_item)} off sale${place(marketplace)}`,
  nft_cancel_auction: cancelAuction,
  teleitem_cancel_auction: cancelAuction,
  nft_finish_auction: ({ owner, nft_item, marketplace }) =>
    say`The auction of ${item(nft_item)} by ${who(owner)} ended${place(marketplace)}`,
  nft_update_sale: ({ source, nft_address, full_price, marketplace }) =>
    say`${who(source)} changed the price of ${item(nft_address)}${when(full_price, (price) => say` to ${ton(price)}`)}${place(marketplace)}`,
} satisfies Partial<Sentences>;
