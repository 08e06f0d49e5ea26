import SQL, { empty, join, raw } from "sql-template-tag";
import type { KeyValue } from "../../../../shared/values/list-cursor.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { ServiceError } from "../../../errors.js";
import type { FromBytes, Queries, Statement } from "../../database.js";
import type { Places } from "../../sql/fixed-text.js";
import { bytesOf, type KeyType, keyAfter, keyOfText, keyText } from "../../sql/keyset.js";
import { type BytesOf, latin1Text } from "../../sql/row-bytes.js";
import {
  all,
  compared,
  type Direction,
  type Fragment,
  greatest,
  keyList,
  largestBigint,
  least,
  ordered,
  type Page,
} from "../../sql/where.js";
import {
  type Axis,
  type Bounds,
  behind,
  lookedAt,
  type Window,
  type WindowOptions,
  windowsOf,
} from "./slot-windows.js";
import type { KnownSlot } from "./slots.js";

/** A column that a list is sorted by: its name in the rows of a search, and what an index of the table has it by. */
type SortColumn = {
  readonly name: string;
  readonly by: string;
  /** Its type in the key of a row; without one its value follows from the next column by the function that `by` begins with. */
  readonly type?: KeyType;
  /** Whether keys of rows have its negative. */
  readonly isNegative?: boolean;
};

/** The total order of a list. */
export type ListOrder = readonly SortColumn[];

/** The values of the key behind which a page begins. */
type AfterValues = { after0?: KeyValue; after1?: KeyValue; after2?: KeyValue; after3?: KeyValue };

/** Values of a statement that reads a page of a list from the slots of a window. */
export type SlotPage = Page &
  AfterValues & {
    /** The first lt of each slot, and the last one. */
    starts: readonly bigint[];
    ends: readonly bigint[];
    /** Start of the first slot, and the last lt of the last one. */
    first: bigint;
    greatest: bigint;
    /** How many of a slot can be on the page or before it. */
    rows: number;
    /** How many of a slot are looked at, if not all of those that an index has match. */
    looked: number;
    /** See `Window`. */
    rest: bigint | null;
    isEnd: boolean;
  };

function slotPage({ slots, rest, isEnd = false }: Window, { limit, offset }: Page): SlotPage {
  const starts = slots.map(({ from_lt }) => from_lt);
  const ends = slots.map(({ to_lt }) => to_lt - 1n);
  const rows = offset + limit;
  return {
    starts,
    ends,
    first: least(starts),
    greatest: greatest(ends),
    rows,
    looked: Math.max(rows, lookedAt(slots)),
    limit,
    offset,
    rest: rest ?? null,
    isEnd,
  };
}

/** The values of a key behind which a page begins, by their names. */
export function afterValues(after: readonly KeyValue[] = []): AfterValues {
  return Object.fromEntries(after.map((value, place) => [`after${place}`, value]));
}

/** A list of located rows is read at once, without a search of slots. */
const oneWindow: Window = { slots: [], rest: undefined };

/** The condition that a column of lt is in the slot that is searched. Executors leave the other partitions out. */
export function isOfSlot(column: string, { first, greatest }: Places<SlotPage>): Fragment {
  return SQL`${raw(column)} between part.slot and part.slot_end and ${raw(column)} between ${first} and ${greatest}`;
}

/** Places for the values of a key, or these. */
type KeyPlaces = { readonly [Name in keyof AfterValues]?: unknown };

/** The condition that rows are behind a key. */
export function isBehind(order: ListOrder, sort: Direction, given: KeyPlaces): Fragment {
  return isBeside("behind", order, sort, given);
}

/** The condition that rows are behind a key, or come up to it. */
export function isBeside(
  side: "behind" | "upTo",
  order: ListOrder,
  sort: Direction,
  given: KeyPlaces,
): Fragment {
  const places = [given.after0, given.after1, given.after2, given.after3];
  let at = 0;
  const values = order.map(({ by, type, isNegative }) => {
    const value = isNegative ? SQL`-${places[at]}::${raw(String(type))}` : SQL`${places[at]}`;
    if (type === undefined) return SQL`${raw(by.slice(0, by.indexOf("(")))}(${value})`;
    at++;
    return value;
  });
  return compared(
    sort,
    side,
    order.map(({ by }) => by),
    values,
  );
}

