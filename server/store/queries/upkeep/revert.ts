import SQL, { raw } from "sql-template-tag";
import { classificationStates, directions, traceStates } from "../../codes.js";
import type { Queries, Transaction } from "../../database.js";
import type { Table } from "../../declare/table.js";
import { isHash } from "../../sql/keys.js";
import { code, type Fragment, keyLists, largestBigint, plannedOnce } from "../../sql/where.js";
import { tables } from "../../tables/all-tables.js";
import { type TraceRow, traceColumns, traceEnds } from "../../tables/traces.js";
import { type RowFinder, rowFinder } from "../cluster/divided-clauses.js";
import { selectJoined } from "../rows.js";
import { deleteEmptied } from "../slots/emptied-slots.js";
import { holdSlots, isLater, type Later, laterThan } from "../slots/slots.js";
import { deleteTokenSlots } from "../tokens/token-slots.js";
import { deleteAccountTracesAfter, widenToEnds } from "../traces/account-traces.js";
import { revertLateEvents } from "./late-events.js";

const pending = code(traceStates, "pending");
const complete = code(traceStates, "complete");
const broken = code(traceStates, "broken");
const unclassified = code(classificationStates, "unclassified");
const inbound = code(directions, "in");
const outbound = code(directions, "out");

/** An account with its last transaction up to a block, and the time of that. */
type LastTransaction = {
  account: Uint8Array;
  hash: Uint8Array | null;
  lt: bigint | null;
  now: bigint | null;
};

/**
 * The accounts that changed after a masterchain block, and those that changed at its time: blocks with edits may have the
 * time of the block before. In a snapshot it is planned once per connection. The transaction before the first later one is
 * named by it, unless the account did not exist in between.
 */
export async function readChangedAccounts(queries: Queries, seqno: number): Promise<LastTransaction[]> {
  const later = await laterThan(queries, seqno);
  const statement = SQL`
    with changed as materialized (
      select account, min(lt) as lt, coalesce(nullif(min(lt), 0), ${largestBigint}) as to_lt
      from (
        select account, prev_trans_lt as lt from transactions where ${isLater("lt", "mc_block_seqno", later)}
        union all
        select account, coalesce(last_trans_lt, 0) from latest_account_states
        where timestamp >= coalesce(
          (select gen_utime from blocks where workchain = -1 and seqno = ${seqno}),
          (select value::bigint from index_meta where key = 'zero_state_utime'))) each
      group by account),
    last as materialized (
      select distinct on (t.account) t.account, t.hash, t.lt, t.now
      from changed c join transactions t on t.account = c.account and t.lt between c.lt and c.to_lt
      where t.mc_block_seqno <= ${seqno}
      order by t.account, t.lt desc)
    select changed.account, last.hash, last.lt, last.now from changed left join last using (account)`;
  return queries.query<LastTransaction>(plannedOnce(statement));
}

/**
 * Deletes what came after a masterchain block, and all rows that are kept per account of these accounts. Returns the traces
 * that began before it, with the counts and ends they had at it: they are to be stored again.
 */
export async function deleteAfter(
  transaction: Transaction,
  seqno: number,
  accounts: readonly Uint8Array[],
): Promise<TraceRow[]> {
  if (!(await transaction.isDivided())) await transaction.query(planOnce);
  // Directories name slots, of which none may be merged meanwhile.
  await holdSlots(transaction, 0n, largestBigint);
  const later = await laterThan(transaction, seqno);
  const rowWith = await rowFinder(transaction);
  await transaction.write([
    ...deleteLocators(later),
    ...takeOffHours(later),
    countAccountSlots(later),
    deleteAccountSlots(later, rowWith),
    deleteAccountTracesAfter(later),
    deleteTokenSlots(later, rowWith),
    ...deleteActionDirectories(later),
    ...revertLateEvents(seqno),
    ...Object.values(tables).flatMap((table) => deleteRows(table, later, accounts)),
    reopenEdges(later),
  ]);
  const cut = await recountTraces(transaction, later);
  if (cut.length === 0) return cut;
  const ends = cut.map((trace) => ({ ...trace, ...traceEnds(trace) }));
  await transaction.write([
    SQL`delete from traces where ${isCut(later)}`,
    listParticipants(ends),
    widenToEnds(SQL`select end_lt, end_utime from ${traceLists(ends)}`),
  ]);
  return cut;
}

/**
 * Planning the statements of a revert takes longer than running them, so they are planned once per connection. Such plans
 * do not know how few rows follow a block, and would read whole tables. Citus plans for values alone.
 */
