import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { all, given } from "../../where.js";
import { type ContentVersion, readContent } from "../slots/content-version.js";
import { inSlots, slotsWithin } from "../slots/slot-windows.js";
import { readSlots } from "../slots/slots.js";
import { newestBlockTime } from "./masterchain-blocks.js";

const hourSec = 3600n;

/** Sums over the blocks of an hour. */
type HourlyTotals = { readonly utime: number; readonly transactions: number; readonly fees: string };
type Sums = { readonly transactions: bigint; readonly fees: bigint };
/** The sums of a number of hours, in a version of the index. */
type Kept = {
  readonly span: number;
  readonly version: ContentVersion;
  readonly hours: ReadonlyMap<bigint, Sums>;
};

/**
 * Totals of the last hours. A large network makes a million blocks in a day, so the sums are kept, and only later blocks
 * are added: answers never depend on what is kept.
 */
export class HourTotals {
  #kept: Kept | undefined;

  /** Totals of the last hours with blocks, the newest first. Must run in one snapshot. */
  async read(queries: Queries, many: number): Promise<HourlyTotals[]> {
    const newest = await newestBlockTime(queries);
    const beginOf = (span: number) => (newest / hourSec - BigInt(span - 1)) * hourSec;
    const hours = await this.#sums(queries, many, beginOf);
    return [...hours]
      .filter(([utime]) => utime >= beginOf(many) && utime <= newest)
      .sort(([a], [b]) => Number(b - a))
      .map(([utime, { transactions, fees }]) => ({
        utime: Number(utime),
        transactions: Number(transactions),
        fees: String(fees),
      }));
  }

  async #sums(
    queries: Queries,
    many: number,
    beginOf: (span: number) => bigint,
  ): Promise<ReadonlyMap<bigint, Sums>> {
    const kept = this.#kept;
    const content = await readContent(queries, kept ? [kept.version] : []);
    if (!content) return readSums(queries, { from: beginOf(many) });
    const { version } = content;
    const isUsable = kept !== undefined && kept.span >= many && content.isAfter(kept.version);
    if (isUsable && kept.version.seqno === version.seqno) return kept.hours;
    const span = Math.max(many, kept?.span ?? 0);
    const from = beginOf(span);
    const hours = isUsable
      ? joined(kept.hours, await readSums(queries, { from, after: kept.version.seqno }), from)
      : await readSums(queries, { from });
    this.#kept = { span, version, hours };
    return hours;
  }
}

/** Sums of hours and of blocks that came later, since a time. */
function joined(
  hours: ReadonlyMap<bigint, Sums>,
  later: ReadonlyMap<bigint, Sums>,
  from: bigint,
): ReadonlyMap<bigint, Sums> {
  const all = new Map([...hours].filter(([utime]) => utime >= from));
  for (const [utime, { transactions, fees }] of later) {
    const before = all.get(utime) ?? { transactions: 0n, fees: 0n };
    all.set(utime, { transactions: before.transactions + transactions, fees: before.fees + fees });
  }
  return all;
}

/** Sums by blocks_by_time, or by blocks_by_masterchain of the blocks that came after one of the masterchain. */
async function readSums(
  queries: Queries,
  { from, after }: { from: bigint; after?: number },
): Promise<ReadonlyMap<bigint, Sums>> {
  const known = slotsWithin(await readSlots(queries), { axis: "utime", from });
  const slots =
    after === undefined ? known : slotsWithin(known, { axis: "mc_seqno", from: BigInt(after) + 1n });
  if (slots.length === 0) return new Map();
  const rows = await queries.query<{ utime: bigint; transactions: bigint; fees: string }>(SQL`
    select gen_utime / 3600 * 3600 as utime, sum(tx_count)::bigint as transactions, sum(total_fees)::text as fees
    from blocks
    where ${all(
      SQL`gen_utime >= ${from}`,
      given(after, (seqno) => SQL`mc_block_seqno > ${seqno}`),
      inSlots("start_lt", slots),
    )}
    group by 1`);
  return new Map(rows.map(({ utime, ...sums }) => [utime, { ...sums, fees: BigInt(sums.fees) }]));
}
