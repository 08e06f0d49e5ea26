import SQL, { raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { FromBytes, Queries } from "../../database.js";
import { isAccount, isOneOfHashes, isPair } from "../../sql/keys.js";
import {
  all,
  type Direction,
  distinct,
  type Fragment,
  isOneOf,
  type Page,
  plannedOnce,
} from "../../sql/where.js";
import { accountKey } from "../../tables/directories.js";
import { type ListOrder, sortedBy } from "../slots/slot-pages.js";
import type { Slot } from "../slots/slots.js";
import {
  besideRows,
  dividingColumn,
  type GatheredRows,
  gathered,
  letterOf,
  rowsOfKeys,
} from "./beside-rows.js";
import { isAnyOf, isAtAnyOf } from "./gathered-rows.js";
import { keysOfNodes } from "./list-keys.js";

/** Columns of which one must have one of the values. */
export type Wanted = { columns: readonly string[]; values: readonly Uint8Array[] };

type EventSearch = {
  table: string;
  /** Conditions on all of them. */
  conditions: readonly Fragment[];
  wanted: readonly Wanted[];
  order: ListOrder;
  sort: Direction;
  page: Page;
  byTime: boolean;
  slots: readonly Slot[];
  /** Whether the indexes of pairs of accounts are used. */
  isByPair: boolean;
};

/** A page of token events of a divided index: each shard is asked for its first rows, of either side of an owner by itself. */
export async function eventsOfNodes<Taken>(
  queries: Queries,
  { table, conditions, wanted, order, sort, page, byTime, slots, isByPair }: EventSearch,
  { text, fromBytes }: { text: string; fromBytes: FromBytes },
): Promise<Taken[]> {
  const [first, ...others] = wanted;
  const sides = (first?.columns ?? []).map((column, at) =>
    all(
      isWanted(column, first!.values, isByPair ? others[0] : undefined),
      // Those of both sides are found by the first one.
      ...first!.columns.slice(0, at).map((before) => SQL`(${isOneOf(before, first!.values)}) is not true`),
    ),
  );
  const isOther = others.map(({ columns, values }) => isOneOf(itemAt(columns, 0), values));
  const letter = letterOf(table);
  // Rows before an offset are not needed.
  const row = page.offset === 0 ? `${table}::text` : "null";
  const key = `tx_lt, tx_hash, tx_now, ${dividingColumn(letter)} as account`;
  const found = await keysOfNodes<EventKey>(queries, {
    ...{ table, columns: raw(`${key}, ${row} as row`) },
    ...{ conditions: [...conditions, ...isOther], sides, order, sort, page, slots },
    ...{ axis: byTime ? "utime" : "lt", lt: "tx_lt", isSorted: byTime && isByPair },
  });
  if (found.length === 0) return [];
  const rows = await besideRows(queries, () => [gatheredEvents(table, found)]);
  return rows.query<Taken>({
    ...plannedOnce(
      SQL`select ${raw(text)} as text from ${raw(table)} t order by ${sortedBy(order, sort, "t.")}`,
    ),
    fromBytes,
  });
}

/** The place of a token event, and its row if that is known. */
type EventKey = { tx_lt: bigint; tx_hash: Uint8Array; account: Uint8Array; row: string | null };

/** The token events at these places, unless all rows are known. */
function gatheredEvents(table: string, keys: readonly EventKey[]): GatheredRows {
  const letter = letterOf(table);
  const known = rowsOfKeys(letter, keys);
  if (known) return known;
  const lts = keys.map(({ tx_lt: lt }) => ({ lt }));
  const condition = all(
    isAnyOf(`${letter}.${dividingColumn(letter)}`, distinct(keys.map(({ account }) => account))),
    isAtAnyOf(`${letter}.tx_lt`, lts),
    isOneOfHashes(`${letter}.tx_hash`, distinct(keys.map(({ tx_hash }) => tx_hash))),
  );
  return gathered(letter, SQL`${raw(`${table} ${letter}`)} where ${condition}`);
}

/** For one account, by itself or with another one, in the words of an index in the order of lt or of time. */
function isWanted(column: string, values: readonly Uint8Array[], other: Wanted | undefined): Fragment {
  const [one] = values;
  const [two] = other?.values ?? [];
  if (values.length > 1)
    return all(isOneOf(`account_key(${column})`, values.map(accountKey)), isOneOf(column, values));
  if (two === undefined || other!.values.length > 1) return isAccount(column, SQL`${one}`);
  return isPair([column, itemAt(other!.columns, 0)], [SQL`${one}`, SQL`${two}`]);
}
