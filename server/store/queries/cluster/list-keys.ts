import SQL, { join, raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import type { KeyType } from "../../sql/keyset.js";
import { all, type Direction, type Fragment, given, ordered, type Page, paged } from "../../sql/where.js";
import { readKeys } from "../slots/offset-bookmarks.js";
import { afterValues, isBehind, type ListOrder, sortedBy } from "../slots/slot-pages.js";
import { type Axis, behind, inSlots, windowsOf } from "../slots/slot-windows.js";
import type { Slot } from "../slots/slots.js";

type KeySearch = {
  readonly table: string;
  /** Those of a key, also of the order, of which the first one is on the axis. */
  readonly columns: Fragment;
  readonly conditions: readonly Fragment[];
  /** Conditions of which each leads to other rows, so that each is searched by itself. */
  readonly sides?: readonly Fragment[];
  readonly order: ListOrder;
  readonly sort: Direction;
  readonly page: Page;
  readonly axis: Axis;
  /** The slots that may have rows, by this column of lt. */
  readonly lt: string;
  readonly slots: readonly Slot[];
  /** Whether few rows are sorted: the index that has all others in this order would find them among these. */
  readonly isSorted: boolean;
};

/** The keys of a page of a list of all rows: each shard is asked for the first ones in the order of the list. */
export function keysOfNodes<Key extends object>(
  queries: Queries,
  { table, columns, conditions, sides = [], order, sort, page, axis, lt, slots, isSorted }: KeySearch,
): Promise<Key[]> {
  type Member = keyof Key & string;
  const members = order.flatMap(({ name, type }): (readonly [Member, KeyType])[] =>
    type ? [[name as Member, type]] : [],
  );
  const valueIn = (key: Key, name: Member) => key[name] as bigint | number | Uint8Array;
  const place = (key: Key) => BigInt(valueIn(key, itemAt(members, 0)[0]) as bigint | number);
  return readKeys<Key>(
    queries,
    {
      order: members,
      keys: (part, after, window) => {
        const isAfter = given(after, (key) => {
          const before = members.map(([name]) => valueIn(key, name) as never);
          return isBehind(order, sort, afterValues(before));
        });
        const isWithin = given(window, (known) => inSlots(lt, known));
        const search = (page: Page, side?: Fragment) => SQL`select ${columns} from ${raw(table)}
          where ${all(side, ...conditions, isWithin, isAfter)}
          order by ${ordered(sort, ...order.map(({ by }, at) => (at === 0 && isSorted ? `${by} + 0` : by)))}
          ${paged(page)}`;
        if (sides.length < 2) return search(part, sides[0]);
        const first = { limit: part.offset + part.limit, offset: 0 };
        const each = sides.map((side) => SQL`(${search(first, side)})`);
        return SQL`select * from (${join(each, " union all ")}) found
          order by ${sortedBy(order, sort)} ${paged(part)}`;
      },
      windows: {
        ...{ sort, place, areApart: axis === "lt" },
        of: (after, known = slots) =>
          windowsOf(known, sort, { ...behind({}, sort, after && place(after)), axis }),
      },
    },
    page,
  );
}
