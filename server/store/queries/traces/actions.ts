import SQL, { raw } from "sql-template-tag";
import type { Address } from "../../../../shared/values/address.js";
import { addressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import { isHash, isOneOfHashes } from "../../keys.js";
import { behindCursor, inOrder, type KeyType, keyValue, noteLast } from "../../keyset.js";
import { type ActionRow, actions } from "../../tables/actions.js";
import { hashPrefix } from "../../tables/directories.js";
import { noTraceEnd } from "../../tables/traces.js";
import {
  all,
  anyOf,
  compared,
  type Direction,
  type Fragment,
  given,
  hasTimes,
  isOneOf,
  keyList,
  keyLists,
  ordered,
  type Page,
  paged,
  plannedOnce,
  type TimeBounds,
  within,
} from "../../where.js";
import { narrowedTimes } from "../blocks/block-times.js";
import { blockSpans } from "../blocks/blocks.js";
import { besideRows, nearLocatedMessages, nearTransactionsAt } from "../cluster/near-rows.js";
import { selectRows } from "../rows.js";
import {
  type Located,
  locateActions,
  locatedTransactions,
  locateMessages,
  locateTransactions,
  locationsOf,
  messagesIn,
  type NamedTransaction,
  transactionOf,
} from "../slots/locators.js";
import { type OrderedList, readKeys } from "../slots/offset-bookmarks.js";
import { type Bounds, behind, inSlots, windowsOf } from "../slots/slot-windows.js";
import { readSlots } from "../slots/slots.js";
import { selectOfAccount } from "./account-actions.js";
import { locateTraces, type TracePlace, withPlaces } from "./account-traces.js";

/** Members are named like the parameters. The bounds are of the end of the trace. */
type ActionFilter = TimeBounds & {
  account?: Address | undefined;
  tx_hash?: readonly Uint8Array[] | undefined;
  msg_hash?: readonly Uint8Array[] | undefined;
  action_id?: readonly Uint8Array[] | undefined;
  trace_id?: readonly Uint8Array[] | undefined;
  mc_seqno?: number | undefined;
  types: ActionTypes;
};

/** Which types of actions are listed. */
export type ActionTypes = {
  wanted: readonly string[];
  /** Actions that are part of an action of one of these types are left out. */
  ancestors: readonly string[];
  excluded?: readonly string[] | undefined;
  /** Whether the wanted types are few, so that each is searched by itself. */
  areNamed?: boolean;
};

/** The columns that identify an action, and its place. */
type ActionKey = { trace_end_lt: bigint; trace_id: Uint8Array; action_id: Uint8Array };
/** Its place in the list. */
type ListKey = ActionKey & { end_lt: bigint; trace_end_utime: bigint; end_utime: bigint };

const keyColumns = ["trace_end_lt", "trace_id", "end_lt", "action_id"] as const;
const timeColumns = ["trace_end_utime", "trace_id", "end_utime", "action_id"] as const;

/** By time as actions_by_time has it: all other columns are few for the same trace. */
const timeOrder = ["trace_end_utime", "hash_prefix(trace_id)", "trace_id", "end_utime", "action_id"];

function behindKey(sort: Direction, byTime: boolean, key: ListKey): Fragment {
  if (!byTime)
    return compared(
      sort,
      "behind",
      keyColumns,
      keyColumns.map((column) => key[column]),
    );
  const { trace_end_utime, trace_id, end_utime, action_id } = key;
  const values = [trace_end_utime, hashPrefix(trace_id), trace_id, end_utime, action_id];
  return compared(sort, "behind", timeOrder, values);
}

function typeOf(column: string): KeyType {
  return column.endsWith("_id") ? "hash" : "bigint";
}

/** One page of actions, sorted by the end of their traces. */
export async function listActions(
  queries: Queries,
  asked: ActionFilter,
  page: Page & { sort: Direction },
): Promise<ActionRow[]> {
  const filter = await narrowedTimes(queries, asked, { ofStored: true });
  const named = await namedActions(queries, filter);
  if (named?.isEmpty) return [];
  const search = { filter, named: named?.condition, bounds: await boundsOf(queries, filter, named?.ends) };
  if (filter.account) return selectOfAccount(queries, accountList(search, filter.account), page);
  if (named) return selectNamed(queries, search, page);
  return actionsAt(queries, await readKeys(queries, await actionList(queries, search, page.sort), page));
}

/** All actions of traces, ascending by start and end, as these types are shown. Each trace with its end. */
export async function actionsOfTraces(
  queries: Queries,
  traces: readonly { id: Uint8Array; to: bigint }[],
  types: ActionTypes,
): Promise<ActionRow[]> {
  if (traces.length === 0) return [];
  const ends = traces.map(({ to }) => to);
  return selectRows(
    queries,
    actions,
    "a",
    SQL`unnest(
      ${keyList(
        "bytea",
        traces.map(({ id }) => id),
      )}, ${keyList("bigint", ends)}) wanted(id, end_lt)
    cross join lateral (
      select * from actions
      where ${isHash("trace_id", raw("wanted.id"))} and trace_end_lt = wanted.end_lt and ${ofTypes(types)} offset 0) a
    order by a.start_lt, a.end_lt, a.action_id`,
    { isPlannedOnce: true },
  );
}

/** One action; `undefined` if there is none with this id. By action_locator and actions_by_lt. */
export async function readAction(queries: Queries, id: Uint8Array): Promise<ActionRow | undefined> {
  const ends = await endsOfActions(queries, [id]);
  if (ends.length === 0) return undefined;
  const [row] = await selectRows(
    queries,
    actions,
    "a",
    SQL`actions a where a.trace_end_lt = any(${ends}::bigint[]) and ${isHash("a.action_id", SQL`${id}`)} limit 1`,
  );
  return row;
}

type Search = {
  filter: ActionFilter;
  /** The condition that an action is one of those that the filter names. */
  named: Fragment | undefined;
  /** Bounds of `trace_end_lt`. */
  bounds: Bounds;
};

/** In the order of actions_by_lt, actions_by_time, actions_by_type or actions_by_masterchain. */
async function actionList(
  queries: Queries,
  search: Search,
  sort: Direction,
): Promise<Omit<OrderedList<ListKey>, "countLater">> {
  const { filter, bounds } = search;
  const byTime = hasTimes(filter);
  const columns = byTime ? timeColumns : keyColumns;
  const place = (key: ListKey) => (byTime ? key.trace_end_utime : key.trace_end_lt);
  const slots = await readSlots(queries);
  const span = byTime ? timesOf(filter) : ({ axis: "lt", ...bounds } as const);
  return {
    order: columns.map((column) => [column, typeOf(column)]),
    keys: (page, after, window) => {
      const rows = all(
        ...conditionsOf(search),
        given(window, (known) => inSlots("trace_end_lt", known)),
        given(after, (key) => behindKey(sort, byTime, key)),
      );
      const order = ordered(sort, ...(byTime ? timeOrder : columns));
      const selected = raw([...new Set([...keyColumns, ...timeColumns])].join(", "));
      if (!filter.types.areNamed || byTime)
        return SQL`select ${selected} from actions where ${rows} and ${ofTypes(filter.types)} order by ${order} ${paged(page)}`;
      // No more rows per type than could be on the page.
      return SQL`select one.* from unnest(${filter.types.wanted}::text[]) wanted(type)
        cross join lateral (
          select ${selected} from actions
          where type = wanted.type and ${rows} and ${notPartOf(filter.types)}
          order by ${order} limit ${page.offset + page.limit}) one
        order by ${order} ${paged(page)}`;
    },
    windows: {
      sort,
      areApart: !byTime,
      place,
      of: (after) => windowsOf(slots, sort, behind(span, sort, after && place(after))),
    },
  };
}

/** The few actions that are named, in the partitions of the ends of their traces. */
async function selectNamed(
  queries: Queries,
  search: Search,
  { sort, ...page }: Page & { sort: Direction },
): Promise<ActionRow[]> {
  const { filter } = search;
  const columns = hasTimes(filter) ? timeColumns : keyColumns;
  const order = columns.map((column) => [`a.${column}`, typeOf(column), sort] as const);
  const found = await selectRows(
    queries,
    actions,
    "a",
    SQL`actions a where ${all(...conditionsOf(search), ofTypes(filter.types), behindCursor(order, page))}
    order by ${inOrder(order)} ${paged(page)}`,
    { isPlannedOnce: true },
  );
  noteLast(page, found, (last) => columns.map((column) => keyValue(last[column])));
  return found;
}

function accountList(search: Search, account: Address): Parameters<typeof selectOfAccount>[1] {
  const { filter, named, bounds } = search;
  const { types, mc_seqno } = filter;
  const isOfFew = named !== undefined || mc_seqno !== undefined;
  const wanted = types.wanted.filter((type) => !types.excluded?.includes(type));
  const areTypesNamed = types.areNamed || wanted.length < types.wanted.length;
  return {
    account: addressToBytes(account),
    condition: all(...conditionsOf(search), ofTypes(types)),
    bounds,
    times: filter,
    types: areTypesNamed && !isOfFew ? { wanted, ancestors: types.ancestors } : undefined,
  };
}

/** The rows of keys, in the order of the keys: actions_by_lt. */
async function actionsAt(queries: Queries, keys: readonly ActionKey[]): Promise<ActionRow[]> {
  if (keys.length === 0) return [];
  return selectRows(
    queries,
    actions,
    "a",
    SQL`${keyLists(keys, { trace_id: "bytea", trace_end_lt: "bigint", action_id: "bytea" })}
    with ordinality wanted(trace_id, end_lt, action_id, place)
    cross join lateral (
      select * from actions
      where ${isHash("action_id", raw("wanted.action_id"))} and trace_end_lt = wanted.end_lt
        and trace_id = wanted.trace_id offset 0) a
    order by wanted.place`,
    { isPlannedOnce: true },
  );
}

function timesOf({ start_utime, end_utime }: ActionFilter): Bounds & { axis: "utime" } {
  const bigint = (value: number | undefined) => (value === undefined ? undefined : BigInt(value));
  return { axis: "utime", from: bigint(start_utime), to: bigint(end_utime) };
}

/** Conditions on a row of actions, but those on its type. */
function conditionsOf({ filter, named, bounds }: Search): (Fragment | undefined)[] {
  return [
    named,
    given(filter.mc_seqno, (seqno) => SQL`trace_mc_seqno_end = ${seqno}`),
    within("trace_end_lt", bounds.from, bounds.to),
    within("trace_end_utime", filter.start_utime, filter.end_utime),
  ];
}

function ofTypes(types: ActionTypes): Fragment {
  return all(SQL`type = any(${types.wanted}::text[])`, notPartOf(types));
}

function notPartOf({ ancestors, excluded }: ActionTypes): Fragment {
  return all(
    SQL`not ancestor_type && ${ancestors}::text[]`,
    anyOf(excluded, (words) => SQL`type <> all(${words}::text[])`),
  );
}

/** The bounds of the ends of traces that the filter and the named actions leave. */
async function boundsOf(
  queries: Queries,
  { start_lt, end_lt, mc_seqno }: ActionFilter,
  ends: readonly bigint[] = [],
): Promise<Bounds> {
  const spans = mc_seqno === undefined ? [] : await blockSpans(queries, { mc_seqno });
  const from = [start_lt, least(ends), least(spans.map((span) => span.start_lt))];
  const to = [end_lt, greatest(ends), greatest(spans.map((span) => span.end_lt))];
  const isGiven = (value: bigint | undefined) => value !== undefined;
  return { from: greatest(from.filter(isGiven)), to: least(to.filter(isGiven)) };
}

function least(values: readonly bigint[]): bigint | undefined {
  return values.length === 0 ? undefined : values.reduce((a, b) => (b < a ? b : a));
}

function greatest(values: readonly bigint[]): bigint | undefined {
  return values.length === 0 ? undefined : values.reduce((a, b) => (b > a ? b : a));
}

/** The actions that a filter names, and the ends of their traces. */
type NamedActions = { condition: Fragment; ends: readonly bigint[]; isEmpty: boolean };

/** Rows that the filter names by ids and hashes; `undefined` if it names none. */
async function namedActions(queries: Queries, filter: ActionFilter): Promise<NamedActions | undefined> {
  const conditions: Fragment[] = [];
  let ends: readonly bigint[] | undefined;
  const narrow = (found: readonly bigint[]) => {
    const known = ends && new Set(ends);
    ends = known ? found.filter((end) => known.has(end)) : found;
  };
  if (filter.action_id?.length) {
    conditions.push(isOneOfHashes("action_id", filter.action_id));
    narrow(await endsOfActions(queries, filter.action_id));
  }
  if (filter.trace_id?.length) {
    conditions.push(isOneOfHashes("trace_id", filter.trace_id));
    narrow(endsOf(await locateTraces(queries, filter.trace_id)));
  }
  for (const transactions of await namedTransactions(queries, filter)) {
    const traces = transactions.map(({ trace_id }) => trace_id);
    const hashes = transactions.map(({ tx_hash }) => tx_hash);
    conditions.push(SQL`${isOneOfHashes("trace_id", traces)} and tx_hashes && ${hashes}::bytea[]`);
    narrow(endsOf(transactions));
  }
  return (
    ends && {
      condition: all(...conditions, isOneOf("trace_end_lt", ends)),
      ends,
      isEmpty: ends.length === 0,
    }
  );
}

/** action_locator. */
async function endsOfActions(queries: Queries, ids: readonly Uint8Array[]): Promise<bigint[]> {
  const located = await locateActions(queries, ids);
  return [...new Set(located.map(({ lt }) => lt))];
}

/** Traces that are not complete have no actions. */
function endsOf(places: readonly TracePlace[]): bigint[] {
  return places.map(({ sort_lt }) => sort_lt).filter((end) => end !== noTraceEnd);
}

/** A transaction, and the place of its trace. */
type Placed = NamedTransaction & TracePlace;

/** For each of the two filters by transactions that is given: the transactions that it names. */
async function namedTransactions(queries: Queries, { tx_hash, msg_hash }: ActionFilter): Promise<Placed[][]> {
  const found: Placed[][] = [];
  if (tx_hash?.length)
    found.push(await placed(queries, await locateTransactions(queries, tx_hash), locatedTransactions));
  if (msg_hash?.length) found.push(await placed(queries, await locateMessages(queries, msg_hash), sidesAt));
  return found;
}

async function placed(
  queries: Queries,
  located: readonly Located[],
  transactions: (located: readonly Located[]) => Fragment,
): Promise<Placed[]> {
  if (located.length === 0) return [];
  const near = await besideRows(queries, () => [nearLocatedMessages(located), nearTransactionsAt(located)]);
  return near.query(plannedOnce(withPlaces(transactions(located))));
}

/** The transactions that sent messages, and those that received them. */
function sidesAt(located: readonly Located[]): Fragment {
  const locations = locationsOf(located);
  return SQL`
    select distinct m.tx_hash, m.tx_lt, t.trace_id, t.account
    from ${messagesIn(locations)} ${transactionOf(locations)}`;
}
