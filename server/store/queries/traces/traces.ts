import SQL, { raw } from "sql-template-tag";
import type { Address } from "../../../../shared/values/address.js";
import { addressToBytes } from "../../address-bytes.js";
import { traceStates } from "../../codes.js";
import type { Queries } from "../../database.js";
import { fixedText } from "../../fixed-text.js";
import { isAccount } from "../../keys.js";
import { behindCursor, type KeyOrder, inOrder as keysInOrder, noteLast } from "../../keyset.js";
import { hashPrefix } from "../../tables/directories.js";
import { noTraceEnd, type TraceRecord, traceRecord, traces } from "../../tables/traces.js";
import {
  all,
  code,
  compared,
  type Direction,
  type Fragment,
  given,
  greatest,
  hasTimes,
  keyList,
  least,
  ordered,
  type Page,
  paged,
  plannedOnce,
  type TimeBounds,
  within,
} from "../../where.js";
import { blockSpans } from "../blocks/blocks.js";
import { narrowedLts } from "../blocks/page-times.js";
import { besideRows, nearLocatedMessages, nearTransactionsAt } from "../cluster/near-rows.js";
import { rowForm } from "../rows.js";
import { locateMessages, locationsOf, messagesIn, transactionOf } from "../slots/locators.js";
import { type OrderedList, readKeys } from "../slots/offset-bookmarks.js";
import { type Axis, type Bounds, behind, inSlots, slotsWithin, windowsOf } from "../slots/slot-windows.js";
import { readSlots, type Slot, slotOf } from "../slots/slots.js";
import type { TraceSpan } from "../transactions/transactions.js";
import { isParticipant, locateTraces, placesOf, type TracePlace } from "./account-traces.js";

/** A trace without its transactions, its id as bytes, and the lt of its first and its last transaction. */
export type TraceRow = TraceRecord & TraceSpan;

/** Members are named like the parameters. */
export type TraceFilter = TimeBounds & {
  account?: Address | undefined;
  trace_id?: readonly Uint8Array[] | undefined;
  tx_hash?: readonly Uint8Array[] | undefined;
  msg_hash?: readonly Uint8Array[] | undefined;
  mc_seqno?: number | undefined;
};

// A trace that is not complete has no end yet and counts as newest. traces_by_time is over this very expression.
const pending = code(traceStates, "pending").sql;
const endUtime = `(case when state = ${pending} then ${noTraceEnd} else end_utime end)`;

/** By ends, then by ids, as traces_by_time and the primary key have it: pending traces have one end. */
const timeColumns = [endUtime, "hash_prefix(traces.trace_id)", "traces.trace_id"];
const ltColumns = ["traces.sort_lt", "traces.trace_id"];

function orderOf(sort: Direction, byTime: boolean): Fragment {
  return ordered(sort, ...(byTime ? timeColumns : ltColumns));
}

/** The slot of traces that are not complete. */
const openSlot: Slot = {
  from_lt: noTraceEnd,
  to_lt: noTraceEnd + 1n,
  first_lt: noTraceEnd,
  last_lt: noTraceEnd,
  first_utime: noTraceEnd,
  last_utime: noTraceEnd,
  first_mc_seqno: null,
  last_mc_seqno: null,
};

/** One page of traces. By the primary key, traces_by_time, traces_by_end, or by the places that are looked up first. */
export async function listTraces(
  queries: Queries,
  asked: TraceFilter,
  page: Page & { sort: Direction },
): Promise<TraceRow[]> {
  const byLt = asked.start_lt !== undefined || asked.end_lt !== undefined;
  const byTime = !byLt && hasTimes(asked);
  // A list by lt would otherwise pass over all that is at other times before it finds anything.
  const filter = (byLt && hasTimes(asked) && (await narrowedLts(queries, asked))) || asked;
  if (filter.account && filter.mc_seqno === undefined)
    return ofAccount(queries, { ...filter, account: filter.account }, { ...page, byTime });
  const places = await placesNamed(queries, filter);
  if (places) return named(queries, places, conditionsOf(filter), { ...page, byTime });
  const list = await traceList(queries, filter, { sort: page.sort, byTime });
  return list ? inOrder(queries, await readKeys(queries, list, page)) : [];
}

type TraceKey = TracePlace & { sort_utime: bigint };

/** Columns of the order of keys. */
function keyOrderOf(byTime: boolean): OrderedList<TraceKey>["order"] {
  return [
    [byTime ? "sort_utime" : "sort_lt", "bigint"],
    ["trace_id", "hash"],
  ];
}

function behindKey(sort: Direction, byTime: boolean, { sort_lt, sort_utime, trace_id }: TraceKey): Fragment {
  return byTime
    ? compared(sort, "behind", timeColumns, [sort_utime, hashPrefix(trace_id), trace_id])
    : compared(sort, "behind", ltColumns, [sort_lt, trace_id]);
}

