import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { fixedText } from "../../sql/fixed-text.js";

/** Sums over the blocks of an hour. */
type HourlyTotals = { readonly utime: number; readonly transactions: number; readonly fees: string };

/** Totals of those of the last hours that have blocks, the newest first: primary key. */
export async function readHourTotals(queries: Queries, hours: number): Promise<HourlyTotals[]> {
  const rows = await queries.query<{ utime: bigint; transactions: bigint; fees: string }>(
    lastHours({ hours }),
  );
  return rows.map(({ utime, transactions, fees }) => ({
    utime: Number(utime),
    transactions: Number(transactions),
    fees,
  }));
}

const lastHours = fixedText<{ hours: number }>(
  ({ hours }) => SQL`
    select utime, tx_count as transactions, total_fees::text as fees
    from block_hours
    where utime > (select max(utime) from block_hours) - ${hours} * 3600::bigint
    order by utime desc limit ${hours}`,
);