const planOnce = SQL`
  select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
    set_config('jit', 'off', true)`;

function deleteRows(
  { name, revertBy, partitionBy }: Table,
  later: Later,
  accounts: readonly Uint8Array[],
): Fragment[] {
  if (revertBy === undefined) return [];
  const { seqno } = later;
  const from = SQL`delete from ${raw(name)}`;
  if ("account" in revertBy) return [SQL`${from} where ${raw(revertBy.account)} = any(${accounts}::bytea[])`];
  if ("first" in revertBy) {
    const [first, last] = [raw(revertBy.first), raw(revertBy.last)];
    return [
      SQL`${from} where ${first} > ${seqno}`,
      SQL`update ${raw(name)} set ${last} = ${seqno} where ${last} > ${seqno}`,
    ];
  }
  const { block } = revertBy;
  return [
    SQL`${from} where ${partitionBy ? isLater(partitionBy, block, later) : SQL`${raw(block)} > ${seqno}`}`,
  ];
}

// Nodes of a cluster delete and change rows by keys that the coordinator knows, so keys are selected first.

/** The locators of blocks, transactions and messages after a block. */
function deleteLocators(later: Later): Fragment[] {
  return [
    SQL`with gone as materialized (
      select hash_prefix(found.hash) as hash_prefix, start_lt
      from blocks cross join unnest(array[root_hash, file_hash]) found(hash)
      where ${isLater("start_lt", "mc_block_seqno", later)})
    delete from block_locator l using gone where l.hash_prefix = gone.hash_prefix and l.start_lt = gone.start_lt`,
    SQL`with gone as materialized (
      select hash_prefix(hash) as hash_prefix, lt from transactions where ${isLater("lt", "mc_block_seqno", later)})
    delete from tx_locator l using gone where l.hash_prefix = gone.hash_prefix and l.lt = gone.lt`,
    SQL`with gone as materialized (
      select hash_prefix(found.hash) as hash_prefix, tx_lt
      from messages cross join unnest(array[msg_hash, msg_hash_norm]) found(hash)
      where ${isLater("tx_lt", "mc_seqno", later)})
    delete from msg_locator l using gone where l.hash_prefix = gone.hash_prefix and l.tx_lt = gone.tx_lt`,
  ];
}

/** Takes the blocks after a block off the sums of their hours. Hours without blocks have no row. */
function takeOffHours(later: Later): Fragment[] {
  return [
    SQL`
      update block_hours h
      set n = h.n - gone.n, tx_count = h.tx_count - gone.tx_count, total_fees = h.total_fees - gone.total_fees
      from (
        select gen_utime / 3600 * 3600 as utime, count(*) as n, sum(tx_count) as tx_count, sum(total_fees) as total_fees
        from blocks where ${isLater("start_lt", "mc_block_seqno", later)} group by 1) gone
      where h.utime = gone.utime`,
    SQL`delete from block_hours where n = 0`,
  ];
}

/** Takes the transactions after a block off the counts of the slots of their accounts. */
function countAccountSlots(later: Later): Fragment {
  return SQL`
    with gone as materialized (
      select t.account, s.from_lt, count(*)::integer as n
      from transactions t join slots s on t.lt >= s.from_lt and t.lt < s.to_lt
      where ${isLater("t.lt", "t.mc_block_seqno", later)} group by 1, 2)
    update account_slots a set n = a.n - gone.n from gone
    where a.account = gone.account and a.from_lt = gone.from_lt`;
}

const messageSides = ["source", "destination"].map((party) => ({ name: "messages", party }));

/** Slots that have nothing of an account from before: no transaction by their counts, and no message from or to it. */
function deleteAccountSlots(later: Later, rowWith: RowFinder): Fragment {
  return deleteEmptied("account_slots", later, {
    sources: messageSides,
    rowWith,
    others: SQL`select account from transactions where ${isLater("lt", "mc_block_seqno", later)}`,
    only: SQL`a.n = 0`,
  });
}

/** Index entries of actions whose trace ended after a block. */
function deleteActionDirectories(later: Later): Fragment[] {
  const isGone = isLater("trace_end_lt", "trace_mc_seqno_end", later);
  return [
    SQL`with gone as materialized (
      select account_key(account) as account_key, trace_end_lt, hash_prefix(action_id) as action_key
      from actions cross join unnest(accounts) account where ${isGone})
    delete from action_accounts c using gone
    where c.account_key = gone.account_key and c.trace_end_lt = gone.trace_end_lt and c.action_key = gone.action_key`,
    SQL`with gone as materialized (
      select hash_prefix(action_id) as hash_prefix, trace_end_lt from actions where ${isGone})
    delete from action_locator l using gone
    where l.hash_prefix = gone.hash_prefix and l.trace_end_lt = gone.trace_end_lt`,
  ];
}

