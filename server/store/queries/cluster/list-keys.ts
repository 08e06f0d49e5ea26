import SQL, { raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import type { KeyType } from "../../sql/keyset.js";
import { all, type Direction, type Fragment, given, ordered, type Page, paged } from "../../sql/where.js";
import { readKeys } from "../slots/offset-bookmarks.js";
import { afterValues, isBehind, type ListOrder } from "../slots/slot-pages.js";
import { type Axis, behind, inSlots, windowsOf } from "../slots/slot-windows.js";
import type { Slot } from "../slots/slots.js";

type KeySearch = {
  readonly table: string;
  /** Those of a key, also of the order, of which the first one is on the axis. */
  readonly columns: Fragment;
  readonly conditions: readonly Fragment[];
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
  { table, columns, conditions, order, sort, page, axis, lt, slots, isSorted }: KeySearch,
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
        return SQL`select ${columns} from ${raw(table)}
          where ${all(...conditions, isWithin, isAfter)}
          order by ${ordered(sort, ...order.map(({ by }, at) => (at === 0 && isSorted ? `${by} + 0` : by)))}
          ${paged(part)}`;
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
