import { address, addressArray, numeric, statedNumber } from "../declare/columns.js";
import { columnsOf, object } from "../declare/record.js";
import { table } from "../declare/table.js";
import { contractBehaviour, contractColumns } from "./contract-columns.js";

/** Vesting wallets. */
export const vestingContracts = table("vesting_contracts", {
  columns: {
    ...contractColumns,
    vesting_start_time: statedNumber,
    vesting_total_duration: statedNumber,
    unlock_period: statedNumber,
    cliff_duration: statedNumber,
    vesting_total_amount: numeric,
    vesting_sender_address: address,
    owner_address: address,
    /** A column and no table of its own, so that it is replaced with the rest of the row. */
    whitelist: addressArray,
  },
  ...contractBehaviour,
});

const v = columnsOf("v", vestingContracts.columns);

export const vestingRecord = object({
  address: v.address,
  start_time: v.vesting_start_time,
  total_duration: v.vesting_total_duration,
  unlock_period: v.unlock_period,
  cliff_duration: v.cliff_duration,
  sender_address: v.vesting_sender_address,
  owner_address: v.owner_address,
  total_amount: v.vesting_total_amount,
  whitelist: v.whitelist,
});
