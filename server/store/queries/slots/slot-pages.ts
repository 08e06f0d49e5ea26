import SQL, { raw } from "sql-template-tag";
import type { Queries, Statement } from "../../database.js";
import type { Places } from "../../fixed-text.js";
import { type Direction, type Fragment, greatest, keyList, least, ordered, type Page } from "../../where.js";
import type { Window } from "./slot-windows.js";

/** Values of a statement that reads a page of a list from the slots of a window. */
export type SlotPage = Page & {
  starts: readonly bigint[];
  ends: readonly bigint[];
  /** Start of the first slot, end of the last one, and the last lt before that end. */
  first: bigint;
  last: bigint;
  greatest: bigint;
  /** How many of a slot can be on the page or before it. */
  rows: number;
  /** See `Window`. */
  rest: bigint | null;
};

export function slotPage({ slots, rest }: Window, { limit, offset }: Page): SlotPage {
  const starts = slots.map(({ from_lt }) => from_lt);
  const ends = slots.map(({ to_lt }) => to_lt);
  const last = greatest(ends);
  return {
    starts,
    ends,
    first: least(starts),
    last,
    greatest: last - 1n,
    rows: offset + limit,
    limit,
    offset,
    rest: rest ?? null,
  };
}

/** The page by a statement with `pageOfSlots`; `undefined` if the slots of the window do not have it. */
export async function readPage<Taken>(
  queries: Queries,
  { rest }: Window,
  statement: (options: { isLast: boolean }) => Statement,
): Promise<Taken[] | undefined> {
  const isWhole = rest === undefined;
  const found = await queries.query<Taken>(statement({ isLast: isWhole }));
  return isWhole || found.length > 0 ? found : undefined;
}

/** The condition that a column of lt is in the slot that is searched. Executors leave the other partitions out. */
export function isOfSlot(column: string, { first, last }: Places<SlotPage>): Fragment {
  return SQL`${raw(column)} >= part.slot and ${raw(column)} < part.slot_end
    and ${raw(column)} >= ${first} and ${raw(column)} < ${last}`;
}

/**
 * The rows of the page, with their `slot` and `slot_end`, by a search of each slot. None, unless the slots have all of the
 * list, or the page is full and comes before what other slots can have.
 */
export function pageOfSlots(
  given: Places<SlotPage>,
  search: Fragment,
  { key, tie, sort }: { key: string; tie: string; sort: Direction },
): Fragment {
  const { starts, ends, limit, offset, rest } = given;
  const isBefore = raw(sort === "desc" ? `min(${key}) over () >` : `max(${key}) over () <`);
  return SQL`(
    select * from (
      select *, ${rest}::bigint is null or count(*) over () = ${limit} and ${isBefore} ${rest} as is_found
      from (
        select found.*, part.slot, part.slot_end
        from unnest(${keyList("bigint", starts)}, ${keyList("bigint", ends)}) part(slot, slot_end)
        cross join lateral (${search}) found
        order by ${ordered(sort, `found.${key}`, `found.${tie}`)} limit ${limit} offset ${offset}) page) page
    where is_found)`;
}
