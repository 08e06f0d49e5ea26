import SQL, { raw } from "sql-template-tag";
import { fixedText, type Places } from "../../sql/fixed-text.js";
import { isHash } from "../../sql/keys.js";
import { all, type Direction, type Fragment, keyList, ordered } from "../../sql/where.js";
import { actions } from "../../tables/actions.js";
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

export type Shape = PageShape & {
  sort: Direction;
  byTime: boolean;
  /** What leads to the actions: their slots, each of some types in these, or the entries of an account, or each kind of them. */
  lead: "slots" | "types" | "account" | "kinds";
  rules: readonly Rule[];
  /** Whether the bounds of lt are those of the page already, so that its rows are sorted. */
  isNarrowed: boolean;
  /** Whether only the times of the ends of traces are read. */
  areTimes: boolean;
};

/** A condition on actions beside their types. The last two are about the account whose actions they are. */
export type Rule = "lt" | "time" | "block" | "initiated" | "notInitiated";

/** The rules that entries of an account have the columns for. */
export const ofEntries: readonly Rule[] = ["lt", "time"];

/** `types` are listed, without actions that are part of an action of the `ancestors`. */
export type FilterValues = {
  account: Uint8Array | null;
  account_key: bigint | null;
  kinds: readonly number[];
  types: readonly string[];
  ancestors: readonly string[];
  mc_seqno: number | null;
  from: bigint;
  to: bigint;
  since: number;
  until: number;
};

type Values = FilterValues & PageValues;
/** Places for the values, or values. */
type Given = { readonly [Name in keyof Values]?: unknown };

/** By the end of the trace, as actions_by_lt, _by_time and _by_type begin: all other columns are few for one trace. */
const ofAll = {
  lt: [
    { name: "trace_end_lt", by: "trace_end_lt", type: "bigint" },
    { name: "trace_id", by: "trace_id", type: "hash" },
    { name: "end_lt", by: "end_lt", type: "bigint" },
    { name: "action_id", by: "action_id", type: "hash" },
  ],
  time: [
    { name: "trace_end_utime", by: "trace_end_utime", type: "bigint" },
    { name: "trace_key", by: "hash_prefix(trace_id)" },
    { name: "trace_id", by: "trace_id", type: "hash" },
    { name: "end_utime", by: "end_utime", type: "bigint" },
    { name: "action_id", by: "action_id", type: "hash" },
  ],
} as const satisfies Record<string, ListOrder>;

/** As action_accounts_by_lt and _by_kind begin. The time left is sorted the other way: its negative value comes first. */
const ofAccount = {
  lt: [
    { name: "trace_end_lt", by: "trace_end_lt", type: "bigint" },
    { name: "trace_key", by: "trace_key", type: "bigint" },
    { name: "end_lt", by: "end_lt", type: "bigint" },
    { name: "action_key", by: "action_key", type: "bigint" },
  ],
  time: [
    { name: "trace_end_utime", by: "trace_end_utime", type: "bigint" },
    { name: "trace_key", by: "trace_key", type: "bigint" },
    { name: "left_turned", by: "int4um(utime_left)" },
    { name: "utime_left", by: "utime_left", type: "integer" },
    { name: "action_key", by: "action_key", type: "bigint" },
  ],
} as const satisfies Record<string, ListOrder>;

export function orderOf({ byTime, isOfAccount }: { byTime: boolean; isOfAccount: boolean }): ListOrder {
  return (isOfAccount ? ofAccount : ofAll)[byTime ? "time" : "lt"];
}

const orderOfShape = ({ byTime, lead }: Pick<Shape, "byTime" | "lead">) =>
  orderOf({ byTime, isOfAccount: lead === "account" || lead === "kinds" });

export const form = rowForm(actions, "a");

/** The columns that are selected of an action `a`. */
export function selected({ areTimes }: Pick<Shape, "areTimes">): Fragment {
  return areTimes ? SQL`a.trace_end_utime as time` : form.chosen;
}

/** Rows of a page, for `form`, or their times. */
export const pages = (shape: Shape) =>
  fixedText<Values>((given) => {
    const order = orderOfShape(shape);
    const from =
      shape.lead === "slots" || shape.lead === "types" ? inSlots(shape, given) : byEntries(shape, given);
    return SQL`select ${selected(shape)}${endColumns(order, "a", shape)} from ${from}`;
  });

/** The keys are searched in slots, then the rows are found by actions_by_lt. */
function inSlots(shape: Shape, given: Places<Values>): Fragment {
  const { lead, sort, byTime, rules } = shape;
  const order = orderOfShape(shape);
  const ofType = lead === "types" ? SQL`type = wanted.type` : undefined;
  const behind = shape.isBehind ? isBehind(order, sort, given) : undefined;
  const isSorted = byTime && (ofType !== undefined || rules.includes("block") || shape.isNarrowed);
  const rows = (...more: (Fragment | undefined)[]) =>
    SQL`actions where ${all(
      ofType,
      isOfSlot("trace_end_lt", given),
      ...rulesOf(rules, given, { time: byTime && !isSorted }),
      ofType ? notPartOf(given) : ofTypes(given),
      ...more,
    )}`;
  const search = firstOfSlot(
    {
      select: SQL`trace_end_lt, trace_end_utime, trace_id, end_lt, end_utime, action_id`,
      from: isSorted ? SQL`(select * from ${rows()} offset 0) actions where ${all(behind)}` : rows(behind),
      ...{ order, sort },
    },
    given,
  );
  const each = ofType && SQL`cross join unnest(${keyList("text", given.types)}) wanted(type)`;
  const page = pageOfSlots(given, search, { ...shape, order, each });
  if (shape.areTimes) return SQL`${page} a`;
  return SQL`${page} page
    cross join lateral (
      select *, hash_prefix(trace_id) as trace_key from actions
      where ${isHash("action_id", raw("page.action_id"))} and trace_end_lt = page.trace_end_lt and trace_id = page.trace_id
        and trace_end_lt between ${given.first} and ${given.greatest} offset 0) a
    order by ${sortedBy(order, sort, "a.")}`;
}

