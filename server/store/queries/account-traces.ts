import SQL, { raw } from "sql-template-tag";
import { codeOf, traceStates } from "../codes.js";
import type { Queries } from "../database.js";
import { type TraceRow, traceEnds } from "../tables/traces.js";
import type { Fragment } from "../where.js";

/** The same as `traceEnds`, of row `t` of traces: end_lt, end_utime. */
export const traceEndsSql: Fragment = raw(`${endOf("end_lt")}, ${endOf("end_utime")}`);

function endOf(column: string): string {
  return `(case when t.state = ${codeOf(traceStates, "pending")} then 9223372036854775807 else t.${column} end)`;
}

/** Sets the ends of stored traces for all their accounts: account_traces_by_trace. */
export async function moveAccountTraces(queries: Queries, traces: readonly TraceRow[]): Promise<void> {
  if (traces.length === 0) return;
  const ids = traces.map(({ trace_id }) => trace_id);
  const ends = traces.map(traceEnds);
  await queries.query(SQL`
    update account_traces a set end_lt = moved.end_lt, end_utime = moved.end_utime
    from unnest(
      ${ids}::bytea[], ${ends.map(({ end_lt }) => end_lt)}::bigint[], ${ends.map(({ end_utime }) => end_utime)}::bigint[]
    ) moved(trace_id, end_lt, end_utime)
    where a.trace_id = moved.trace_id and (a.end_lt, a.end_utime) <> (moved.end_lt, moved.end_utime)`);
}

/** Deletes the rows of all traces that end after a masterchain block. */
export const deleteAccountTracesAfter = (seqno: number): Fragment => SQL`
  delete from account_traces
  where trace_id in (select trace_id from traces where mc_seqno_end > ${seqno})`;

/** Makes the rows of joined traces those of one. `stage_joined` has pairs of a trace and the later one that it took in. */
export const joinAccountTraces: Fragment = SQL`
  with gone as (
    delete from account_traces a using stage_joined j where a.trace_id in (j.trace_id, j.later_trace)
    returning a.account, j.trace_id)
  insert into account_traces (account, end_lt, end_utime, trace_id)
  select distinct gone.account, ${traceEndsSql}, t.trace_id from gone join traces t on t.trace_id = gone.trace_id`;
