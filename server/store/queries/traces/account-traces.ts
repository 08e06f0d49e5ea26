import SQL, { raw } from "sql-template-tag";
import { codeOf, traceStates } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isAccount, isHash } from "../../sql/keys.js";
import { type Fragment, greatest, least, plannedOnce } from "../../sql/where.js";
import { type TraceRow, traceColumns, traceEnds } from "../../tables/traces.js";
import { besideRows, gatheredTransactionsAt } from "../cluster/gathered-rows.js";
import { locatedTransactions, locateTransactions } from "../slots/locators.js";
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
export function placesOfIds(named: Fragment): Fragment {
  return SQL`
    select distinct a.trace_id, a.end_lt as sort_lt
    from (${named}) named(id)
    cross join lateral (
      select trace_id, end_lt from account_traces where ${isHash("trace_id", raw("named.id"))} offset 0) a`;
}

/** Widens the bounds of slots to the ends of traces, which can be those of transactions in other slots. */
export function widenByTraces(named: Fragment): Fragment {
  return SQL`
    update slots s set last_utime = greatest(s.last_utime, x.last_utime)
    from (
      select o.from_lt, max(t.end_utime) as last_utime
      from (${placesOfIds(named)}) place
      join slots o on o.from_lt <= place.sort_lt and o.to_lt > place.sort_lt
      cross join lateral (
        select end_utime from traces where trace_id = place.trace_id and sort_lt = place.sort_lt offset 0) t
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
export function placesOf(queries: Queries, named: Fragment): Promise<TracePlace[]> {
  return queries.query(
    plannedOnce(SQL`select distinct trace_id, sort_lt from (${withPlaces(named)}) placed`),
  );
}

/** The places of the traces of transactions, by transaction hash. Indexes: tx_locator, then transactions_by_lt. */
export async function locateTraces(queries: Queries, hashes: readonly Uint8Array[]): Promise<TracePlace[]> {
  const located = await locateTransactions(queries, hashes);
  if (located.length === 0) return [];
  const gathered = await besideRows(queries, () => [gatheredTransactionsAt(located)]);
  return placesOf(gathered, locatedTransactions(located));
}

/** Deletes the rows of all traces that end after a masterchain block. */
export const deleteAccountTracesAfter = (later: Later): Fragment => SQL`
  delete from account_traces
  where (hash_prefix(trace_id), trace_id) in (
    select hash_prefix(trace_id), trace_id from traces where ${isLater("sort_lt", "mc_seqno_end", later)})`;

/**
 * Makes the rows of joined traces those of one. `stage_joined` has pairs of a trace, with its place, and the later one that it
 * took in.
 */
export const joinAccountTraces: Fragment = SQL`
  with gone as (
    delete from account_traces a
    using (
      select j.trace_id, j.place, part.id
      from stage_joined j cross join unnest(array[j.trace_id, j.later_trace]) part(id)) j
    where ${isHash("a.trace_id", raw("j.id"))}
    returning a.account, j.trace_id, j.place)
  insert into account_traces (account, end_lt, end_utime, trace_id)
  select distinct gone.account, ${traceEndsSql}, t.trace_id
  from gone cross join lateral (
    select * from traces where trace_id = gone.trace_id and sort_lt = gone.place offset 0) t`;
