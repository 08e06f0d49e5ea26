import SQL from "sql-template-tag";
import type { Sql, Transaction } from "../store/database.js";
import { indexChannel, noEnd } from "./ranges.js";

/** Any number that nothing else locks by. */
const joinLock = 7_461_003;

type Boundary = { from: number; chain_from: number; chain_to: number };

/**
 * Connects the traces of neighbouring ranges, as if one worker had read both. A message that one range sent and the
 * other received began a broken trace there, which becomes part of the trace it belongs to. The answer is how many
 * boundaries were closed.
 */
export async function joinRanges(database: Sql): Promise<number> {
  for (let joined = 0; ; joined++) if (!(await joinFirst(database))) return joined;
}

function joinFirst(database: Sql): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await transaction.query(SQL`select pg_advisory_xact_lock(${joinLock})`);
    const boundary = await findBoundary(transaction);
    if (!boundary) return false;
    await connect(transaction, boundary);
    await transaction.query(SQL`
      update index_ranges set joined = true where from_seqno = ${boundary.from}
      returning pg_notify(${indexChannel}, '')`);
    return true;
  });
}

/** The first place where a stored range ends right before one that is stored too, or that is at the head. */
async function findBoundary(transaction: Transaction): Promise<Boundary | undefined> {
  const [boundary] = await transaction.query<Boundary>(SQL`
    select r.from_seqno as "from",
      (select max(from_seqno) from index_ranges where not joined and from_seqno < r.from_seqno) as chain_from,
      coalesce(
        (select min(from_seqno) - 1 from index_ranges where not joined and from_seqno > r.from_seqno),
        ${noEnd}::integer) as chain_to
    from index_ranges r join index_ranges l on l.to_seqno = r.from_seqno - 1
    where not r.joined and l.state = 2 and (r.state = 2 or r.to_seqno = ${noEnd})
    order by r.from_seqno limit 1`);
  if (!boundary) return undefined;
  // Whoever writes to the range at the head has to read its traces again, and waits here until they are changed.
  await transaction.query(SQL`
    update index_ranges set epoch = epoch + 1
    where to_seqno = ${noEnd} and from_seqno between ${boundary.from} and ${boundary.chain_to}`);
  return boundary;
}

async function connect(transaction: Transaction, { from, chain_from, chain_to }: Boundary): Promise<void> {
  await transaction.script(
    "create temp table if not exists stage_joined (like open_edges) on commit delete rows",
  );
  await transaction.script("alter table stage_joined add column if not exists later_trace bytea");
  const statements = [
    SQL`
      insert into stage_joined (msg_hash, trace_id, left_tx, mc_seqno, later_trace)
      select e.msg_hash, e.trace_id, e.left_tx, e.mc_seqno, t.trace_id
      from open_edges e join traces t on t.external_hash = e.msg_hash
      where e.mc_seqno between ${chain_from} and ${from - 1}
        and t.state = 2 and t.mc_seqno_start between ${from} and ${chain_to}`,
    SQL`update transactions t set trace_id = j.trace_id from stage_joined j where t.trace_id = j.later_trace`,
    SQL`update messages m set trace_id = j.trace_id from stage_joined j where m.trace_id = j.later_trace`,
    SQL`delete from open_edges e using stage_joined j where e.msg_hash = j.msg_hash`,
    SQL`update open_edges e set trace_id = j.trace_id from stage_joined j where e.trace_id = j.later_trace`,
    // The edge between both is counted once; it was pending on either side.
    SQL`
      update traces t
      set mc_seqno_end = greatest(t.mc_seqno_end, x.mc_seqno_end), end_lt = greatest(t.end_lt, x.end_lt),
        end_utime = greatest(t.end_utime, x.end_utime), nodes_ = t.nodes_ + x.nodes,
        edges_ = t.edges_ + x.edges, pending_edges_ = t.pending_edges_ + x.pending,
        state = case when t.state = 2 then 2 when t.pending_edges_ + x.pending = 0 then 1 else 0 end,
        classification_state = 0
      from (
        select j.trace_id, max(l.mc_seqno_end) as mc_seqno_end, max(l.end_lt) as end_lt,
          max(l.end_utime) as end_utime, sum(l.nodes_)::integer as nodes,
          sum(l.edges_ + 1)::integer as edges, sum(l.pending_edges_ - 2)::integer as pending
        from stage_joined j join traces l on l.trace_id = j.later_trace
        group by j.trace_id) x
      where t.trace_id = x.trace_id`,
    SQL`delete from traces t using stage_joined j where t.trace_id = j.later_trace`,
  ];
  for (const statement of statements) await transaction.query(statement);
}
