import SQL, { raw } from "sql-template-tag";
import { codeOf, traceStates } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isAccount, isHash } from "../../sql/keys.js";
import { type Fragment, greatest, keyLists, least, plannedOnce } from "../../sql/where.js";
import { type StoredTraceRow, type TraceRow, traceColumns, traceEnds, traces } from "../../tables/traces.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredEntries, gatheredTraces } from "../cluster/gathered-directories.js";
import { gatheredLocatedMessages, gatheredPlacesAt } from "../cluster/gathered-rows.js";
import { selectRows } from "../rows.js";
import type { Located } from "../slots/located.js";
import {
  locatedTransactions,
  locateTransactions,
  locationsOf,
  messagesIn,
  transactionOf,
} from "../slots/locators.js";
import { isLater, type Later } from "../slots/slots.js";

/** The same as `traceEnds`, of row `t` of traces: end_lt, end_utime. */
export const traceEndsSql: Fragment = raw(`${endOf("end_lt")}, ${endOf("end_utime")}`);

function endOf(column: string): string {
  return `(case when t.state = ${codeOf(traceStates, "pending")} then 9223372036854775807 else t.${column} end)`;
}

/**
 * Makes room for changed rows of stored traces, which are at the places `from`, and sets their ends for all their accounts:
 * primary keys, account_traces_by_trace.
 */
export async function moveTraces(
  queries: Queries,
  moved: readonly { row: TraceRow; from: bigint }[],
): Promise<void> {
  if (moved.length === 0) return;
  const ids = moved.map(({ row }) => row.trace_id);
  const places = moved.map(({ from }) => from);
  const bounds = { from: least(places), to: greatest(places) };
  await queries.query(SQL`
    delete from traces t using unnest(${ids}::bytea[], ${places}::bigint[]) moved(trace_id, sort_lt)
    where t.trace_id = moved.trace_id and t.sort_lt = moved.sort_lt
      and t.sort_lt between ${bounds.from} and ${bounds.to}`);
  const ends = moved.map(({ row }) => traceEnds(row));
  await queries.query(SQL`
    update account_traces a set end_lt = moved.end_lt, end_utime = moved.end_utime
    from unnest(
      ${ids}::bytea[], ${ends.map(({ end_lt }) => end_lt)}::bigint[], ${ends.map(({ end_utime }) => end_utime)}::bigint[]
    ) moved(trace_id, end_lt, end_utime)
    where ${isHash("a.trace_id", raw("moved.trace_id"))} and (a.end_lt, a.end_utime) <> (moved.end_lt, moved.end_utime)`);
}

/** Inserts the rows of `source`, which has all columns of traces but the place. */
export function storeTraces(source: Fragment): Fragment {
  const columns = raw(Object.keys(traceColumns).join(", "));
  return SQL`insert into traces (${columns}, sort_lt)
    select ${columns}, ${raw(endOf("end_lt"))} from ${source} t`;
}

/** Rows `TracePlace` of the stored ones of some traces, of which `named` has the ids: account_traces_by_trace of each part. */
function placesOfIds(named: Fragment): Fragment {
  return SQL`
    select distinct a.trace_id, a.end_lt as sort_lt
    from (${named}) named(id)
    cross join lateral (
      select trace_id, end_lt from account_traces where ${isHash("trace_id", raw("named.id"))} offset 0) a`;
}

/** The queries, of a divided index over these traces and what leads to them. */
export async function besideTracesOf(queries: Queries, ids: readonly Uint8Array[]): Promise<Queries> {
  const entries = await besideRows(queries, () => [gatheredEntries(ids)]);
  return besideRows(entries, async () => [gatheredTraces(await readPlaces(entries, ids))]);
}

/** The places of stored traces. */
export async function placesById(queries: Queries, ids: readonly Uint8Array[]): Promise<TracePlace[]> {
  return readPlaces(await besideRows(queries, () => [gatheredEntries(ids)]), ids);
}

function readPlaces(queries: Queries, ids: readonly Uint8Array[]): Promise<TracePlace[]> {
  return queries.query(placesOfIds(SQL`select unnest(${ids}::bytea[])`));
}

