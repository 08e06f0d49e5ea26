import SQL, { raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { FromBytes, Queries } from "../../database.js";
import { isAccount, isOneOfHashes, isPair } from "../../sql/keys.js";
import { all, type Direction, distinct, type Fragment, isOneOf, plannedOnce } from "../../sql/where.js";
import { accountKey } from "../../tables/directories.js";
import { type ListOrder, sortedBy } from "../slots/slot-pages.js";
import {
  besideRows,
  dividingColumn,
  type GatheredRows,
  gathered,
  letterOf,
  rowsOfKeys,
} from "./beside-rows.js";
import { isAnyOf, isAtAnyOf } from "./gathered-rows.js";
import type { KeyList } from "./list-keys.js";

/** Columns of which one must have one of the values. */
export type Wanted = { columns: readonly string[]; values: readonly Uint8Array[] };

type EventList = {
  table: string;
  /** Conditions on all of them. */
  conditions: readonly Fragment[];
  wanted: readonly Wanted[];
  byTime: boolean;
  /** Whether the indexes of pairs of accounts are used. */
  isByPair: boolean;
};

/** Token events as keys, of either side of an owner by itself. */
export function eventKeys({ table, conditions, wanted, byTime, isByPair }: EventList): KeyList {
  const [first, ...others] = wanted;
  const sides = (first?.columns ?? []).map((column, at) =>
    all(
      isWanted(column, first!.values, isByPair ? others[0] : undefined),
      // Those of both sides are found by the first one.
      ...first!.columns.slice(0, at).map((before) => SQL`(${isOneOf(before, first!.values)}) is not true`),
    ),
  );
  const isOther = others.map(({ columns, values }) => isOneOf(itemAt(columns, 0), values));
  return {
    ...{ table, conditions: [...conditions, ...isOther], sides, lt: "tx_lt", isSorted: byTime && isByPair },
    ...{ columns: `tx_lt, tx_hash, tx_now, ${dividingColumn(letterOf(table))} as account`, isShort: true },
  };
}

/** The token events of these keys. */
export async function eventsOfKeys<Taken>(
  queries: Queries,
  keys: readonly EventKey[],
  { table, order, sort, text }: { table: string; order: ListOrder; sort: Direction; text: string },
  fromBytes: FromBytes,
): Promise<Taken[]> {
  const rows = await besideRows(queries, () => [gatheredEvents(table, keys)]);
  return rows.query<Taken>({
    ...plannedOnce(
      SQL`select ${raw(text)} as text from ${raw(table)} t order by ${sortedBy(order, sort, "t.")}`,
    ),
    fromBytes,
  });
}

/** The place of a token event, and its row if that is known. */
export type EventKey = { tx_lt: bigint; tx_hash: Uint8Array; account: Uint8Array; row: string | null };

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
