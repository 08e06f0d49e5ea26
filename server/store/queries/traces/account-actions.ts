import SQL from "sql-template-tag";
import type { KeyValue } from "../../../../shared/values/list-cursor.js";
import type { Queries } from "../../database.js";
import { behindCursor, inOrder, type KeyOrder, keyValue, noteLast } from "../../keyset.js";
import { mayBeShown } from "../../tables/action-kinds.js";
import { type ActionRow, actions } from "../../tables/actions.js";
import { hashPrefix } from "../../tables/directories.js";
import {
  all,
  type Direction,
  type Fragment,
  hasTimes,
  keyList,
  ordered,
  type Page,
  paged,
  plannedOnce,
  within,
} from "../../where.js";
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

/** The rows of the account's key. They are sorted before actions are read: those of one end may be many. */
function entries(
  { account, bounds, times }: AccountList,
  order: Fragment,
  ...more: (Fragment | undefined)[]
): Fragment {
  return SQL`(
    select * from action_accounts c
    where ${all(
      SQL`account_key = account_key(${account})`,
      within("trace_end_lt", bounds.from, bounds.to),
      within("trace_end_utime", times.start_utime, times.end_utime),
      ...more,
    )}
    order by ${order} offset 0)`;
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
  const found = await queries.query<{ kind: number }>(
    plannedOnce(SQL`
      with recursive found as (
        select (select min(kind) from action_accounts where account_key = account_key(${account})) as kind
        union all
        select (
          select min(c.kind) from action_accounts c
          where c.account_key = account_key(${account}) and c.kind > found.kind)
        from found where found.kind is not null)
      select kind from found where kind is not null`),
  );
  const shown = { wanted: new Set(wanted), ancestors: new Set(ancestors) };
  return found.map(({ kind }) => kind).filter((kind) => mayBeShown(kind, shown));
}
