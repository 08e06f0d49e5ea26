import SQL, { raw } from "sql-template-tag";
import { classificationStates, traceStates } from "../codes.js";
import type { Transaction } from "../database.js";
import type { Table } from "../declare/table.js";
import { tables } from "../tables.js";
import { code, type Fragment } from "../where.js";
import { joinAccountTraces, storeTraces, widenByTraces } from "./account-traces.js";
import type { Boundary } from "./index-ranges.js";

const pending = code(traceStates, "pending");
const complete = code(traceStates, "complete");
const broken = code(traceStates, "broken");
const unclassified = code(classificationStates, "unclassified");

/**
 * Makes broken traces behind a boundary, which begin with a message whose sender lies before it, part of the sender's
 * traces.
 */
export async function joinTraces(transaction: Transaction, boundary: Boundary): Promise<void> {
  await transaction.script(
    "create temp table if not exists stage_joined (like open_edges) on commit delete rows",
  );
  await transaction.script("alter table stage_joined add column if not exists later_trace bytea");
  const statements = [
    collectJoined(boundary),
    SQL`delete from open_edges e using stage_joined j where e.msg_hash = j.msg_hash`,
    ...Object.values(tables).flatMap(renameTrace),
    addLaterTraces,
    joinAccountTraces,
    widenByTraces(SQL`(select trace_id from stage_joined)`),
  ];
  for (const statement of statements) await transaction.query(statement);
}

/** Open edges before the boundary with the broken trace that each leads to. */
function collectJoined({ from, chain_from, chain_to }: Boundary): Fragment {
  return SQL`
    insert into stage_joined (msg_hash, trace_id, left_tx, mc_seqno, later_trace)
    select e.msg_hash, e.trace_id, e.left_tx, e.mc_seqno, t.trace_id
    from open_edges e join traces t on t.external_hash = e.msg_hash
    where e.mc_seqno between ${chain_from} and ${from - 1}
      and t.state = ${broken} and t.mc_seqno_start between ${from} and ${chain_to}`;
}

function renameTrace({ name, traceColumn }: Table): Fragment[] {
  if (traceColumn === undefined) return [];
  const column = raw(traceColumn);
  return [
    SQL`update ${raw(name)} r set ${column} = j.trace_id from stage_joined j where r.${column} = j.later_trace`,
  ];
}

/**
 * The edge between two traces was pending on either side, and is counted once now. Rows are deleted and inserted, as the
 * end of a trace is its place: a row that an UPDATE moves makes those who wait for its lock fail.
 */
const addLaterTraces = SQL`
  with gone as (
    delete from traces t
    where t.trace_id in (select trace_id from stage_joined union select later_trace from stage_joined)
    returning t.*),
  later as (
    select j.trace_id, max(l.mc_seqno_end) as mc_seqno_end, max(l.end_lt) as end_lt,
      max(l.end_utime) as end_utime, sum(l.nodes_)::integer as nodes,
      sum(l.edges_ + 1)::integer as edges, sum(l.pending_edges_ - 2)::integer as pending
    from stage_joined j join gone l on l.trace_id = j.later_trace
    group by j.trace_id),
  joined as (
    select t.trace_id, t.external_hash, t.external_hash_norm, t.mc_seqno_start, t.start_lt, t.start_utime,
      greatest(t.mc_seqno_end, x.mc_seqno_end) as mc_seqno_end, greatest(t.end_lt, x.end_lt) as end_lt,
      greatest(t.end_utime, x.end_utime) as end_utime, t.nodes_ + x.nodes as nodes_,
      t.edges_ + x.edges as edges_, t.pending_edges_ + x.pending as pending_edges_,
      case when t.state = ${broken} then ${broken}
        when t.pending_edges_ + x.pending = 0 then ${complete} else ${pending} end as state,
      ${unclassified} as classification_state
    from gone t join later x on x.trace_id = t.trace_id)
  ${storeTraces(SQL`joined`)}`;
