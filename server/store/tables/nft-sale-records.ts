import { columnsOf, constant, firstPresent, ifPresent, object } from "../declare/record.js";
import { nftAuctions, nftSales } from "./nfts.js";
import { telemintItems } from "./telemint.js";

const s = columnsOf("s", nftSales.columns);
const a = columnsOf("a", nftAuctions.columns);
const t = columnsOf("t", telemintItems.columns);

const sale = object(
  {
    type: constant("getgems_sale"),
    address: s.address,
    nft_address: s.nft_address,
    marketplace_address: s.marketplace_address,
    created_at: s.created_at,
    last_transaction_lt: s.last_transaction_lt,
    code_hash: s.code_hash,
    data_hash: s.data_hash,
    details: object({
      is_complete: s.is_complete,
      full_price: s.full_price,
      marketplace_fee_address: s.marketplace_fee_address,
      marketplace_fee: s.marketplace_fee,
      royalty_address: s.royalty_address,
      royalty_amount: s.royalty_amount,
    }),
  },
  { nft_owner_address: s.nft_owner_address },
);

const auction = object(
  {
    type: constant("getgems_auction"),
    address: a.address,
    nft_address: a.nft_addr,
    marketplace_address: a.mp_addr,
    created_at: a.created_at,
    last_transaction_lt: a.last_transaction_lt,
    code_hash: a.code_hash,
    data_hash: a.data_hash,
    details: object(
      {
        end_flag: a.end_flag,
        end_time: a.end_time,
        last_bid: a.last_bid,
        min_step: a.min_step,
        mp_fee_address: a.mp_fee_addr,
        mp_fee_factor: a.mp_fee_factor,
        mp_fee_base: a.mp_fee_base,
        royalty_fee_address: a.royalty_fee_addr,
        royalty_fee_factor: a.royalty_fee_factor,
        royalty_fee_base: a.royalty_fee_base,
        max_bid: a.max_bid,
        min_bid: a.min_bid,
        last_bid_at: a.last_bid_at,
        is_canceled: a.is_canceled,
      },
      { last_member: a.last_member },
    ),
  },
  { nft_owner_address: a.nft_owner },
);

const telemint = object({
  type: constant("telemint"),
  address: t.address,
  nft_address: t.address,
  last_transaction_lt: t.last_transaction_lt,
  code_hash: t.code_hash,
  data_hash: t.data_hash,
  details: object(
    {
      token_name: t.token_name,
      bid: t.bid,
      bid_ts: t.bid_ts,
      min_bid: t.min_bid,
      end_time: t.end_time,
      initial_min_bid: t.initial_min_bid,
      max_bid: t.max_bid,
      min_bid_step: t.min_bid_step,
      min_extend_time: t.min_extend_time,
      duration: t.duration,
      royalty_numerator: t.royalty_numerator,
      royalty_denominator: t.royalty_denominator,
      royalty_destination: t.royalty_destination,
    },
    { bidder_address: t.bidder_address, beneficiary_address: t.beneficiary_address },
  ),
});

/** The sale `s`, the auction `a` or the telemint item `t`, whichever is there, without the item that it sells. */
export const nftSaleRecord = firstPresent(
  ifPresent(s.address, sale),
  ifPresent(a.address, auction),
  ifPresent(t.address, telemint),
);

export type NftSaleRecord = ReturnType<typeof nftSaleRecord.present>;