/** The list of the matching traces, which are not named; `undefined` if there cannot be any. */
async function traceList(
  queries: Queries,
  filter: TraceFilter,
  { sort, byTime }: { sort: Direction; byTime: boolean },
): Promise<Omit<OrderedList<TraceKey>, "countLater"> | undefined> {
  const { mc_seqno } = filter;
  const blocks = mc_seqno === undefined ? undefined : await blockSpans(queries, { mc_seqno });
  if (blocks?.length === 0) return undefined;
  const lts = { axis: "lt", from: filter.start_lt, to: filter.end_lt } as const;
  const ofBlocks = blocks && {
    axis: "lt" as const,
    from: least(blocks.map(({ start_lt }) => start_lt)),
    to: greatest(blocks.map(({ end_lt }) => end_lt)),
  };
  const times = timesOf(filter);
  const hasBounds = [lts, times].some(({ from, to }) => from !== undefined || to !== undefined);
  const ended = slotsWithin(slotsWithin(slotsWithin(await readSlots(queries), lts), times), ofBlocks ?? lts);
  const slots = hasBounds || blocks ? ended : [...ended, openSlot];
  const conditions = conditionsOf(filter);
  const order = orderOf(sort, byTime);
  const place = ({ sort_lt, sort_utime }: TraceKey) => (byTime ? sort_utime : sort_lt);
  const axis: Bounds & { axis: Axis } = { axis: byTime ? "utime" : "lt" };
  return {
    order: keyOrderOf(byTime),
    keys: (page, after, window) => SQL`select trace_id, sort_lt, ${raw(endUtime)} as sort_utime from traces
      where ${all(
        ...conditions,
        ofBlocks && within("sort_lt", ofBlocks.from, ofBlocks.to),
        given(window, (known) => inSlots("sort_lt", known)),
        given(after, (key) => behindKey(sort, byTime, key)),
      )}
      order by ${order} ${paged(page)}`,
    windows: {
      sort,
      areApart: !byTime,
      place,
      of: (after) => windowsOf(slots, sort, behind(axis, sort, after && place(after))),
    },
  };
}

type SortedPage = Page & { sort: Direction; byTime: boolean };

/** Matching traces at some places. With a cursor their keys are read first. */
async function named(
  queries: Queries,
  places: readonly TracePlace[],
  conditions: readonly (Fragment | undefined)[],
  { sort, byTime, ...page }: SortedPage,
): Promise<TraceRow[]> {
  const order = orderOf(sort, byTime);
  if (!page.cursor) return select(queries, places, SQL`order by ${order} ${paged(page)}`, conditions);
  if (places.length === 0) return [];
  const keys: OrderedList<TraceKey>["keys"] = (part, after) => SQL`
    select traces.trace_id, traces.sort_lt, ${raw(endUtime)} as sort_utime
    ${rowsOf(valuesOf(places), [...conditions, given(after, (key) => behindKey(sort, byTime, key))])}
    order by ${order} ${paged(part)}`;
  return inOrder(queries, await readKeys(queries, { order: keyOrderOf(byTime), keys }, page));
}

/** The rows at some places that match: primary keys. */
async function select(
  queries: Queries,
  places: readonly TracePlace[],
  rest: Fragment,
  conditions: readonly (Fragment | undefined)[],
): Promise<TraceRow[]> {
  if (places.length === 0) return [];
  return present(await queries.query<Selected>(plannedOnce(rowsAt(valuesOf(places), rest, conditions))));
}

async function inOrder(queries: Queries, places: readonly TracePlace[]): Promise<TraceRow[]> {
  return places.length === 0 ? [] : present(await queries.query<Selected>(rowsInOrder(valuesOf(places))));
}

type Places = { ids: readonly Uint8Array[]; lts: readonly bigint[]; least: bigint; greatest: bigint };

function valuesOf(places: readonly TracePlace[]): Places {
  const lts = places.map(({ sort_lt }) => sort_lt);
  const ids = places.map(({ trace_id }) => trace_id);
  return { ids, lts, least: least(lts), greatest: greatest(lts) };
}

const rowsInOrder = fixedText<Places>((given) => rowsAt(given, SQL`order by wanted.place`));
const form = rowForm(traces, "traces");

function rowsAt(
  given: { [Name in keyof Places]: unknown },
  rest: Fragment,
  conditions: readonly (Fragment | undefined)[] = [],
): Fragment {
  return SQL`
    select ${form.chosen}, ${raw(slotOf("traces.start_lt"))} as slot ${rowsOf(given, conditions)} ${rest}`;
}

