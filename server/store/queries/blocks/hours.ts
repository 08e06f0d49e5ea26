import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { inSlots, slotsWithin } from "../slots/slot-windows.js";
import { readSlots } from "../slots/slots.js";
import { newestBlockTime } from "./masterchain-blocks.js";

const hourSec = 3600n;

/** Sums over the blocks of an hour. */
type HourlyTotals = { readonly utime: number; readonly transactions: number; readonly fees: string };

/** Totals of the last hours with blocks, the newest first: blocks_by_time in the slots of these hours. */
export async function readHours(queries: Queries, many: number): Promise<HourlyTotals[]> {
  const newest = await newestBlockTime(queries);
  const from = (newest / hourSec - BigInt(many - 1)) * hourSec;
  const slots = slotsWithin(await readSlots(queries), { axis: "utime", from });
  if (slots.length === 0) return [];
  const rows = await queries.query<{ utime: bigint; transactions: bigint; fees: string }>(SQL`
    select gen_utime / 3600 * 3600 as utime, sum(tx_count)::bigint as transactions, sum(total_fees)::text as fees
    from blocks where gen_utime >= ${from} and gen_utime <= ${newest} and ${inSlots("start_lt", slots)}
    group by 1 order by 1 desc`);
  return rows.map(({ utime, transactions, fees }) => ({
    utime: Number(utime),
    transactions: Number(transactions),
    fees,
  }));
}