type Search = {
  /** The columns that are selected besides those of the order. */
  select: Fragment;
  /** The table, and the conditions that lead an index to the rows. */
  from: Fragment;
  /** Conditions that no index serves: rows are looked at one by one. */
  tests?: Fragment | undefined;
  order: ListOrder;
  sort: Direction;
  /** The column in which rows of one thing, which follow each other, are equal: only the first one of each counts. */
  once?: string | undefined;
  /** A condition on such a row `each_row`. Nearly all rows meet it, so it is tested behind the sort, on few of them. */
  late?: Fragment | undefined;
  /** Expressions that come before the order in the index; all rows have the same values of them. */
  before?: readonly string[];
};

/**
 * The first rows of one slot. If they are tested, the last one that was looked at comes too, whether it matches or not
 * (`is_match`, `is_end`).
 */
export function firstOfSlot(
  { select, from, tests, order, sort, once, late, before = [] }: Search,
  given: Places<SlotPage>,
): Fragment {
  const named = order.filter(({ name, by }) => name !== by).map(({ name, by }) => `, ${by} as ${name}`);
  const sorted = ordered(sort, ...before, ...order.map(({ by }) => by));
  const led = before.map((by, at) => [by, `before${at}`] as const);
  const columns = SQL`${select}${raw([...named, ...led.map(([by, name]) => `, ${by} as ${name}`)].join(""))}`;
  const sortedNames = ordered(sort, ...led.map(([, name]) => name), ...order.map(({ name }) => name));
  if (!tests && !once) return SQL`select ${columns} from ${from} order by ${sorted} limit ${given.rows}`;
  const isNew = once
    ? SQL`lag(${raw(once)}) over (order by ${sorted}) is distinct from ${raw(once)}`
    : undefined;
  if (!tests)
    return SQL`select * from (select ${columns}, ${isNew} as is_new from ${from}) each_row
      where ${all(raw("is_new"), late)} order by ${sortedNames} limit ${given.rows}`;
  return SQL`select *, looked = ${given.looked} as is_end from (
      select ${columns}, row_number() over (order by ${sorted}) as looked, coalesce(${all(isNew, tests)}, false) as is_match
      from ${from} order by ${sorted} limit ${given.looked}) looked_at
    where is_match or looked = ${given.looked} order by ${sortedNames} limit ${given.rows}`;
}

/** The ORDER BY list of rows of a search. */
export function sortedBy(order: ListOrder, sort: Direction, row = ""): Fragment {
  return ordered(sort, ...order.map(({ name }) => row + name));
}

type PageForm = Pick<PageShape, "isWhole" | "isTested"> & {
  order: ListOrder;
  sort: Direction;
  /** An item of a FROM list whose rows are searched one by one, beside the slots. */
  each?: Fragment | undefined;
  /** Whether all rows of a slot come before those of the next one. A slot is then searched only for what those before it lack. */
  areApart?: boolean;
};

/**
 * The rows of the page, with their `slot` and `slot_end`, by a search of each slot. None, unless the slots have all of the
 * list, or the page is full and comes before what other slots can have. `is_cut`: it does not match, or not all rows before it were looked at.
 */
