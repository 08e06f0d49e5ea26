import { parseBoc } from "../../../../shared/ton/cells/boc.js";
import { base64ToBytes } from "../../../../shared/values/bytes.js";
import { encryptedText, readSnakeText, type Text } from "../../../contracts/message-text.js";
import { known, nullable, type Presenters, type StoredAction } from "./stored-action.js";

export const nftPresenters: Presenters<
  | "nft_mint"
  | "nft_transfer"
  | "nft_purchase"
  | "nft_discovery"
  | "auction_bid"
  | "auction_outbid"
  | "nft_put_on_sale"
  | "nft_put_on_auction"
  | "teleitem_start_auction"
  | "nft_cancel_sale"
  | "nft_cancel_auction"
  | "teleitem_cancel_auction"
  | "nft_finish_auction"
  | "nft_update_sale"
  | "dns_purchase"
  | "dns_release"
> = {
  nft_mint: ({ nft_mint_data: { nft_item_index }, ...row }) => ({
    ...known({ owner: row.source }),
    ...nullable({ ...item(row), nft_item_index }),
  }),
  nft_transfer: (row) =>
    transfer(row, {
      payout_address: row.nft_listing_data?.marketplace_fee_address,
      royalty_address: row.nft_listing_data?.royalty_address,
    }),
  nft_purchase: (row) =>
    transfer(row, { payout_address: row.nft_transfer_data.real_prev_owner, royalty_address: undefined }),
  nft_discovery: ({ nft_transfer_data: { nft_item_index }, ...row }) =>
    nullable({ source: row.source, ...item(row), nft_item_index }),
  auction_bid: ({ nft_transfer_data: { nft_item_index }, ...row }) =>
    nullable({
      amount: row.value,
      bidder: row.source,
      auction: row.destination,
      ...item(row),
      nft_item_index,
    }),
  auction_outbid: (row) =>
    nullable({
      auction_address: row.source,
      bidder: row.destination,
      new_bidder: row.source_secondary,
      ...item(row),
      amount: row.amount,
    }),
  nft_put_on_sale: ({ nft_listing_data: listing, ...row }) =>
    nullable({
      ...listed(row),
      nft_item_index: listing.nft_item_index,
      sale_address: row.destination,
      full_price: listing.full_price,
      marketplace_fee: listing.marketplace_fee,
      royalty_amount: listing.royalty_amount,
      marketplace_fee_address: listing.marketplace_fee_address,
      royalty_address: listing.royalty_address,
      marketplace: listing.marketplace,
    }),
  nft_put_on_auction: putOnAuction,
  teleitem_start_auction: putOnAuction,
  nft_cancel_sale: (row) => nullable({ ...ended(row), sale_address: row.destination }),
  nft_cancel_auction: endAuction,
  teleitem_cancel_auction: endAuction,
  nft_finish_auction: endAuction,
  nft_update_sale: ({ nft_listing_data: listing, ...row }) =>
    nullable({
      source: row.source,
      sale_contract: row.destination,
      nft_address: row.asset_secondary,
      marketplace_address: row.nft_transfer_data?.marketplace_address,
      marketplace: listing.marketplace ?? row.nft_transfer_data?.marketplace,
      full_price: listing.full_price,
      marketplace_fee: listing.marketplace_fee,
      royalty_amount: listing.royalty_amount,
    }),
  dns_purchase: ({ nft_transfer_data: data, ...row }) =>
    nullable({
      ...item(row),
      nft_item_index: data.nft_item_index,
      new_owner: row.destination,
      price: data.price,
      query_id: data.query_id,
      payout_amount: data.payout_amount,
    }),
  dns_release: ({ nft_transfer_data: data, ...row }) =>
    nullable({
      query_id: data.query_id,
      source: row.source,
      ...item(row),
      nft_item_index: data.nft_item_index,
      value: row.value,
    }),
};

type Row = Pick<StoredAction<"auction_outbid">, "asset" | "asset_secondary">;

function item({ asset, asset_secondary }: Row) {
  return { nft_item: asset_secondary, nft_collection: asset };
}

function transfer(
  { nft_transfer_data: data, ...row }: StoredAction<"nft_transfer">,
  receivers: { payout_address: string | undefined; royalty_address: string | undefined },
) {
  const { text, isEncrypted } = commentOf(data.forward_payload);
  return {
    ...known({ old_owner: row.source, price: data.price }),
    ...nullable({
      ...item(row),
      nft_item_index: data.nft_item_index,
      new_owner: row.destination,
      is_purchase: data.is_purchase,
      query_id: data.query_id,
      response_destination: data.response_destination,
      custom_payload: data.custom_payload,
      forward_payload: data.forward_payload,
      forward_amount: data.forward_amount,
      comment: text,
      is_encrypted_comment: isEncrypted,
      marketplace: data.marketplace,
      real_old_owner: data.real_prev_owner,
      marketplace_address: data.marketplace_address,
      payout_amount: data.payout_amount,
      payout_comment: data.payout_comment,
      payout_comment_encrypted: data.payout_comment_encrypted,
      payout_comment_encoded: data.payout_comment_encoded,
      royalty_amount: data.royalty_amount,
      ...receivers,
    }),
  };
}

type Listing = StoredAction<"nft_put_on_sale" | "nft_put_on_auction">;

function listed(row: Omit<Listing, "nft_listing_data">) {
  return {
    ...item(row),
    owner: row.source,
    listing_address: row.source_secondary,
    marketplace_address: row.nft_transfer_data?.marketplace_address,
  };
}

function putOnAuction({ nft_listing_data: listing, ...row }: StoredAction<"nft_put_on_auction">) {
  return nullable({
    ...listed(row),
    nft_item_index: listing.nft_item_index,
    auction_address: row.destination,
    marketplace_fee_factor: listing.mp_fee_factor,
    marketplace_fee_base: listing.mp_fee_base,
    royalty_fee_base: listing.royalty_fee_base,
    max_bid: listing.max_bid,
    min_bid: listing.min_bid,
    marketplace_fee_address: listing.marketplace_fee_address,
    royalty_address: listing.royalty_address,
    marketplace: listing.marketplace,
  });
}

function ended({ nft_transfer_data: data, ...row }: StoredAction<"nft_cancel_sale">) {
  return {
    owner: row.source,
    ...item(row),
    marketplace_address: data.marketplace_address,
    marketplace: data.marketplace,
  };
}

function endAuction(row: StoredAction<"nft_cancel_auction">) {
  return nullable({ ...ended(row), auction_address: row.destination });
}

const none: Text = { text: undefined, isEncrypted: false };

/** The comment in a payload, which the index stores as a bag of cells. */
function commentOf(payload: string | undefined): Partial<Text> {
  const bytes = payload === undefined ? undefined : base64ToBytes(payload);
  if (!bytes) return {};
  const from = parseBoc(bytes)[0]!.parse();
  if (from.remainingBits < 32) return none;
  const opcode = from.loadUint(32);
  if (opcode !== 0 && opcode !== encryptedText) return none;
  const isEncrypted = opcode === encryptedText;
  return { text: readSnakeText(from, isEncrypted), isEncrypted };
}
