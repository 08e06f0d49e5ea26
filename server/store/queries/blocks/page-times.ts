import type { Queries } from "../../database.js";
import { type Direction, greatest, least, type Page, type TimeBounds } from "../../sql/where.js";
import { blockSpans } from "./blocks.js";
import { ltAfter, ltBefore } from "./time-lts.js";

/** The keys of so many rows are read here. A page that begins deeper is sorted with all rows of the filter's times. */
const maxRows = 5_000;
/** Unix times have 32 bits. */
const maxTime = 2n ** 32n - 1n;

/** The times of the first rows of a list in the order of lt, at most `count`. */
type TimesInOrderOfLt<F> = (filter: F, count: number) => Promise<readonly bigint[]>;

/**
 * Narrows a filter to the times and lt of one page, if they are known, for lists that are sorted by time and whose rows an index
 * has in the order of lt only. The first `offset + limit` rows in the order of lt have times; the page ends at their last time
 * or before it. So only rows with such a time are sorted.
 */
export async function narrowedToPage<F extends TimeBounds>(
  queries: Queries,
  filter: F,
  page: Page & { sort: Direction },
  timesInOrderOfLt: TimesInOrderOfLt<F>,
): Promise<F> {
  const place = page.cursor?.after?.[0];
  if (place === undefined) return narrowedToFirst(queries, filter, page, timesInOrderOfLt);
  if (typeof place !== "bigint" || place < 0n || place > maxTime) return filter;
  const time = Number(place);
  // Rows of the cursor's time are on either side of it: the page ends at the end of the first page of all others or before.
  if (page.sort === "desc") {
    const end_utime = Math.min(time, filter.end_utime ?? time);
    const rest = { ...filter, end_utime: Math.max(0, end_utime - 1) };
    const { start_utime, start_lt } = await narrowedToFirst(queries, rest, page, timesInOrderOfLt);
    return { ...(await withKnownLts(queries, { ...filter, end_utime })), start_utime, start_lt };
  }
  const start_utime = Math.max(time, filter.start_utime ?? time);
  const rest = { ...filter, start_utime: start_utime + 1 };
  const { end_utime, end_lt } = await narrowedToFirst(queries, rest, page, timesInOrderOfLt);
  return { ...(await withKnownLts(queries, { ...filter, start_utime })), end_utime, end_lt };
}

async function withKnownLts<F extends TimeBounds>(queries: Queries, filter: F): Promise<F> {
  return (await narrowedLts(queries, filter)) ?? filter;
}

/** The same for a page without a cursor. */
async function narrowedToFirst<F extends TimeBounds>(
  queries: Queries,
  filter: F,
  { sort, limit, offset }: Page & { sort: Direction },
  timesInOrderOfLt: TimesInOrderOfLt<F>,
): Promise<F> {
  const possible = await narrowedLts(queries, filter);
  if (!possible) return filter;
  const count = offset + limit;
  if (count > maxRows) return possible;
  const times = await timesInOrderOfLt(possible, count);
  if (times.length < count) return possible;
  if (sort === "desc") {
    const first = Number(least(times));
    return withLts({ ...possible, start_utime: first }, { from: await ltBefore(queries, first) });
  }
  const last = Number(greatest(times));
  return withLts({ ...possible, end_utime: last }, { to: await ltAfter(queries, last) });
}

/** Adds to a filter by times the bounds of lt that follow from them; `undefined` if they are not known. */
export async function narrowedLts<F extends TimeBounds>(queries: Queries, filter: F): Promise<F | undefined> {
  const { start_utime, end_utime } = filter;
  const from = start_utime === undefined ? undefined : await ltBefore(queries, start_utime);
  const to = end_utime === undefined ? undefined : await ltAfter(queries, end_utime);
  const areKnown =
    (from !== undefined || start_utime === undefined) && (to !== undefined || end_utime === undefined);
  return areKnown ? withLts(filter, { from, to }) : undefined;
}

/** Adds the lt of the blocks of a masterchain block to a filter by that, if they are stored. */
export async function withinBlock<F extends TimeBounds & { mc_seqno?: number | undefined }>(
  queries: Queries,
  filter: F,
): Promise<F> {
  const { mc_seqno } = filter;
  const spans = mc_seqno === undefined ? [] : await blockSpans(queries, { mc_seqno });
  if (spans.length === 0) return filter;
  const from = least(spans.map(({ start_lt }) => start_lt));
  return withLts(filter, { from, to: greatest(spans.map(({ end_lt }) => end_lt)) });
}

/** Adds bounds of lt to a filter. */
export function withLts<F extends TimeBounds>(
  filter: F,
  { from, to }: { from?: bigint | undefined; to?: bigint | undefined },
): F {
  const { start_lt, end_lt } = filter;
  return {
    ...filter,
    start_lt: from === undefined || (start_lt !== undefined && start_lt > from) ? start_lt : from,
    end_lt: to === undefined || (end_lt !== undefined && end_lt < to) ? end_lt : to,
  };
}