/** The traces at these places, by their ends: primary keys. */
export async function tracesAt(queries: Queries, places: readonly TracePlace[]): Promise<StoredTraceRow[]> {
  if (places.length === 0) return [];
  return selectRows(
    await besideRows(queries, () => [gatheredTraces(places)]),
    traces,
    "t",
    SQL`${keyLists(places, { trace_id: "bytea", sort_lt: "bigint" })} wanted(trace_id, sort_lt)
    cross join lateral (
      select * from traces where trace_id = wanted.trace_id and sort_lt = wanted.sort_lt offset 0) t
    order by t.sort_lt, t.trace_id`,
  );
}

/** Widens the bounds of slots to the ends of traces, which can be those of transactions in other slots. */
export function widenByTraces(named: Fragment): Fragment {
  return widenToEnds(SQL`
    select place.sort_lt, t.end_utime from (${placesOfIds(named)}) place
    cross join lateral (
      select end_utime from traces where trace_id = place.trace_id and sort_lt = place.sort_lt offset 0) t`);
}

/** The same, to ends that are an lt and a time each; a trace without an end has the largest lt, which is in no slot. */
export function widenToEnds(ends: Fragment): Fragment {
  return SQL`
    update slots s set last_utime = greatest(s.last_utime, x.last_utime)
    from (
      select o.from_lt, max(e.utime) as last_utime
      from (${ends}) e(lt, utime) join slots o on o.from_lt <= e.lt and o.to_lt > e.lt
      group by 1) x
    where s.from_lt = x.from_lt and s.last_utime < x.last_utime`;
}

/** The condition that a row of account_traces is of a trace, which is a column, and an account: account_traces_by_trace. */
export function isParticipant(trace: string, account: Fragment): Fragment {
  return SQL`${isHash("trace_id", raw(trace))} and ${isAccount("account", account)}`;
}

/** The primary key of a trace. */
export type TracePlace = { trace_id: Uint8Array; sort_lt: bigint };

/** Rows that name a trace and an account in it, with the place of the trace: account_traces_by_trace. */
export function withPlaces(named: Fragment): Fragment {
  return SQL`
    select named.*, a.end_lt as sort_lt
    from (${named} offset 0) named
    cross join lateral (
      select end_lt from account_traces where ${isParticipant("named.trace_id", raw("named.account"))} offset 0) a`;
}

/** Each trace once, of such rows. */
function placesOf(queries: Queries, named: Fragment): Promise<TracePlace[]> {
  return queries.query(
    plannedOnce(SQL`select distinct trace_id, sort_lt from (${withPlaces(named)}) placed`),
  );
}

/** The queries, of a divided index over the traces of such rows, too. */
export function besideTraces(queries: Queries, named: Fragment): Promise<Queries> {
  return besideRows(queries, async () => [gatheredTraces(await placesOf(queries, named))]);
}

/** The places of the traces of transactions, by transaction hash. Indexes: tx_locator, then transactions_by_lt. */
export async function locateTraces(queries: Queries, hashes: readonly Uint8Array[]): Promise<TracePlace[]> {
  const located = await locateTransactions(queries, hashes);
  if (located.length === 0) return [];
  const gathered = await besideRows(queries, () => gatheredPlacesAt(located));
  return placesOf(gathered, locatedTransactions(located));
}

/** The places of the traces of located messages. */
export async function placesOfMessages(queries: Queries, located: readonly Located[]): Promise<TracePlace[]> {
  return placesOf(await besideMessages(queries, located), namedByMessages(located));
}

/** The queries, of a divided index over located messages, their transactions and traces, and what leads to these. */
export async function besideTracesOfMessages(
  queries: Queries,
  located: readonly Located[],
): Promise<Queries> {
  return besideTraces(await besideMessages(queries, located), namedByMessages(located));
}

function besideMessages(queries: Queries, located: readonly Located[]): Promise<Queries> {
  return besideRows(queries, () => [gatheredLocatedMessages(located), ...gatheredPlacesAt(located)]);
}

function namedByMessages(located: readonly Located[]): Fragment {
  const locations = locationsOf(located);
  return SQL`select t.trace_id, t.account from ${messagesIn(locations)} ${transactionOf(locations)}`;
}

/** Deletes the rows of all traces that end after a masterchain block. */
export const deleteAccountTracesAfter = (later: Later): Fragment => SQL`
  with gone as materialized (select trace_id from traces where ${isLater("sort_lt", "mc_seqno_end", later)})
  delete from account_traces a using gone where ${isHash("a.trace_id", raw("gone.trace_id"))}`;
