import SQL, { raw } from "sql-template-tag";
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
import { keysOfNodes } from "./list-keys.js";

type TraceSearch = {
  shape: Pick<Shape, "byTime" | "sort" | "rules">;
  values: FilterValues;
  page: Page;
  /** The slots that may have them, unless it is the page of an account. */
  slots: readonly Slot[] | undefined;
};

/** The place of a trace, and its row if that is known. */
export type NamedTrace = TracePlace & { row?: string | null };

/**
 * The places of a page of traces of a divided index: the shard of an account has them. Of all traces each shard is asked for its
 * first ones, whose rows are short.
 */
export function placesOfNodes(
  queries: Queries,
  { shape, values, page, slots }: TraceSearch,
): Promise<NamedTrace[]> {
  const { byTime, sort, rules } = shape;
  if (!slots) {
    const after = keyBehind(orderOf({ byTime, lead: "account" }), page);
    const from = { ...shape, isBehind: after !== undefined };
    return queries.query(
      plannedOnce(SQL`${entriesOf(from, { ...values, ...afterValues(after) })} ${paged(page)}`),
    );
  }
  // Those before an offset are not needed.
  const row = page.offset === 0 ? "traces::text" : "null";
  return keysOfNodes(queries, {
    ...{ table: "traces", columns: raw(`trace_id, sort_lt, ${endUtime} as sort_utime, ${row} as row`) },
    ...{ conditions: conditionsOf({ lead: "slots", byTime, rules }, values), sort, page, slots },
    ...{ order: orderOf({ byTime, lead: "slots" }), axis: byTime ? "utime" : "lt", lt: "sort_lt" },
    isSorted: rules.includes("block"),
  });
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
