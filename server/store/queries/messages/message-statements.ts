import SQL, { raw } from "sql-template-tag";
import { addressToBytes } from "../../address-bytes.js";
import { directions } from "../../codes.js";
import { fixedText, type Places } from "../../sql/fixed-text.js";
import { isFound, isNoAccount } from "../../sql/keys.js";
import {
  all,
  capped,
  code,
  type Direction,
  type Fragment,
  hasLts,
  hasTimes,
  largestBigint,
} from "../../sql/where.js";
import { pageText } from "../accounts/page-extras.js";
import { type locationsOf, messagesIn } from "../slots/locators.js";
import {
  endColumns,
  endNames,
  firstOfSlot,
  isBehind,
  isOfSlot,
  type ListOrder,
  type PageShape,
  type PageValues,
  pageOfSlots,
  sortedBy,
} from "../slots/slot-pages.js";
import type { MessageListFilter } from "./message-filter.js";
import {
  filtersBeside,
  foundByMessages,
  type IndexedFilter,
  indexedFilters,
  indexOf,
  type MessageIndex,
} from "./message-indexes.js";
import {
  everyLt,
  isFirst,
  isOnSide,
  messageLt,
  rowsOf,
  type SideValues,
  shownSides,
  textsOf,
} from "./message-texts.js";

/** The order of most lists, as the indexes of messages have it. */
export const byLt: ListOrder = [
  { name: "key", by: messageLt, type: "bigint" },
  { name: "msg_hash", by: "msg_hash", type: "hash" },
];
/** As messages_by_time has it. */
const inTime: ListOrder = [
  { name: "key", by: "created_at", type: "bigint" },
  { name: "hash_key", by: "hash_prefix(msg_hash)" },
  { name: "msg_hash", by: "msg_hash", type: "hash" },
];
const ofEveryLt: ListOrder = byLt.map((column) =>
  column.by === messageLt ? { ...column, by: everyLt } : column,
);

export function orderOf({ byTime, index }: { byTime: boolean; index: MessageIndex | undefined }): ListOrder {
  if (byTime) return inTime;
  return index ? byLt : ofEveryLt;
}

type FilterValues = SideValues & {
  source: Uint8Array | null;
  destination: Uint8Array | null;
  opcode: number | null;
  body_hash: Uint8Array | null;
  from: bigint;
  to: bigint;
  since: number;
  until: number;
};
type Values = FilterValues & PageValues;

export function valuesOf(filter: MessageListFilter): FilterValues {
  const { source, destination, opcode, body_hash = null, start_lt, end_lt, start_utime, end_utime } = filter;
  return {
    ...{
      source: source ? addressToBytes(source) : null,
      destination: destination ? addressToBytes(destination) : null,
    },
    ...{ opcode: opcode === undefined ? null : opcode | 0, body_hash },
    ...{ from: capped(start_lt ?? 0n), to: capped(end_lt ?? largestBigint) },
    ...{ since: start_utime ?? 0, until: end_utime ?? 2 ** 32 },
    ...shownSides(filter.direction),
  };
}

type Shape = {
  sort: Direction;
  byTime: boolean;
  /** The filters that are given. */
  filters: readonly IndexedFilter[];
  index: MessageIndex | undefined;
  /** Whether the index has rows of no account, which are in order only behind a column that is null. */
  isOfNobody: boolean;
  direction: MessageListFilter["direction"];
  rules: readonly Rule[];
  /** Whether the lt are those of the page already, so that its rows are sorted. */
  isNarrowed: boolean;
};

/** The shape of a statement. */
type PagesShape = Shape & PageShape;

/** A condition that most rows meet. */
type Rule = "lt" | "time" | "internal" | "external";

export function shapeOf(
  filter: MessageListFilter,
  options: Pick<PagesShape, "sort" | "byTime" | "isNarrowed">,
): Omit<PagesShape, "isBehind" | "isKeyed" | "isWhole"> {
  const index = indexOf(filter);
  const rules: Rule[] = [
    ...(hasLts(filter) ? (["lt"] as const) : []),
    ...(hasTimes(filter) ? (["time"] as const) : []),
    ...(filter.exclude_externals ? (["internal"] as const) : []),
    ...(filter.only_externals ? (["external"] as const) : []),
  ];
  const asked = indexedFilters(filter);
  return {
    ...options,
    ...{ filters: asked, index, rules },
    isTested: !options.isNarrowed && filtersBeside(index, asked).length > 0,
    isOfNobody: (index === "source" || index === "destination") && filter[index] === null,
    direction: filter.direction,
  };
}

type Given = Places<FilterValues>;

