import SQL, { join, raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import { keyValue } from "../../sql/keyset.js";
import { all, type Fragment, given, ordered, type Page, paged } from "../../sql/where.js";
import { type KeysInOrder, readKeys } from "../slots/offset-bookmarks.js";
import { afterValues, isBehind, type PageSearch, sortedBy } from "../slots/slot-pages.js";
import { behind, inSlots, windowsOf } from "../slots/slot-windows.js";

type PagesOfList<Key, Row> = {
  /** The page by one statement; `undefined` if none has it, so that keys come first. */
  atOnce(): Promise<Row[] | undefined>;
  /** The keys of its rows. */
  keys(): Promise<readonly Key[]>;
  /** The rows of keys, in their order. */
  rowsOf(keys: readonly Key[]): Promise<Row[]>;
};

/**
 * A page of a list: at once from one server. Of a divided index keys come first, as other shards may have what a statement would
 * join.
 */
export async function readList<Key, Row>(
  queries: Queries,
  { atOnce, keys, rowsOf }: PagesOfList<Key, Row>,
): Promise<Row[]> {
  const rows = (await queries.isDivided()) ? undefined : await atOnce();
  if (rows) return rows;
  const found = await keys();
  return found.length === 0 ? [] : rowsOf(found);
}

/** How each shard finds the keys of a list. */
export type KeyList = {
  readonly table: string;
  /** The only rows of the table that may match, if not all. */
  readonly rows?: Fragment | undefined;
  /** Those of a key, also of the order, of which the first one is on the axis. */
  readonly columns: string;
  readonly conditions: readonly (Fragment | undefined)[];
  /** Conditions of which each leads to other rows, so that each is searched by itself. */
  readonly sides?: readonly Fragment[];
  /** The column of lt that tells the slot of a row. */
  readonly lt: string;
  /** Whether few rows are sorted: the index that has all others in this order would find them among these. */
  readonly isSorted?: boolean;
  /** Whether rows are short enough to come with their keys, as `row`. */
  readonly isShort?: boolean;
};

/** A page of the rows that searches find, in this order of their names, or of rows with this letter. */
export function pageOfAll(
  searches: readonly ((page: Page) => Fragment)[],
  page: Page,
  order: Fragment,
  letter = "found",
): Fragment {
  if (searches.length === 1) return itemAt(searches, 0)(page);
  const first = { limit: page.offset + page.limit, offset: 0 };
  const each = searches.map((search) => SQL`(${search(first)})`);
  return SQL`select * from (${join(each, " union all ")}) ${raw(letter)} order by ${order} ${paged(page)}`;
}

type KeySearch = Pick<PageSearch, "order" | "sort" | "slots" | "bounds">;

/** The keys of a page of a list: each shard is asked for the first ones in the order of the list. */
export function readListKeys<Key extends object>(
  queries: Queries,
  { page, ...search }: KeySearch & { page: Page },
  list: KeyList,
): Promise<Key[]> {
  return readKeys(queries, keysInOrder<Key>(search, list), page);
}

/** The keys as a list, which is read slot by slot, or at once without slots. */
export function keysInOrder<Key extends object>(
  { order, sort, slots, bounds }: KeySearch,
  { table, rows, columns, conditions, sides = [], lt, isSorted = false, isShort = false }: KeyList,
): KeysInOrder<Key> {
  const members = order.flatMap(({ name, type }) =>
    type ? [[name as keyof Key & string, type] as const] : [],
  );
  const valuesIn = (key: Key) => members.map(([name]) => keyValue(key[name]));
  const place = (key: Key) => valuesIn(key)[0] as bigint;
  const from = rows ? SQL`(${rows}) ${raw(table)}` : raw(table);
  const sorted = ordered(sort, ...order.map(({ by }, at) => (at === 0 && isSorted ? `${by} + 0` : by)));
  return {
    order: members,
    keys: (page, after, window) => {
      const isAfter = given(after, (key) => isBehind(order, sort, afterValues(valuesIn(key))));
      const isWithin = given(window, (known) => inSlots(lt, known));
      // Rows before an offset are not needed.
      const row = page.offset === 0 ? `${table}::text` : "null";
      const selected = raw(isShort ? `${columns}, ${row} as row` : columns);
      const search = (side?: Fragment) => (part: Page) =>
        SQL`select ${selected} from ${from}
        where ${all(side, ...conditions, isWithin, isAfter)} order by ${sorted} ${paged(part)}`;
      const searches = sides.length === 0 ? [search()] : sides.map(search);
      return pageOfAll(searches, page, sortedBy(order, sort));
    },
    ...(slots && {
      windows: {
        ...{ sort, place, areApart: bounds.axis === "lt" },
        of: (after, known = slots) => windowsOf(known, sort, behind(bounds, sort, after && place(after))),
      },
    }),
  };
}
