import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { isAccount } from "../../sql/keys.js";
import { all } from "../../sql/where.js";
import { inSlots } from "../slots/slot-windows.js";
import type { Slot } from "../slots/slots.js";
import type { TracePlace } from "../traces/account-traces.js";
import { conditionsOf, endUtime, type FilterValues, type Shape } from "../traces/trace-statements.js";
import type { KeyList } from "./list-keys.js";

/** The place of a trace, and its row if that is known. */
export type NamedTrace = TracePlace & { row?: string | null };

/** The places of traces as keys: the shard of an account has those of its traces. */
export function traceKeys(
  { byTime, rules, lead }: Pick<Shape, "byTime" | "rules" | "lead">,
  values: FilterValues,
): KeyList {
  if (lead === "account")
    return {
      ...{ table: "account_traces", lt: "end_lt" },
      columns: "trace_id, end_lt as sort_lt, end_utime as sort_utime",
      conditions: [
        isAccount("account", SQL`${values.account}`),
        ...conditionsOf({ lead, byTime: false, rules }, values),
      ],
    };
  return {
    ...{ table: "traces", columns: `trace_id, sort_lt, ${endUtime} as sort_utime`, isShort: true },
    ...{ conditions: conditionsOf({ lead, byTime, rules }, values), lt: "sort_lt" },
    isSorted: rules.includes("block"),
  };
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