export function pageOfSlots(
  given: Places<SlotPage>,
  search: Fragment,
  { order, sort, isWhole, isTested, each = empty, areApart = false }: PageForm,
): Fragment {
  const { starts, ends, limit, offset, rest, isEnd } = given;
  const key = itemAt(order, 0).name;
  const [isBefore, areBefore] =
    sort === "desc" ? [`${key} >`, `min(${key}) over () >`] : [`${key} <`, `max(${key}) over () <`];
  const inOrder = SQL`${areApart ? raw("part.place, ") : empty}${sortedBy(order, sort, "found.")}`;
  const isCut = isTested
    ? SQL`, found.is_end and not found.is_match or coalesce(bool_or(found.is_end) over (
        order by ${inOrder} rows between unbounded preceding and 1 preceding), false) as is_cut`
    : empty;
  const rows = SQL`
        select found.*, part.slot, part.slot_end${isCut}
        from unnest(${keyList("bigint", starts)}, ${keyList("bigint", ends)}) with ordinality
          part(slot, slot_end, place) ${each}
        cross join lateral (${search}) found
        order by ${inOrder} limit ${limit} offset ${offset}`;
  if (isWhole) return SQL`(${rows})`;
  const isFull = isTested
    ? SQL`(count(*) over () = ${limit} or bool_or(is_end) over ())`
    : SQL`count(*) over () = ${limit}`;
  return SQL`(
    select * from (
      select *, case
        when ${isEnd} then ${raw(isBefore)} ${rest}
        else ${isFull} and ${raw(areBefore)} ${rest} end as is_found
      from (${rows}) page) page
    where is_found)`;
}

/** Statements of one list have these forms. */
export type PageShape = {
  /** Whether a page begins behind a key. */
  isBehind: boolean;
  /** Whether the key of the last row is needed. */
  isKeyed: boolean;
  /** Whether the slots that are searched have all of the page, or of the list. */
  isWhole: boolean;
  /** Whether the search has `tests`, so that a page may be cut. */
  isTested: boolean;
};

/** A page ends by the keys of its rows, or where it is cut. */
type PageEnds = Pick<PageShape, "isKeyed" | "isTested">;

/** The columns of a `pageText` of such a page, beside its text. */
export function endNames({ isKeyed, isTested }: PageEnds): string[] {
  return [...(isKeyed || isTested ? ["key"] : []), ...(isTested ? ["is_end", "is_cut"] : [])];
}

/** The same columns of its row, with a comma before each. */
export function endColumns(order: ListOrder, row: string, ends: PageEnds): Fragment {
  const key = keyText(keyOrderOf(order, `${row}.`));
  const columns = endNames(ends).map((name) =>
    name === "key" ? SQL`, ${key} as key` : raw(`, ${row}.${name}`),
  );
  return columns.length === 0 ? empty : join(columns, "");
}

function keyOrderOf(order: ListOrder, row = "") {
  return order.flatMap(({ name, type, isNegative }) =>
    type ? [[`${isNegative ? "-" : ""}${row}${name}`, type, "asc"] as const] : [],
  );
}

type EndRow = { key?: string; is_end?: boolean; is_cut?: boolean };

/** Knows which rows of a page come before it is cut, and where it ends. */
class PageEnd {
  count = 0;
  last: string | undefined;
  isCut = false;

  has({ key, is_end = false, is_cut = false }: EndRow): boolean {
    if (this.isCut) return false;
    this.last = key;
    this.isCut = is_end || is_cut;
    if (!is_cut) this.count++;
    return !is_cut;
  }
}

const isTrue = (value: Uint8Array | undefined) => value !== undefined && latin1Text(value) === "t";

function endOfBytes({ key, is_end, is_cut }: BytesOf<Record<keyof EndRow, string>>): EndRow {
  return { ...(key && { key: latin1Text(key) }), is_end: isTrue(is_end), is_cut: isTrue(is_cut) };
}

/** A page, and the key of its last row. */
export type ReadPage<Taken> = { rows: Taken[]; last: KeyValue[] | undefined };

/** A page of a list, and where its rows are searched. */
export type PageSearch = {
  order: ListOrder;
  sort: Direction;
  page: Page;
  /** The key behind which the page begins, if its cursor does not have it. */
  after?: readonly KeyValue[] | undefined;
  /** Whether the key of the last row is needed; it is for a page with a cursor. */
  isKeyed?: boolean;
  /** The slots that may have rows; without them the statement finds the rows at once. */
  slots: readonly KnownSlot[] | undefined;
  bounds: Bounds & { axis: Axis };
  /** See `PageShape`. */
  isTested?: boolean;
} & Pick<WindowOptions, "isExact" | "areApart">;