/** The condition of the index that finds rows, and what it is sorted by before their lt. */
function ledBy(shape: Shape, given: Given): { found?: Fragment; before: readonly string[] } {
  const { index, isOfNobody } = shape;
  if (isOfNobody) return { found: isNoAccount(String(index)), before: [`account_key(${index})`] };
  return { ...(index && { found: isFound(foundByMessages(index, given)) }), before: [] };
}

/** The filters that the index does not have, in words for which the planner has no index. */
function testsOf({ filters, index }: Pick<Shape, "filters" | "index">, given: Given): Fragment | undefined {
  const others = filtersBeside(index, filters);
  return others.length === 0
    ? undefined
    : all(...others.map((name) => SQL`${raw(name)} is not distinct from ${given[name]}`));
}

type RuleOptions = { isNarrowed?: boolean; index?: MessageIndex | undefined };

function ruleOf(rule: Rule, given: Given, { isNarrowed = false, index }: RuleOptions = {}): Fragment {
  if (rule === "lt")
    return SQL`created_lt is not null and ${raw(index ? messageLt : everyLt)} between ${given.from} and ${given.to}`;
  // For the planner no condition of messages_by_time, which has all messages of these times.
  if (rule === "time")
    return isNarrowed
      ? SQL`(created_at between ${given.since} and ${given.until}) is true`
      : SQL`created_at between ${given.since} and ${given.until}`;
  return rule === "internal" ? SQL`created_lt is not null` : SQL`created_lt is null`;
}

/** The rows `m` of a page, with what its statement has of the order. */
function pageRows(shape: PagesShape, given: Places<Values>): Fragment {
  const { sort, isNarrowed, direction, rules } = shape;
  const order = orderOf(shape);
  const tests = testsOf(shape, given);
  const { found, before } = ledBy(shape, given);
  const conditions = [
    isFirst,
    found,
    isOfSlot("tx_lt", given),
    ...rules.map((rule) => ruleOf(rule, given, shape)),
    shape.isBehind ? isBehind(order, sort, given) : undefined,
    direction && isOnSide(direction, given),
    isNarrowed ? tests : undefined,
  ];
  const rows = SQL`messages where ${all(...conditions)}`;
  const search = firstOfSlot(
    {
      select: SQL`*`,
      // The order of time would lead to its index.
      from: isNarrowed ? SQL`(select * from ${rows} offset 0) messages` : rows,
      tests: isNarrowed ? undefined : tests,
      ...{ order, sort, before },
    },
    given,
  );
  return SQL`${pageOfSlots(given, search, { ...shape, order })} m`;
}

export const pages = (shape: PagesShape) =>
  pageText<Values>(
    (given) => {
      const order = orderOf(shape);
      const slot = { from: "m.slot", to: { column: "m.slot_end", last: given.greatest } };
      const of = {
        slot,
        order: sortedBy(order, shape.sort, "m."),
        page: { ...shape, order, row: "m" },
      };
      return textsOf(pageRows(shape, given), of, given);
    },
    { tokens: true, columns: endNames(shape), isInOrder: true },
  );

/** The times of the messages of a page. */
export const times = (shape: PagesShape) =>
  fixedText<Values>((given) => {
    const order = orderOf(shape);
    return SQL`select m.created_at as at${endColumns(order, "m", shape)} from ${pageRows(shape, given)}
      order by ${sortedBy(order, shape.sort, "m.")}`;
  });

/** A message may be named by both of its hashes. */
export const locatedPages = (shape: PagesShape) =>
  pageText<Values & ReturnType<typeof locationsOf>>(
    (given) => {
      const { sort, direction, rules } = shape;
      const order = orderOf(shape);
      const columns = order.map(({ name, by }) => (name === by ? name : `${by} as ${name}`));
      const conditions = [
        direction ? SQL`direction = ${code(directions, direction)}` : isFirst,
        testsOf({ ...shape, index: undefined }, given),
        ...rules.map((rule) => ruleOf(rule, given)),
        shape.isBehind ? isBehind(order, sort, given) : undefined,
      ];
      const page = SQL`(
        select distinct ${raw(columns.join(", "))}, tx_hash, tx_lt, direction, wanted.slot
        from ${messagesIn(given)} where ${all(...conditions)}
        order by ${sortedBy(order, sort)} limit ${given.limit} offset ${given.offset}) page`;
      const of = {
        slot: { from: "page.slot" },
        order: sortedBy(order, sort, "page."),
        page: { ...shape, order, row: "page" },
      };
      return textsOf(rowsOf(page, given), of, given);
    },
    { tokens: true, columns: endNames(shape) },
  );
