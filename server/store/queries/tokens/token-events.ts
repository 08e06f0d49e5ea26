import SQL, { empty, join, raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import { type Part, textOf } from "../../declare/record.js";
import type { Columns, Table } from "../../declare/table.js";
import { fixedText, type Places } from "../../sql/fixed-text.js";
import { byAccount, byPair, type Found, isFoundWithin, isInRange } from "../../sql/keys.js";
import { type BytesOf, parsedJson } from "../../sql/row-bytes.js";
import {
  all,
  capped,
  type Direction,
  distinct,
  type Fragment,
  hasTimes,
  keyList,
  largestBigint,
  ordered,
  type Page,
  type TimeBounds,
} from "../../sql/where.js";
import { narrowedToPage } from "../blocks/page-times.js";
import { readList, readListKeys } from "../cluster/list-keys.js";
import { type EventKey, eventKeys, eventsOfKeys, type Wanted } from "../cluster/token-event-keys.js";
import {
  endColumns,
  firstOfSlot,
  isBehind,
  isOfSlot,
  type ListOrder,
  type PageShape,
  type PageValues,
  pageOfSlots,
  readPage,
  sortedBy,
} from "../slots/slot-pages.js";
import { slotsWithin, timesOf } from "../slots/slot-windows.js";
import { readSlots, type Slot } from "../slots/slots.js";
import { slotsOfEvents } from "./token-slots.js";

type Keys = readonly Uint8Array[] | undefined;

/** A table of token events as a list. */
type TokenEventList<Wire, Column extends string = string> = {
  readonly table: Pick<Table, "name">;
  /** A record of a row `t`. */
  readonly record: Part<never, Wire>;
  /** The column of the owner who sends, and of the one who receives. */
  readonly out: Column;
  readonly in?: Column;
  /** The condition of the indexes over the table. */
  readonly listed?: string;
};

/** A list whose columns are checked. */
export function tokenEventList<Wire, C extends Columns>(
  list: TokenEventList<Wire, keyof C & string> & { readonly table: Table<C> },
): TokenEventList<Wire, keyof C & string> {
  return list;
}

/** Empty lists are no conditions. */
type TokenEventFilter<Column extends string = string> = TimeBounds & {
  owners?: Keys;
  /** The side that an owner is on; without it either. */
  direction?: "in" | "out" | "both" | undefined;
  /** Values of other columns, each of which must be one of its list. */
  accounts: { readonly [C in Column]?: Keys };
};

/**
 * One page, by the indexes that the schema names for a filter. Those of an owner and another account have rows in the order of
 * lt only: in a list by time, rows of the page's times are sorted.
 */
export async function listTokenEvents<Wire, Column extends string>(
  queries: Queries,
  list: TokenEventList<Wire, Column>,
  filter: TokenEventFilter<NoInfer<Column>>,
  { sort, ...page }: Page & { sort: Direction },
): Promise<Wire[]> {
  const wanted = wantedOf(list, filter);
  const accounts = wanted.map(({ values }) => values);
  const slots = accounts.length === 0 ? await readSlots(queries) : await slotsOfEvents(queries, accounts);
  const source = { list, wanted, slots, sort };
  const text = textOf(list.record);
  const byTime = hasTimes(filter);
  const hasPairs = wanted.length > 1 && distinct(filter.owners).length > 0;
  if (!byTime || !hasPairs)
    return readEvents(queries, source, filter, page, { text, byTime, isByPair: hasPairs });
  // If it cannot be narrowed, any number of rows may have its times: these are read in the order of time.
  let isByPair = false;
  const narrowed = await narrowedToPage(queries, filter, { sort, ...page }, async (possible, limit) => {
    isByPair = true;
    const form = { text: "t.tx_now", byTime: false, isByPair };
    return (await readEvents<number>(queries, source, possible, { limit, offset: 0 }, form)).map(BigInt);
  });
  return readEvents(queries, source, narrowed, page, { text, byTime, isByPair });
}

/** Rows are found by the first of them, which are the owners if there are some. */
function wantedOf(
  list: TokenEventList<unknown>,
  { owners, direction, accounts }: TokenEventFilter,
): Wanted[] {
  const sides = direction === "in" || direction === "out" ? [list[direction]] : [list.out, list.in];
  const ofOwners = { columns: sides.filter((column) => column !== undefined), values: distinct(owners) };
  const others = Object.entries(accounts).map(([column, values]) => ({
    columns: [column],
    values: distinct(values),
  }));
  return [ofOwners, ...others].filter(({ values }) => values.length > 0);
}

type Form = {
  /** JSON of a row `t`. */
  text: string;
  byTime: boolean;
  /** Whether an owner and another account are searched together. The times of a list by time are then those of the page. */
  isByPair: boolean;
};
type Source = {
  list: TokenEventList<unknown>;
  wanted: readonly Wanted[];
  slots: readonly Slot[];
  sort: Direction;
};

async function readEvents<Taken>(
  queries: Queries,
  { list: { table, listed = "true" }, wanted, slots, sort }: Source,
  bounds: TimeBounds,
  page: Page,
  form: Form,
): Promise<Taken[]> {
  const lts = {
    axis: "lt",
    from: capped(bounds.start_lt ?? 0n),
    to: capped(bounds.end_lt ?? largestBigint),
  } as const;
  const { byTime, isByPair, text } = form;
  const search = {
    ...{ order: orderOf(form), sort, page, slots: slotsWithin(slots, lts) },
    ...{ bounds: byTime ? timesOf(bounds) : lts, areApart: !byTime },
  };
  const fromBytes = ({ text }: BytesOf<{ text: string }>) => parsedJson<Taken>(text);
  const [wanted0, wanted1, wanted2] = wanted.map(({ values }) => values);
  const values = {
    ...{ wanted0, wanted1, wanted2, from: lts.from, to: lts.to },
    ...{ since: bounds.start_utime ?? 0, until: bounds.end_utime ?? 2 ** 32 },
  };
  const isOne = wanted.slice(0, isByPair ? 2 : 1).every((each) => each.values.length === 1);
  const own = {
    table: table.name,
    listed,
    columns: wanted.map((each) => each.columns),
    isOne,
    sort,
    ...form,
  };
  return readList<EventKey, Taken>(queries, {
    async atOnce() {
      const { rows } = await readPage<Taken>(
        queries,
        { ...search, fromBytes },
        (shape, found, { fromBytes }) => ({
          ...pages({ ...own, ...shape })({ ...values, ...found }),
          ...{ fromBytes, isInOrder: true },
        }),
      );
      return rows;
    },
    keys() {
      const conditions = [
        raw(listed),
        SQL`tx_lt between ${values.from} and ${values.to}`,
        ...(byTime ? [SQL`tx_now between ${values.since} and ${values.until}`] : []),
      ];
      const { name } = table;
      return readListKeys(queries, search, eventKeys({ table: name, conditions, wanted, byTime, isByPair }));
    },
    rowsOf: (keys) =>
      eventsOfKeys(queries, keys, { table: table.name, order: search.order, sort, text }, fromBytes),
  });
}

const byLt: ListOrder = [
  { name: "tx_lt", by: "tx_lt", type: "bigint" },
  { name: "tx_hash", by: "tx_hash", type: "hash" },
];
const inTime: ListOrder = [{ name: "tx_now", by: "tx_now", type: "bigint" }, ...byLt];
const orderOf = ({ byTime }: Form) => (byTime ? inTime : byLt);

type Shape = PageShape &
  Form & {
    table: string;
    listed: string;
    columns: readonly (readonly string[])[];
    /** Whether only one account, or pair, is searched. */
    isOne: boolean;
    sort: Direction;
  };
type Values = PageValues &
  Record<`wanted${0 | 1 | 2}`, Keys> & { from: bigint; to: bigint; since: number; until: number };
type Given = Places<Values>;

const pages = (shape: Shape) =>
  fixedText<Values>((given) => {
    const order = orderOf(shape);
    return SQL`select ${raw(shape.text)} as text${endColumns(order, "t", shape)}
      from ${pageOfSlots(given, firstEvents(shape, given), { ...shape, order, areApart: !shape.byTime })} t
      order by ${sortedBy(order, shape.sort, "t.")}`;
  });

/** The first events of a slot: of each account, or pair of accounts, and side. An event that has two of them is listed once. */
function firstEvents(shape: Shape, given: Given): Fragment {
  const [columns, [other] = []] = shape.columns;
  if (!columns) return firstBy(shape, given);
  const { isOne, isByPair } = shape;
  const accounts = [given.wanted0, given.wanted1].map((values) => SQL`unnest(${keyList("bytea", values)})`);
  const pairs = isByPair ? SQL`cross join ${accounts[1]} two(address)` : empty;
  const each = isOne ? empty : SQL`${accounts[0]} one(address) ${pairs} cross join lateral`;
  const [one, two] = isOne
    ? [SQL`(${given.wanted0}::bytea[])[1]`, SQL`(${given.wanted1}::bytea[])[1]`]
    : [SQL`one.address`, SQL`two.address`];
  const found = columns.map((column) => {
    const by = isByPair ? byPair([column, String(other)], [one, two]) : byAccount(column, one);
    return SQL`select event.* from ${each} (${firstBy(shape, given, by)}) event`;
  });
  if (found.length === 1) return itemAt(found, 0);
  const order = orderOf(shape);
  return SQL`select distinct on (${raw(order.map(({ name }) => name).join(", "))}) *
    from (${join(found, " union all ")}) event order by ${sortedBy(order, shape.sort)}`;
}

/** The first events of a slot that an index finds, or all. */
function firstBy(shape: Shape, given: Given, by?: Found): Fragment {
  const { table, byTime, isByPair, sort } = shape;
  const order = orderOf(shape);
  const times = [given.since, given.until] as const;
  const inTimes = SQL`tx_now between ${times[0]} and ${times[1]}`;
  const lts = [given.from, given.to] as const;
  const isNarrowed = byTime && isByPair;
  const isInOrderOfTime = byTime && !isByPair;
  // The index of lt has few rows of a slot for a plan of all values, and is passed over as it does not have this order.
  const before = by && !isInOrderOfTime ? by.keys : [];
  const rows = SQL`${raw(table)} where ${all(
    raw(shape.listed),
    by && (isInOrderOfTime ? isFoundWithin(by, "tx_now", times) : isInRange(by, "tx_lt", lts)),
    byTime && !by ? inTimes : undefined,
    isNarrowed ? SQL`(${inTimes}) is true` : undefined,
    isOfSlot("tx_lt", given),
    SQL`tx_lt between ${lts[0]} and ${lts[1]}`,
    ...shape.columns
      .map(([column], at) => SQL`${raw(column!)} = any(${given[`wanted${at as 0 | 1 | 2}`]}::bytea[])`)
      .slice(isByPair ? 2 : 1),
    shape.isBehind ? isBehind(order, sort, given) : undefined,
  )}`;
  if (!isNarrowed) return firstOfSlot({ select: SQL`*`, from: rows, order, sort, before }, given);
  // The order of time would lead to its index.
  const from = SQL`(select * from ${rows} order by ${ordered(sort, ...before, "tx_lt")} offset 0) ${raw(table)}`;
  return firstOfSlot({ select: SQL`*`, from, order, sort }, given);
}
