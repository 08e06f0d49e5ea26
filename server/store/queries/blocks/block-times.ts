import SQL, { type Sql as Fragment } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { oneRow } from "../../sql/one-row.js";
import { capped, hasLts, plannedOnce, type TimeBounds } from "../../sql/where.js";

/** Blocks of any shards that come near each other in lt come near each other in time: of two shards, within so many blocks. */
const near = 176;
/** Blocks on the other side of a bound, so that it also holds for messages of blocks that are not stored. */
const beyond = 16;

/** `ofStored`: whether all that is listed lies in blocks that are stored, unlike messages, which may have been sent in others. */
type NarrowOptions = { ofStored: boolean };

/**
 * The filter of a list that is sorted by time, with times that leave out what lies in blocks outside of its bounds of lt. The
 * list would otherwise pass over all of that before it finds anything.
 */
export async function narrowedTimes<F extends TimeBounds>(
  queries: Queries,
  filter: F,
  { ofStored }: NarrowOptions,
): Promise<F> {
  const { start_utime, end_utime, start_lt, end_lt } = filter;
  if (!hasLts(filter)) return filter;
  const { first, last } = await oneRow<{ first: bigint | null; last: bigint | null }>(
    queries,
    plannedOnce(SQL`select ${firstTime(start_lt, ofStored)} as first, ${lastTime(end_lt, ofStored)} as last`),
  );
  return {
    ...filter,
    start_utime: extreme(Math.max, start_utime, first),
    end_utime: extreme(Math.min, end_utime, last),
  };
}

function extreme(
  choose: (...times: number[]) => number,
  asked: number | undefined,
  found: bigint | null,
): number | undefined {
  if (found === null) return asked;
  return asked === undefined ? Number(found) : choose(asked, Number(found));
}

/** The least time of what has this lt or a later one, by blocks_by_lt; null if it is not known. */
function firstTime(lt: bigint | undefined, ofStored: boolean): Fragment {
  if (lt === undefined) return SQL`null::bigint`;
  const at = capped(lt);
  return SQL`(
    select case when ${ofStored} or count(*) filter (where is_beyond) = ${beyond} then
      min(gen_utime) filter (where end_lt >= ${at} or not ${ofStored}) end
    from (
      (select gen_utime, end_lt, true as is_beyond from blocks where start_lt < ${at}
        order by start_lt desc limit ${beyond})
      union all
      (select gen_utime, end_lt, false from blocks where start_lt >= ${at} order by start_lt limit ${near})) found)`;
}

/** The greatest time of what has this lt or an earlier one, likewise. */
function lastTime(lt: bigint | undefined, ofStored: boolean): Fragment {
  if (lt === undefined) return SQL`null::bigint`;
  const at = capped(lt);
  return SQL`(
    select case when ${ofStored} or count(*) filter (where is_beyond) = ${beyond} then
      max(gen_utime) filter (where not is_beyond or not ${ofStored}) end
    from (
      (select gen_utime, true as is_beyond from blocks where start_lt > ${at} order by start_lt limit ${beyond})
      union all
      (select gen_utime, false from blocks where start_lt <= ${at} order by start_lt desc limit ${near})) found)`;
}