/** A trace that ended after a block. Those that began after it are deleted first. */
function isCut(later: Later): Fragment {
  return isLater("sort_lt", "mc_seqno_end", later);
}

/** Such traces and their transactions up to the block, for the beginning of a statement. */
function cutTraces(later: Later): Fragment {
  return SQL`
    with cut as materialized (select * from traces where ${isCut(later)}),
    parts as materialized (
      select x.trace_id, x.hash, x.lt, x.now, x.mc_block_seqno
      from cut t join transactions x on ${isHash("x.trace_id", raw("t.trace_id"))} and x.lt >= t.start_lt)`;
}

const ofParts = SQL`parts x join messages o on ${isHash("o.tx_hash", raw("x.hash"))} and o.tx_lt = x.lt`;

/** Messages that were received only after the block are open again. */
function reopenEdges(later: Later): Fragment {
  return SQL`
    ${cutTraces(later)},
    sent as materialized (
      select o.msg_hash, x.trace_id, o.tx_hash, o.tx_lt, o.mc_seqno from ${ofParts}
      where o.direction = ${outbound} and o.destination is not null),
    received as materialized (
      select i.msg_hash from sent join messages i on ${isHash("i.msg_hash", raw("sent.msg_hash"))}
      where i.direction = ${inbound} and i.tx_lt >= sent.tx_lt)
    insert into open_edges (msg_hash, trace_id, left_tx, mc_seqno)
    select msg_hash, trace_id, tx_hash, mc_seqno from sent
    where msg_hash not in (select msg_hash from received)
    on conflict do nothing`;
}

/** The message that leads into a broken trace is pending, and none of its edges. */
async function recountTraces(transaction: Transaction, later: Later): Promise<TraceRow[]> {
  const rows = await selectJoined(
    transaction,
    { t: traceColumns },
    SQL`(
      ${cutTraces(later)},
      nodes as (
        select trace_id, count(*)::integer as nodes_, max(mc_block_seqno) as mc_seqno_end, max(lt) as end_lt,
          max(now) as end_utime
        from parts group by trace_id),
      edges as materialized (
        select x.trace_id, count(*) filter (where o.direction = ${inbound})::integer as received,
          count(*) filter (where o.direction = ${outbound} and o.destination is null)::integer as logs
        from ${ofParts} group by x.trace_id),
      open as (
        select t.trace_id, count(*)::integer as n
        from cut t join open_edges e on ${isHash("e.trace_id", raw("t.trace_id"))} group by t.trace_id)
      select t.trace_id, t.external_hash, t.external_hash_norm, t.mc_seqno_start, t.start_lt, t.start_utime,
        n.mc_seqno_end, n.end_lt, n.end_utime, n.nodes_,
        coalesce(m.received, 0) - (t.state = ${broken})::integer + coalesce(m.logs, 0) as edges_,
        coalesce(e.n, 0) + (t.state = ${broken})::integer as pending_edges_,
        case when t.state = ${broken} then ${broken} when e.n > 0 then ${pending} else ${complete} end as state,
        ${unclassified} as classification_state
      from cut t join nodes n using (trace_id) left join edges m using (trace_id) left join open e using (trace_id)) t`,
  );
  return rows.map(({ t }) => t);
}

type TraceWithEnds = Pick<TraceRow, "trace_id" | "start_lt"> & ReturnType<typeof traceEnds>;

/** Traces with the places and times of their ends, as a table `t`. */
function traceLists(ends: readonly TraceWithEnds[]): Fragment {
  const types = { trace_id: "bytea", start_lt: "bigint", end_lt: "bigint", end_utime: "bigint" } as const;
  return SQL`${keyLists(ends, types)} t(trace_id, start_lt, end_lt, end_utime)`;
}

/** Lists traces again for those accounts that had a part in them. */
function listParticipants(ends: readonly TraceWithEnds[]): Fragment {
  return SQL`
    insert into account_traces (account, end_lt, end_utime, trace_id)
    select distinct x.account, t.end_lt, t.end_utime, t.trace_id
    from ${traceLists(ends)}
    join transactions x on ${isHash("x.trace_id", raw("t.trace_id"))} and x.lt >= t.start_lt`;
}
