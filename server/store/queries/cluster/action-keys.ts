import SQL, { raw } from "sql-template-tag";
import { valueAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import { latin1Text } from "../../sql/row-bytes.js";
import { type Fragment, isOneOf, type Page } from "../../sql/where.js";
import { hashPrefix } from "../../tables/directories.js";
import type { Slot } from "../slots/slots.js";
import {
  type FilterValues,
  form,
  notPartOf,
  ofTypes,
  orderOf,
  rulesOf,
  type Shape,
} from "../traces/action-statements.js";
import { isActionAt } from "./gathered-rows.js";
import { keysOfNodes } from "./list-keys.js";

/** An action, and its place in the list. */
type ActionKey = {
  trace_id: Uint8Array;
  action_id: Uint8Array;
  trace_end_lt: bigint;
  trace_end_utime: number;
  end_lt: bigint;
  end_utime: number;
};

const columns: readonly (keyof ActionKey)[] = [
  "trace_id",
  "action_id",
  "trace_end_lt",
  "trace_end_utime",
  "end_lt",
  "end_utime",
];

type ActionSearch = {
  shape: Pick<Shape, "byTime" | "sort" | "rules" | "lead" | "isNarrowed" | "areTimes">;
  values: FilterValues;
  page: Page;
  /** The slots that may have them. */
  slots: readonly Slot[];
};

/** A page of all actions of a divided index: each shard is asked for keys, then those of the page for the rows. */
export async function actionsOfNodes(
  queries: Queries,
  { shape, values, page, slots }: ActionSearch,
): Promise<Record<string, unknown>[]> {
  const { byTime, sort, areTimes } = shape;
  // In other words no index has rows in this order: that of times would lead to all others too.
  const isSorted = byTime && (shape.lead === "types" || shape.rules.includes("block") || shape.isNarrowed);
  const keys = await keysOfNodes<ActionKey>(queries, {
    ...{
      table: "actions",
      columns: raw(columns.join(", ")),
      conditions: conditionsOf(shape, values, isSorted),
    },
    ...{ order: orderOf({ byTime, isOfAccount: false }), sort, page, axis: byTime ? "utime" : "lt" },
    ...{ lt: "trace_end_lt", slots, isSorted },
  });
  return areTimes
    ? keys.map(({ trace_end_utime }) => ({ time: BigInt(trace_end_utime) }))
    : rowsAt(queries, keys);
}

/** Types lead to rows by actions_by_type. */
function conditionsOf(
  { byTime, rules, lead }: ActionSearch["shape"],
  values: FilterValues,
  isSorted: boolean,
): Fragment[] {
  const ofType = lead === "types" ? [isOneOf("type", values.types), notPartOf(values)] : [ofTypes(values)];
  return [...rulesOf(rules, values, { time: byTime && !isSorted }), ...ofType];
}

/** The rows of keys, in their order: actions_by_lt of their shards. */
async function rowsAt(queries: Queries, keys: readonly ActionKey[]): Promise<Record<string, unknown>[]> {
  if (keys.length === 0) return [];
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
