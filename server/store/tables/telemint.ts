import { address, bigint, boolean, nullable, numeric, statedNumber, text } from "../declare/columns.js";
import { table } from "../declare/table.js";
import { contractBehaviour, contractColumns } from "./contract-columns.js";

/** Names and numbers of Telegram, which sell themselves by auction. Without an auction its columns are 0. */
export const telemintItems = table("telemint_items", {
  columns: {
    ...contractColumns,
    token_name: text,
    bidder_address: nullable(address),
    bid: numeric,
    bid_ts: bigint,
    min_bid: numeric,
    end_time: statedNumber,
    beneficiary_address: nullable(address),
    initial_min_bid: numeric,
    max_bid: numeric,
    min_bid_step: bigint,
    min_extend_time: bigint,
    duration: bigint,
    royalty_numerator: statedNumber,
    royalty_denominator: statedNumber,
    royalty_destination: address,
    /** Whether there is a beneficiary. */
    has_auction: boolean,
  },
  ...contractBehaviour,
});