function rowsOf(
  given: { [Name in keyof Places]: unknown },
  conditions: readonly (Fragment | undefined)[],
): Fragment {
  return SQL`
    from unnest(${keyList("bytea", given.ids)}, ${keyList("bigint", given.lts)})
      with ordinality wanted(trace_id, sort_lt, place)
    cross join lateral (
      select * from traces
      where ${all(
        SQL`trace_id = wanted.trace_id and sort_lt = wanted.sort_lt`,
        SQL`sort_lt between ${given.least} and ${given.greatest}`,
        ...conditions,
      )} offset 0) traces`;
}

type Selected = Record<string, unknown> & { slot: bigint };

function present(rows: readonly Selected[]): TraceRow[] {
  return rows.map((row) => {
    const t = form.read(row);
    return { id: t.trace_id, from: t.start_lt, to: t.end_lt, slot: row.slot, ...traceRecord.present({ t }) };
  });
}

/** account_traces, whose indexes have the orders of the list, then the traces at their places. */
async function ofAccount(
  queries: Queries,
  { account, start_lt, end_lt, start_utime, end_utime }: TraceFilter & { account: Address },
  { sort, byTime, ...page }: SortedPage,
): Promise<TraceRow[]> {
  const order: KeyOrder = [
    [byTime ? "end_utime" : "account_traces.end_lt", "bigint", sort],
    ["trace_id", "hash", sort],
  ];
  const isByBoth = !byTime && hasTimes({ start_utime, end_utime });
  const span = isByBoth ? await ltOfTimes(queries, { start_utime, end_utime }) : undefined;
  const keys = SQL`
    select trace_id, end_lt as sort_lt, end_utime as sort_utime from account_traces
    where ${all(
      isAccount("account", SQL`${addressToBytes(account)}`),
      given(span, ({ from, to }) => SQL`end_lt >= ${from} and end_lt < ${to}`),
      endWithin("end_lt", start_lt, end_lt),
      endWithin("end_utime", start_utime, end_utime),
      behindCursor(order, page),
    )}
    order by ${keysInOrder(order)} ${paged(page)}`;
  // By lt or by time alone, an index has exactly these rows, in this order.
  const found = await queries.query<TraceKey>(plannedOnce(keys, !isByBoth));
  noteLast(page, found, (last) => [byTime ? last.sort_utime : last.sort_lt, last.trace_id]);
  return inOrder(queries, found);
}

function timesOf({ start_utime, end_utime }: TimeBounds): Bounds & { axis: Axis } {
  const toBigint = (value: number | undefined) => (value === undefined ? undefined : BigInt(value));
  return { axis: "utime", from: toBigint(start_utime), to: toBigint(end_utime) };
}

/** The lt that traces of some times can end at, by the slots they are in; `to` is exclusive. */
async function ltOfTimes(queries: Queries, times: TimeBounds): Promise<{ from: bigint; to: bigint }> {
  const found = slotsWithin(await readSlots(queries), timesOf(times));
  return { from: found[0]?.from_lt ?? 0n, to: found.at(-1)?.to_lt ?? 0n };
}

/** A trace that is not complete has no end, and is within no bounds. */
function endWithin(
  column: string,
  from: bigint | number | undefined,
  to: bigint | number | undefined,
): Fragment | undefined {
  if (from === undefined && to === undefined) return undefined;
  return within(column, from, to !== undefined && to < noTraceEnd ? to : noTraceEnd - 1n);
}

/** Members are named like the parameters. */
export type TraceNames = Pick<TraceFilter, "trace_id" | "tx_hash" | "msg_hash">;

/** The places of the traces that the filter names; `undefined` if it names none. tx_locator, msg_locator, account_traces. */
async function placesNamed(
  queries: Queries,
  { trace_id, tx_hash, msg_hash }: TraceNames,
): Promise<TracePlace[] | undefined> {
  const transactions = trace_id?.length ? trace_id : tx_hash;
  if (transactions?.length) return locateTraces(queries, transactions);
  if (!msg_hash?.length) return undefined;
  const located = await locateMessages(queries, msg_hash);
  if (located.length === 0) return [];
  const locations = locationsOf(located);
  const near = await besideRows(queries, () => [nearLocatedMessages(located), nearTransactionsAt(located)]);
  return placesOf(
    near,
    SQL`select t.trace_id, t.account from ${messagesIn(locations)} ${transactionOf(locations)}`,
  );
}

function conditionsOf(filter: TraceFilter): (Fragment | undefined)[] {
  return [
    // By account_traces_by_trace for each trace of the masterchain block: a subquery is not made a join.
    given(
      filter.account,
      (account) => SQL`(
        select true from account_traces
        where ${isParticipant("traces.trace_id", SQL`${addressToBytes(account)}`)})`,
    ),
    given(
      filter.mc_seqno,
      (seqno) => SQL`mc_seqno_end = ${seqno} and state = ${code(traceStates, "complete")}`,
    ),
    endWithin(endUtime, filter.start_utime, filter.end_utime),
    endWithin("sort_lt", filter.start_lt, filter.end_lt),
  ];
}
