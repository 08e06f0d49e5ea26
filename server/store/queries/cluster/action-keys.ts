import SQL from "sql-template-tag";
import { valueAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import { latin1Text } from "../../sql/row-bytes.js";
import { isOneOf } from "../../sql/where.js";
import { hashPrefix } from "../../tables/directories.js";
import {
  type FilterValues,
  form,
  notPartOf,
  ofEntries,
  ofTypes,
  rulesOf,
  type Shape,
} from "../traces/action-statements.js";
import { isActionAt } from "./gathered-rows.js";
import type { KeyList } from "./list-keys.js";

/** An action, and its place in the list. */
export type ActionKey = {
  trace_id: Uint8Array;
  action_id: Uint8Array;
  trace_end_lt: bigint;
  trace_end_utime: number;
  end_lt: bigint;
  end_utime: number;
};

type List = Pick<Shape, "byTime" | "rules" | "lead" | "isNarrowed">;

/** All actions as keys. Types lead to rows by actions_by_type. */
export function actionKeys({ byTime, rules, lead, isNarrowed }: List, values: FilterValues): KeyList {
  const isOfType = lead === "types";
  // In other words no index has rows in this order: that of times would lead to all others too.
  const isSorted = byTime && (isOfType || rules.includes("block") || isNarrowed);
  const ofType = isOfType ? [isOneOf("type", values.types), notPartOf(values)] : [ofTypes(values)];
  return {
    ...{ table: "actions", lt: "trace_end_lt", isSorted },
    columns: "trace_id, action_id, trace_end_lt, trace_end_utime, end_lt, end_utime",
    conditions: [...rulesOf(rules, values, { time: byTime && !isSorted }), ...ofType],
  };
}

/** The entries of an account as keys, those of each kind by themselves: action_accounts_by_lt or _by_kind. */
export function entryKeys({ rules }: Pick<List, "rules">, values: FilterValues): KeyList {
  const own = rules.filter((rule) => ofEntries.includes(rule));
  return {
    ...{ table: "action_accounts", lt: "trace_end_lt", columns: "*, int4um(utime_left) as left_turned" },
    conditions: [SQL`account_key = ${values.account_key}`, ...rulesOf(own, values, { time: false })],
    sides: values.kinds.map((kind) => SQL`kind = ${kind}`),
  };
}

/** The rows of keys, in their order, or their times: actions_by_lt of their shards. */
export async function actionsOfKeys(
  queries: Queries,
  keys: readonly ActionKey[],
  { areTimes }: Pick<Shape, "areTimes">,
): Promise<Record<string, unknown>[]> {
  if (areTimes) return keys.map(({ trace_end_utime }) => ({ time: BigInt(trace_end_utime) }));
  const places = keys.map(({ trace_id, trace_end_lt, action_id }) => ({
    trace_key: hashPrefix(trace_id),
    action_key: hashPrefix(action_id),
    trace_end_lt,
  }));
  const rows = await queries.query<Record<string, unknown> & { own_key: Uint8Array }>(SQL`
    select ${form.chosen}, a.trace_id || a.action_id as own_key from actions a
    where ${isActionAt(places)} and action_id = any(${keys.map(({ action_id }) => action_id)}::bytea[])`);
  const byId = new Map(rows.map((row) => [latin1Text(row.own_key), row]));
  return keys.map(({ trace_id, action_id }) => valueAt(byId, latin1Text(trace_id) + latin1Text(action_id)));
}
