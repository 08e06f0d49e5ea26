import SQL, { empty, raw } from "sql-template-tag";
import { traceStates } from "../../codes.js";
import { fixedText, type Places } from "../../sql/fixed-text.js";
import { isAccount } from "../../sql/keys.js";
import { all, code, type Direction, type Fragment, keyList, ordered } from "../../sql/where.js";
import { noTraceEnd, traces } from "../../tables/traces.js";
import { rowForm } from "../rows.js";
import {
  endColumns,
  firstOfSlot,
  isBehind,
  isOfSlot,
  type ListOrder,
  type PageShape,
  type PageValues,
  pageOfSlots,
  sortedBy,
} from "../slots/slot-pages.js";
import { slotOf } from "../slots/slots.js";
import { isParticipant } from "./account-traces.js";

const complete = code(traceStates, "complete");
// A trace that is not complete has no end yet and counts as newest. traces_by_time is over this very expression.
export const endUtime = `(case when state = ${code(traceStates, "pending").sql} then ${noTraceEnd} else end_utime end)`;

export type Shape = PageShape & {
  sort: Direction;
  byTime: boolean;
  /** What leads to the traces: their slots, the traces of an account, or places that are known. */
  lead: "slots" | "account" | "places";
  rules: readonly Rule[];
};

/** A condition on traces. Their account is none if it leads to them. */
export type Rule = "lt" | "time" | "block" | "account";

export type FilterValues = {
  account: Uint8Array | null;
  mc_seqno: number | null;
  from: bigint;
  to: bigint;
  since: number;
  until: number | bigint;
  /** Bounds of all places. */
  first: bigint;
  greatest: bigint;
};

type Values = FilterValues & PageValues & { ids?: readonly Uint8Array[]; lts?: readonly bigint[] };
type Given = Places<Values>;
/** Places for the values of a filter, or these. */
type Filtered = { readonly [Name in keyof FilterValues]: unknown };

/** By ends, then by ids, as the primary key, traces_by_time and account_traces_by_lt begin: pending traces have one end. */
export function orderOf({ byTime, lead }: Pick<Shape, "byTime" | "lead">): ListOrder {
  const id = { name: "trace_id", by: "trace_id", type: "hash" } as const;
  const ofAccount = lead === "account";
  if (!byTime) return [{ name: "sort_lt", by: ofAccount ? "end_lt" : "sort_lt", type: "bigint" }, id];
  const time = { name: "sort_utime", by: ofAccount ? "end_utime" : endUtime, type: "bigint" } as const;
  return ofAccount ? [time, id] : [time, { name: "trace_key", by: "hash_prefix(trace_id)" }, id];
}

const form = rowForm(traces, "traces");

/** A row of a page; its other columns have names of their own. */
export type Selected = Record<string, unknown> & { slot: bigint };

export function readRow(row: Selected) {
  return { t: form.read(row), slot: row.slot };
}

/** Rows `Selected` of a page. The places come first: primary key, traces_by_time, or account_traces. */
export const pages = (shape: Shape) =>
  fixedText<Values>((given) => {
    const { sort, lead } = shape;
    const isNamed = lead === "places";
    const named = isNamed ? [...conditionsOf(shape, given), behindOf(shape, given)] : [];
    return SQL`
      select ${form.chosen}, ${raw(slotOf("traces.start_lt"))} as slot${endColumns(orderOf(shape), "traces", shape)}
      from ${placesOf(shape, given)}
      cross join lateral (
        select *, ${raw(endUtime)} as sort_utime, hash_prefix(trace_id) as trace_key from traces
        where trace_id = page.trace_id and sort_lt = page.sort_lt
          and sort_lt between ${given.first} and ${given.greatest} and ${all(...named)} offset 0) traces
      order by ${sortedBy(orderOf(shape), sort, "traces.")}
      ${isNamed ? SQL`limit ${given.limit} offset ${given.offset}` : empty}`;
  });

/** An item of a FROM list with the places of the traces of a page, or of all that are named. */
function placesOf(shape: Shape, given: Given): Fragment {
  const { lead, sort, rules } = shape;
  if (lead === "places")
    return SQL`unnest(${keyList("bytea", given.ids)}, ${keyList("bigint", given.lts)}) page(trace_id, sort_lt)`;
  const order = orderOf(shape);
  const behind = behindOf(shape, given);
  if (lead === "account")
    return SQL`(
      select trace_id, end_lt as sort_lt from ${ofAccount(rules, given, behind)}
      order by ${ordered(sort, ...order.map(({ by }) => by))} limit ${given.limit} offset ${given.offset}) page`;
  const rows = (more?: Fragment) =>
    SQL`traces where ${all(...conditionsOf(shape, given), isOfSlot("sort_lt", given), more)}`;
  // Those of a block are few, and sorted.
  const from = rules.includes("block")
    ? SQL`(select * from ${rows()} offset 0) traces where ${all(behind)}`
    : rows(behind);
  const search = firstOfSlot({ select: SQL`trace_id, sort_lt`, from, order, sort }, given);
  return SQL`${pageOfSlots(given, search, { ...shape, order })} page`;
}

/** The table and the conditions of the entries of an account: account_traces_by_lt. */
function ofAccount(rules: readonly Rule[], given: Filtered, behind?: Fragment): Fragment {
  const conditions = conditionsOf({ lead: "account", byTime: false, rules }, given);
  return SQL`account_traces where ${all(isAccount("account", SQL`${given.account}`), ...conditions, behind)}`;
}

/** The times of the ends of an account's first traces, in the order of lt. */
export const endTimes = ({ sort, rules }: Pick<Shape, "sort" | "rules">) =>
  fixedText<FilterValues & { limit: number }>(
    (given) => SQL`
      select end_utime as time from ${ofAccount(rules, given)}
      order by ${ordered(sort, "end_lt")} limit ${given.limit}`,
  );

function behindOf(shape: Shape, given: Given): Fragment | undefined {
  return shape.isBehind ? isBehind(orderOf(shape), shape.sort, given) : undefined;
}

export function conditionsOf(
  { lead, byTime, rules }: Pick<Shape, "lead" | "byTime" | "rules">,
  given: Filtered,
): Fragment[] {
  const [endLt, endTime] = lead === "account" ? ["end_lt", "end_utime"] : ["sort_lt", endUtime];
  const inTime = SQL`${raw(endTime)} between ${given.since} and ${given.until}`;
  const conditions: Record<Rule, Fragment> = {
    lt: SQL`${raw(endLt)} between ${given.from} and ${given.to}`,
    // In other words the planner has no index for it.
    time: byTime && !rules.includes("block") ? inTime : SQL`(${inTime}) is true`,
    block: SQL`mc_seqno_end = ${given.mc_seqno} and state = ${complete}`,
    // By account_traces_by_trace for each trace: a subquery is not made a join.
    account: SQL`(
      select true from account_traces where ${isParticipant("traces.trace_id", SQL`${given.account}`)})`,
  };
  return rules.map((rule) => conditions[rule]);
}
