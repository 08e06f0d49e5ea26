import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { type Direction, greatest, largestBigint, least } from "../../sql/where.js";
import { inSlots, windowsOf } from "../slots/slot-windows.js";
import { readSlots } from "../slots/slots.js";
import { headsAsOf } from "./blocks.js";

/**
 * Shard blocks are older than the masterchain block that registers them. `ltAfter` reads the shards as of a masterchain block this
 * many seconds later, and tries the next value if a shard has no later block by then.
 */
const lags = [1, 5, 20, 120];

/**
 * An lt that everything at this time or later exceeds; `undefined` if it is not known. The masterchain registers a block with an
 * equal or later time, so all blocks that an earlier masterchain block registered are earlier, and later blocks of each shard
 * have greater lt.
 */
export async function ltBefore(queries: Queries, utime: number): Promise<bigint | undefined> {
  const seqno = await nearestSeqno(queries, "desc", utime - 1);
  if (seqno === "none") return 0n;
  if (seqno === undefined) return undefined;
  const { heads, areAll } = await headsAsOf(queries, seqno);
  return areAll ? least(heads.map(({ end_lt }) => BigInt(end_lt))) : undefined;
}

/**
 * An lt that nothing at this time or earlier exceeds; `undefined` if it is not known. If the newest block of each shard is later
 * than the time, everything at the time is in an earlier block of its shard, with a smaller lt.
 */
export async function ltAfter(queries: Queries, utime: number): Promise<bigint | undefined> {
  for (const lag of lags) {
    const seqno = await nearestSeqno(queries, "asc", utime + lag);
    if (seqno === "none") return largestBigint;
    if (seqno === undefined) return undefined;
    const { heads, areAll } = await headsAsOf(queries, seqno);
    if (areAll && heads.every(({ gen_utime }) => Number(gen_utime) > utime))
      return greatest(heads.map(({ end_lt }) => BigInt(end_lt)));
  }
  return undefined;
}

/**
 * The masterchain block nearest to a time on one side, by blocks_by_time of the slots nearest to it; `undefined` if these have
 * none, "none" if nothing is stored on that side.
 */
async function nearestSeqno(
  queries: Queries,
  sort: Direction,
  utime: number,
): Promise<number | "none" | undefined> {
  const bound = BigInt(utime);
  const [window] = windowsOf(await readSlots(queries), sort, {
    axis: "utime",
    ...(sort === "desc" ? { to: bound } : { from: bound }),
  });
  if (!window) return "none";
  const [found] = await queries.query<{ seqno: number }>(SQL`
    select seqno from blocks
    where workchain = -1 and gen_utime ${raw(sort === "desc" ? "<=" : ">=")} ${bound} and ${inSlots("start_lt", window.slots)}
    order by gen_utime ${raw(sort)} limit 1`);
  return found?.seqno;
}