/** Entries are sorted before actions are read: those of one end may be many. */
function byEntries(shape: Shape, given: Given): Fragment {
  const { lead, sort } = shape;
  const order = orderOfShape(shape);
  const found = (entries: Fragment, limit: Fragment) => SQL`(
    select a.*, c.trace_key, c.utime_left, c.left_turned, c.action_key
    from (${entries} offset 0) c ${actionOfEntry(shape, given)}
    order by ${sortedBy(order, sort, "c.")} ${limit}) a`;
  const page = SQL`limit ${given.limit} offset ${given.offset}`;
  if (lead === "account")
    return SQL`${found(entriesOf(shape, given), page)} order by ${sortedBy(order, sort, "a.")}`;
  return SQL`unnest(${keyList("smallint", given.kinds)}) wanted(kind)
    cross join lateral ${found(entriesOf(shape, given, SQL`kind = wanted.kind`), SQL`limit ${given.rows}`)}
    order by ${sortedBy(order, sort, "a.")} ${page}`;
}

/** Entries of the account's key, in order: action_accounts_by_lt or _by_kind. No index has them in the order of time: they are sorted. */
function entriesOf(
  { byTime, sort, rules, isBehind: hasAfter }: Pick<Shape, "byTime" | "sort" | "rules" | "isBehind">,
  given: Given,
  ofKind?: Fragment,
): Fragment {
  const order = orderOf({ byTime, isOfAccount: true });
  const own = rules.filter((rule) => ofEntries.includes(rule));
  const behind = hasAfter ? isBehind(order, sort, given) : undefined;
  const ofKey = all(SQL`account_key = ${given.account_key}`, ofKind, ...rulesOf(own, given, { time: false }));
  const rows = byTime
    ? SQL`(select * from action_accounts where ${ofKey} offset 0) entry where ${all(behind)}`
    : SQL`action_accounts where ${all(ofKey, behind)}`;
  return SQL`select *, int4um(utime_left) as left_turned from ${rows}
    order by ${ordered(sort, ...order.map(({ by }) => by))}`;
}

/** The action of each entry `c`, if it matches: actions_by_lt. */
export function actionOfEntry({ rules }: Pick<Shape, "rules">, given: Given): Fragment {
  return SQL`
    cross join lateral (
      select * from actions
      where ${all(
        SQL`trace_end_lt = c.trace_end_lt and hash_prefix(action_id) = c.action_key`,
        SQL`${given.account} = any(accounts)`,
        ...rulesOf(rules, given, { time: false }),
        ofTypes(given),
      )} offset 0) a`;
}

/** In other words the planner has no index for a time. */
export function rulesOf(
  rules: readonly Rule[],
  given: Given,
  { time: isSearched }: { time: boolean },
): Fragment[] {
  const inTime = SQL`trace_end_utime between ${given.since} and ${given.until}`;
  const conditions: Record<Rule, Fragment> = {
    lt: SQL`trace_end_lt between ${given.from} and ${given.to}`,
    time: isSearched ? inTime : SQL`(${inTime}) is true`,
    block: SQL`trace_mc_seqno_end = ${given.mc_seqno}`,
    initiated: SQL`(${isInitiator(given)}) is true`,
    notInitiated: SQL`(${isInitiator(given)}) is not true`,
  };
  return rules.map((rule) => conditions[rule]);
}

/** The account's transaction is the first one of the trace. */
function isInitiator({ account }: Pick<Given, "account">): Fragment {
  return SQL`accounts[initiator] = ${account}`;
}

/** Likewise for a type. */
export function ofTypes({ types, ancestors }: Pick<Given, "types" | "ancestors">): Fragment {
  return SQL`(type = any(${types}::text[])) is true and ${notPartOf({ ancestors })}`;
}

export function notPartOf({ ancestors }: Pick<Given, "ancestors">): Fragment {
  return SQL`not ancestor_type && ${ancestors}::text[]`;
}

/** The same of some rows. */
export function pageOfNamed(rows: Fragment, shape: Shape, given: Given): Fragment {
  const { sort, rules, lead } = shape;
  const order = orderOfShape(shape);
  return SQL`
    select ${form.chosen}${endColumns(order, "a", shape)}
    from (
      select *, hash_prefix(trace_id) as trace_key, (trace_end_utime - end_utime)::integer as utime_left,
        int4um((trace_end_utime - end_utime)::integer) as left_turned, hash_prefix(action_id) as action_key
      from ${rows} named) a
    where ${all(
      ...rulesOf(rules, given, { time: false }),
      ofTypes(given),
      lead === "account" ? SQL`${given.account} = any(accounts)` : undefined,
      shape.isBehind ? isBehind(order, sort, given) : undefined,
    )}
    order by ${sortedBy(order, sort, "a.")} limit ${given.limit} offset ${given.offset}`;
}
