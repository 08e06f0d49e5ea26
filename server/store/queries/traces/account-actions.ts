import SQL, { join, raw } from "sql-template-tag";
import type { KeyValue } from "../../../../shared/values/list-cursor.js";
import type { Queries } from "../../database.js";
import { behindCursor, behindKey, inOrder, type KeyOrder, keyValue, noteLast } from "../../keyset.js";
import { mayBeShown } from "../../tables/action-kinds.js";
import { type ActionAccountRow, type ActionRow, actions } from "../../tables/actions.js";
import { accountKey, hashPrefix } from "../../tables/directories.js";
import {
  all,
  type Direction,
  type Fragment,
  hasTimes,
  keyList,
  keyLists,
  ordered,
  type Page,
  paged,
  plannedOnce,
  within,
} from "../../where.js";
import { readMatching } from "../cluster/account-entries.js";
import { selectRows } from "../rows.js";
import type { Bounds } from "../slots/slot-windows.js";

/** A list of the actions of an account. */
type AccountList = {
  account: Uint8Array;
  /** Conditions on a row of actions. */
  condition: Fragment;
  /** Bounds of `trace_end_lt`. */
  bounds: Bounds;
  /** Bounds of `trace_end_utime`, by which the list is sorted then. */
  times: { start_utime?: number | undefined; end_utime?: number | undefined };
  /** The types that are listed, and those whose parts are not; `undefined` if most actions of an account are listed. */
  types: { wanted: readonly string[]; ancestors: readonly string[] } | undefined;
};

/** The orders of the actions of an account. */
const orders = {
  lt: (sort: Direction): KeyOrder => [
    ["c.trace_end_lt", "bigint", sort],
    ["c.trace_key", "bigint", sort],
    ["c.end_lt", "bigint", sort],
    ["c.action_key", "bigint", sort],
  ],
  time: (sort: Direction): KeyOrder => [
    ["c.trace_end_utime", "bigint", sort],
    ["c.trace_key", "bigint", sort],
    ["c.utime_left", "integer", sort === "desc" ? "asc" : "desc"],
    ["c.action_key", "bigint", sort],
  ],
};

/** The key of an action's entry in these orders. */
function keyOf(row: ActionRow, byTime: boolean): KeyValue[] {
  const [trace, action] = [hashPrefix(row.trace_id), hashPrefix(row.action_id)];
  return byTime
    ? [keyValue(row.trace_end_utime), trace, keyValue(row.trace_end_utime - row.end_utime), action]
    : [row.trace_end_lt, trace, row.end_lt, action];
}

/**
 * One page. By action_accounts_by_lt or _by_time; if some types are named, each kind of the account's actions that may be
 * listed is searched by action_accounts_by_kind.
 */
export async function selectOfAccount(
  queries: Queries,
  list: AccountList,
  { sort, ...page }: Page & { sort: Direction },
): Promise<ActionRow[]> {
  const { account, times, types } = list;
  const kinds = types && (await listedKinds(queries, account, types));
  if (kinds?.length === 0) return [];
  const byTime = hasTimes(times);
  const keyOrder = orders[byTime ? "time" : "lt"](sort);
  const order = inOrder(keyOrder);
  if (await queries.isDivided?.()) return selectByEntries(queries, list, { kinds, byTime, keyOrder, page });
  const behind = behindCursor(keyOrder, page);
  const found = (...more: Fragment[]) =>
    SQL`${entries(list, order, behind, ...more)} c ${actionOfEntry(list)}`;
  const from =
    kinds === undefined || byTime
      ? SQL`${found()} order by ${order} ${paged(page)}`
      : SQL`unnest(${keyList("smallint", kinds)}) wanted(kind)
          cross join lateral (
            select a.*, c.trace_key, c.action_key
            from ${found(SQL`kind = wanted.kind`)} order by ${order} limit ${page.offset + page.limit}) a
          order by ${ordered(sort, "a.trace_end_lt", "a.trace_key", "a.end_lt", "a.action_key")} ${paged(page)}`;
  // An index has the account's rows in this order. Sorting all of them looks cheaper, as the planner does not expect that
  // few of them are read.
  const rows = await selectRows(queries, actions, "a", from, { isPlannedOnce: true, isInOrder: true });
  noteLast(page, rows, (last) => keyOf(last, byTime));
  return rows;
}

/** Shards have the entries, the coordinator has the actions. */
async function selectByEntries(
  queries: Queries,
  list: AccountList,
  {
    kinds,
    byTime,
    keyOrder,
    page,
  }: { kinds: readonly number[] | undefined; byTime: boolean; keyOrder: KeyOrder; page: Page },
): Promise<ActionRow[]> {
  const order = inOrder(keyOrder);
  const wanted = page.offset + page.limit;
  const rows = await readMatching<ActionAccountRow, ActionRow>({
    queries,
    wanted,
    after: page.cursor?.after,
    entries(after, limit) {
      const behind = behindKey(keyOrder, after);
      const each = (kinds ?? [undefined]).map(
        (kind) => SQL`(${entryRows(list, behind, kind === undefined ? undefined : SQL`kind = ${kind}`)}
          order by ${order} limit ${limit})`,
      );
      return SQL`select * from (${join(each, " union all ")}) c order by ${order} limit ${limit}`;
    },
    keyOf: (entry) => keyOrder.map(([column]) => keyValue(entry[column.slice(2) as keyof ActionAccountRow])),
    matching: (found, limit) =>
      selectRows(
        queries,
        actions,
        "a",
        SQL`${keyLists(found, entryTypes)} c(${raw(Object.keys(entryTypes).join(", "))}) ${actionOfEntry(list)}
          order by ${order} limit ${limit}`,
        { isPlannedOnce: true },
      ),
  });
  const shown = rows.slice(page.offset);
  noteLast(page, shown, (last) => keyOf(last, byTime));
  return shown;
}

const entryTypes = {
  trace_end_lt: "bigint",
  trace_key: "bigint",
  end_lt: "bigint",
  action_key: "bigint",
  trace_end_utime: "bigint",
  utime_left: "integer",
} as const;

/** The rows of the account's key. They are sorted before actions are read: those of one end may be many. */
function entries(list: AccountList, order: Fragment, ...more: (Fragment | undefined)[]): Fragment {
  return SQL`(${entryRows(list, ...more)} order by ${order} offset 0)`;
}

function entryRows({ account, bounds, times }: AccountList, ...more: (Fragment | undefined)[]): Fragment {
  return SQL`
    select * from action_accounts c
    where ${all(
      SQL`account_key = ${accountKey(account)}`,
      within("trace_end_lt", bounds.from, bounds.to),
      within("trace_end_utime", times.start_utime, times.end_utime),
      ...more,
    )}`;
}

/** Each action by actions_by_lt. */
function actionOfEntry({ account, condition }: AccountList): Fragment {
  return SQL`
    cross join lateral (
      select * from actions
      where trace_end_lt = c.trace_end_lt and hash_prefix(action_id) = c.action_key and ${account} = any(accounts)
        and ${condition} offset 0) a`;
}

/** The kinds of an account's actions that may be listed, each found by a search: action_accounts_by_kind. */
async function listedKinds(
  queries: Queries,
  account: Uint8Array,
  { wanted, ancestors }: NonNullable<AccountList["types"]>,
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
  const shown = { wanted: new Set(wanted), ancestors: new Set(ancestors) };
  return found.map(({ kind }) => kind).filter((kind) => mayBeShown(kind, shown));
}