/** Values of a statement that reads a page, from slots or without them. */
export type PageValues = AfterValues & Pick<SlotPage, "limit" | "offset" | "rows"> & Partial<SlotPage>;

/** A statement with `pageOfSlots`, or without slots with what finds the rows at once. `isLast`: no other one follows it. */
type PageStatement = (
  shape: PageShape,
  values: PageValues,
  options: { fromBytes: FromBytes; isLast: boolean },
) => Statement;

/** The page, from the first window that has it. */
export function readPage<Taken>(
  queries: Queries,
  { fromBytes, ...search }: PageSearch & { fromBytes: FromBytes },
  statement: PageStatement,
): Promise<ReadPage<Taken>> {
  return firstWith(search, (shape, values, end, isLast) => {
    const take: FromBytes = (row) => (end.has(endOfBytes(row)) ? fromBytes(row) : undefined);
    return queries.query<Taken>(statement(shape, values, { fromBytes: take, isLast }));
  });
}

/** The same of typed rows, all of which match. */
export async function readRowPage<Row extends object>(
  queries: Queries,
  search: PageSearch,
  statement: (shape: PageShape, values: PageValues) => Statement,
): Promise<Row[]> {
  const { rows } = await firstWith(search, async (shape, values, end) => {
    const found = await queries.query<Row>({ ...statement(shape, values), isInOrder: true });
    return found.filter((row) => end.has(row));
  });
  return rows;
}

async function firstWith<Taken>(
  search: PageSearch,
  read: (shape: PageShape, values: PageValues, end: PageEnd, isLast: boolean) => Promise<Taken[]>,
): Promise<ReadPage<Taken>> {
  const { order, sort, page, slots, isTested = false } = search;
  const { limit, offset, cursor } = page;
  const { after = keyAfter(keyOrderOf(order), cursor?.after), isKeyed = cursor !== undefined } = search;
  for (const window of slots ? windowsOfPage(search, slots, after) : [oneWindow]) {
    const isWhole = window.rest === undefined;
    const isLast = isWhole || window.isEnd === true;
    const end = new PageEnd();
    const own = slots ? slotPage(window, page) : { limit, offset, rows: offset + limit };
    const shape = { isBehind: after !== undefined, isKeyed, isTested, isWhole };
    const rows = await read(shape, { ...own, ...afterValues(after) }, end, isLast);
    if (!isLast && end.count === 0 && !end.isCut) continue;
    const last = end.last === undefined ? undefined : keyOfText(keyOrderOf(order), end.last);
    const isFull = end.count === limit;
    const isShort = !isFull && (end.isCut || !isWhole);
    if (isShort && !cursor) throw tooFewMatch();
    if (cursor && (isShort || isFull))
      cursor.next = end.isCut || isFull ? last : keyBefore(order, sort, window.rest!);
    return { rows, last };
  }
  return { rows: [], last: undefined };
}

function windowsOfPage(
  { sort, page, bounds, isTested = false, isExact = false, areApart = false }: PageSearch,
  slots: readonly KnownSlot[],
  after: readonly KeyValue[] | undefined,
): Window[] {
  const left = behind(bounds, sort, after?.[0] as bigint | undefined);
  const rows = page.offset + page.limit;
  return windowsOf(slots, sort, left, { rows, isExact, areApart, isBounded: isTested });
}

/** A key that comes right before all rows at a place of the list. */
function keyBefore(order: ListOrder, sort: Direction, place: bigint): KeyValue[] {
  const isDescending = sort === "desc";
  return keyOrderOf(order).map(([, type], at) => {
    if (at === 0) return isDescending ? place + 1n : place - 1n;
    const length = bytesOf[type];
    if (length === undefined) return isDescending ? 0n : largestBigint;
    return new Uint8Array(length).fill(isDescending ? 0 : 0xff);
  });
}

function tooFewMatch(): ServiceError {
  return new ServiceError(
    "invalid-params",
    "too few of the rows that one of these filters finds match the others: leave a filter out, give bounds of lt in place of times, or read the list with cursor=start, which may give short pages",
  );
}
