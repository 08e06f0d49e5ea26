import SQL, { join, raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import { type Part, textOf } from "../../declare/record.js";
import type { Columns, Table } from "../../declare/table.js";
import { isAccount, isHash, isPair } from "../../keys.js";
import {
  all,
  compared,
  type Direction,
  distinct,
  type Fragment,
  given,
  greatest,
  hasTimes,
  isOneOf,
  keyLists,
  least,
  ordered,
  type Page,
  paged,
  plannedOnce,
  type TimeBounds,
  within,
} from "../../where.js";
import { type OrderedList, readKeys } from "../slots/offset-bookmarks.js";
import { type Axis, type Bounds, behind, inSlots, windowsOf } from "../slots/slot-windows.js";
import { readSlots } from "../slots/slots.js";
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
  readonly listed?: Fragment;
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

/** One page. Keys are searched in the indexes that the schema names for a filter, rows by their transactions. */
export async function listTokenEvents<Wire, Column extends string>(
  queries: Queries,
  list: TokenEventList<Wire, Column>,
  filter: TokenEventFilter<NoInfer<Column>>,
  { sort, ...page }: Page & { sort: Direction },
): Promise<Wire[]> {
  const searches = searchesOf(list, filter);
  const slots =
    searches.length === 0
      ? await readSlots(queries)
      : await slotsOfEvents(
          queries,
          searches.map(({ values }) => values),
        );
  const byTime = hasTimes(filter);
  const bounds = boundsOf(filter, byTime);
  const order = byTime ? (["tx_now", "tx_lt", "tx_hash"] as const) : (["tx_lt", "tx_hash"] as const);
  const place = ({ tx_lt, tx_now }: EventKey) => (byTime ? tx_now! : tx_lt);
  const found: Omit<OrderedList<EventKey>, "countLater"> = {
    order: order.map((column) => [column, column === "tx_hash" ? "hash" : "bigint"]),
    // A plan for all values would take the index of lt for a slot.
    keys: (part, after, window) =>
      keysOf(list, searches, {
        order,
        sort,
        page: part,
        conditions: [
          list.listed,
          within("tx_now", filter.start_utime, filter.end_utime),
          within("tx_lt", filter.start_lt, filter.end_lt),
          given(window, (known) => inSlots("tx_lt", known)),
          given(after, (key) =>
            compared(
              sort,
              "behind",
              order,
              order.map((column) => key[column]),
            ),
          ),
        ],
      }),
    windows: {
      sort,
      areApart: !byTime,
      place,
      of: (after) => windowsOf(slots, sort, behind(bounds, sort, after && place(after))),
    },
  };
  return readEvents(queries, list, await readKeys(queries, found, page));
}

/** A unique key; `tx_now` if the list is ordered by it. */
type EventKey = { tx_lt: bigint; tx_hash: Uint8Array; tx_now?: bigint };

function boundsOf(
  { start_utime, end_utime, start_lt, end_lt }: TimeBounds,
  byTime: boolean,
): Bounds & { axis: Axis } {
  if (!byTime) return { axis: "lt", from: start_lt, to: end_lt };
  const toBigint = (value: number | undefined) => (value === undefined ? undefined : BigInt(value));
  return { axis: "utime", from: toBigint(start_utime), to: toBigint(end_utime) };
}

/** Columns of which one must have one of the values. `isOfOwners`: they have indexes with each of the other columns. */
type Search = { columns: readonly string[]; values: readonly Uint8Array[]; isOfOwners?: boolean };

/** Keys are searched by the first one. */
function searchesOf(
  list: TokenEventList<unknown>,
  { owners = [], direction, accounts }: TokenEventFilter,
): Search[] {
  const sides = direction === "in" || direction === "out" ? [list[direction]] : [list.out, list.in];
  return [
    {
      columns: sides.filter((column) => column !== undefined),
      values: distinct(owners),
      isOfOwners: true,
    },
    ...Object.entries(accounts).map(([column, values = []]) => ({
      columns: [column],
      values: distinct(values),
    })),
  ].filter(({ values }) => values.length > 0);
}

type KeyPage = {
  order: readonly string[];
  sort: Direction;
  page: Page;
  conditions: readonly (Fragment | undefined)[];
};

function keysOf(
  { table }: TokenEventList<unknown>,
  [first, ...others]: readonly Search[],
  { order, sort, page, conditions }: KeyPage,
): Fragment {
  const keys = SQL`select ${raw(order.join(", "))} from ${raw(table.name)}`;
  const wanted = all(...others.map(condition), ...conditions);
  const inOrder = SQL`order by ${ordered(sort, ...order)}`;
  if (!first) return SQL`${keys} where ${wanted} ${inOrder} ${paged(page)}`;
  const [second] = others;
  if (first.isOfOwners && second && order[0] === "tx_lt") {
    const more = all(...others.slice(1).map(condition), ...conditions);
    const part = { keys, wanted: more, ending: SQL`${inOrder} limit ${page.offset + page.limit}` };
    return SQL`select * from (${join(pairSearches(first, second, part), " union ")}) found ${inOrder} ${paged(page)}`;
  }
  if (first.columns.length === 1 && first.values.length === 1)
    return SQL`${keys} where ${isAccount(itemAt(first.columns, 0), SQL`${first.values[0]}`)} and ${wanted} ${inOrder} ${paged(page)}`;
  // No more rows per account and side than could be on the page. An event that has two of them is listed once.
  const found = first.columns.map(
    (column) => SQL`
      select one.* from unnest(${first.values}::bytea[]) wanted(address) cross join lateral (
        ${keys} where ${isAccount(column, raw("wanted.address"))} and ${wanted}
        ${inOrder} limit ${page.offset + page.limit}) one`,
  );
  return SQL`select * from (${join(found, " union ")}) found ${inOrder} ${paged(page)}`;
}

/**
 * For each pair of an owner and another account, by an index on both: an owner and a jetton, or an item, may each have many
 * events and hardly any in common.
 */
function pairSearches(
  first: Search,
  { columns: [column], values }: Search,
  { keys, wanted, ending }: { keys: Fragment; wanted: Fragment; ending: Fragment },
): Fragment[] {
  const addresses = [raw("o.address"), raw("a.address")] as const;
  return first.columns.map(
    (side) => SQL`
      select one.* from unnest(${first.values}::bytea[]) o(address) cross join unnest(${values}::bytea[]) a(address)
      cross join lateral (
        ${keys} where ${isPair([side, String(column)], addresses)} and ${wanted} ${ending}) one`,
  );
}

function condition({ columns, values }: Search): Fragment {
  const each = columns.map((column) => isOneOf(column, values));
  return each.length === 1 ? itemAt(each, 0) : SQL`(${join(each, " or ")})`;
}

/** The rows of these keys, in their order. */
async function readEvents<Wire>(
  queries: Queries,
  { table, record }: TokenEventList<Wire>,
  keys: readonly EventKey[],
): Promise<Wire[]> {
  if (keys.length === 0) return [];
  const lts = keys.map(({ tx_lt }) => tx_lt);
  const rows = await queries.query<{ text: string }>(
    plannedOnce(SQL`
    select ${raw(textOf(record))} as text
    from ${keyLists(keys, { tx_hash: "bytea", tx_lt: "bigint" })} with ordinality page(tx_hash, tx_lt, place)
    cross join lateral (
      select * from ${raw(table.name)}
      where ${isHash("tx_hash", raw("page.tx_hash"))} and tx_lt = page.tx_lt and ${within("tx_lt", least(lts), greatest(lts))} offset 0) t
    order by page.place`),
  );
  return rows.map(({ text }) => JSON.parse(text) as Wire);
}
