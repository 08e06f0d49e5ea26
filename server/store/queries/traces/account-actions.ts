import SQL, { raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import { noteLast } from "../../sql/keyset.js";
import { keyLists, type Page, plannedOnce } from "../../sql/where.js";
import { mayBeShown } from "../../tables/action-kinds.js";
import { type ActionAccountRow, accountsOfAction } from "../../tables/actions.js";
import { accountKey } from "../../tables/directories.js";
import { readMatching } from "../cluster/account-entries.js";
import { entryKeys } from "../cluster/action-keys.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredActions } from "../cluster/gathered-rows.js";
import { keysInOrder } from "../cluster/list-keys.js";
import { keyOfCursor, valuesFrom } from "../slots/offset-bookmarks.js";
import { sortedBy } from "../slots/slot-pages.js";
import {
  actionOfEntry,
  type FilterValues,
  form,
  orderOf,
  type Shape,
  selected,
} from "./action-statements.js";

type Entry = ActionAccountRow & { left_turned: number };

const entryTypes = {
  trace_end_lt: "bigint",
  trace_key: "bigint",
  end_lt: "bigint",
  action_key: "bigint",
  trace_end_utime: "bigint",
  utime_left: "integer",
  left_turned: "integer",
} as const;

/** One page of the actions of an account in a divided index: its shard has the entries, those of the traces the actions. */
export async function readByEntries(
  queries: Queries,
  shape: Pick<Shape, "byTime" | "sort" | "rules" | "areTimes">,
  values: FilterValues,
  page: Page,
): Promise<Record<string, unknown>[]> {
  const { byTime, sort } = shape;
  const order = orderOf({ byTime, isOfAccount: true });
  const sorted = sortedBy(order, sort, "c.");
  const search = { order, sort, slots: undefined, bounds: { axis: byTime ? "utime" : "lt" } as const };
  const list = keysInOrder<Entry>(search, entryKeys(shape, values));
  const rows = await readMatching<Entry, Record<string, unknown>>({
    ...{ queries, list, wanted: page.offset + page.limit, after: keyOfCursor(list, page) },
    matching: async (entries, limit) =>
      (await besideRows(queries, () => [gatheredActions(entries)])).query(
        plannedOnce(SQL`
          select ${selected(shape)}
          from ${keyLists(entries, entryTypes)} c(${raw(Object.keys(entryTypes).join(", "))})
          ${actionOfEntry(shape, values)} order by ${sorted} limit ${limit}`),
      ),
  });
  const shown = rows.slice(page.offset);
  const entryOf = (row: Record<string, unknown>) => itemAt(accountsOfAction(form.read(row)), 0);
  noteLast(page, shown, (last) => valuesFrom(list, entryOf(last) as Entry));
  return shown;
}

type ShownActions = {
  wanted: readonly string[];
  ancestors: readonly string[];
  /** Whether the account initiated them, if that matters. */
  isInitiated: boolean | undefined;
};

/** The kinds of an account's actions that may be listed, each found by a search: action_accounts_by_kind. */
export async function kindsOfAccount(
  queries: Queries,
  account: Uint8Array,
  { wanted, ancestors, isInitiated }: ShownActions,
): Promise<number[]> {
  const key = accountKey(account);
  const found = await queries.query<{ kind: number }>(
    plannedOnce(SQL`
      with recursive found as (
        select (select min(kind) from action_accounts where account_key = ${key}) as kind
        union all
        select (
          select min(c.kind) from action_accounts c
          where c.account_key = ${key} and c.kind > found.kind)
        from found where found.kind is not null)
      select kind from found where kind is not null`),
  );
  const shown = { wanted: new Set(wanted), ancestors: new Set(ancestors), isInitiated };
  return found.map(({ kind }) => kind).filter((kind) => mayBeShown(kind, shown));
}
