import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { all, type Page, paged, plannedOnce } from "../../sql/where.js";
import { afterValues, keyBehind } from "../slots/slot-pages.js";
import { inSlots } from "../slots/slot-windows.js";
import type { Slot } from "../slots/slots.js";
import type { TracePlace } from "../traces/account-traces.js";
import {
  conditionsOf,
  endUtime,
  entriesOf,
  type FilterValues,
  orderOf,
  type Shape,
} from "../traces/trace-statements.js";
import type { KeyList } from "./list-keys.js";

/** The place of a trace, and its row if that is known. */
export type NamedTrace = TracePlace & { row?: string | null };

type List = Pick<Shape, "byTime" | "sort" | "rules">;

/** The places of all traces as keys. */
export function traceKeys({ byTime, rules }: List, values: FilterValues): KeyList {
  return {
    ...{ table: "traces", columns: `trace_id, sort_lt, ${endUtime} as sort_utime`, isShort: true },
    ...{ conditions: conditionsOf({ lead: "slots", byTime, rules }, values), lt: "sort_lt" },
    isSorted: rules.includes("block"),
  };
}

/** The places of a page of an account's traces in a divided index: its shard has them. */
export function placesOfAccount(
  queries: Queries,
  list: List,
  values: FilterValues,
  page: Page,
): Promise<NamedTrace[]> {
  const after = keyBehind(orderOf({ byTime: list.byTime, lead: "account" }), page);
  const entries = entriesOf({ ...list, isBehind: after !== undefined }, { ...values, ...afterValues(after) });
  return queries.query(plannedOnce(SQL`${entries} ${paged(page)}`));
}

/** The places of all traces of the filter's block, in a divided index. */
export async function placesInBlock(
  queries: Queries,
  values: FilterValues,
  slots: readonly Slot[],
): Promise<TracePlace[]> {
  if (slots.length === 0) return [];
  const ofBlock = conditionsOf({ lead: "slots", byTime: false, rules: ["block"] }, values);
  return queries.query(SQL`
    select trace_id, sort_lt from traces where ${all(...ofBlock, inSlots("sort_lt", slots))}`);
}
