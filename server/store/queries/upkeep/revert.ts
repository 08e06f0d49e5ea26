import SQL, { raw } from "sql-template-tag";
import { classificationStates, directions, traceStates } from "../../codes.js";
import type { Queries, Transaction } from "../../database.js";
import type { Table } from "../../declare/table.js";
import { isAccount, isHash } from "../../sql/keys.js";
import { code, type Fragment, largestBigint, plannedOnce } from "../../sql/where.js";
import { tables } from "../../tables/all-tables.js";
import { firstSlotAfter, holdSlots, isLater, type Later, laterThan } from "../slots/slots.js";
import { deleteTokenSlots } from "../tokens/token-slots.js";
import {
  deleteAccountTracesAfter,
  storeTraces,
  traceEndsSql,
  widenByTraces,
} from "../traces/account-traces.js";
import { revertLateEvents } from "./late-events.js";

const pending = code(traceStates, "pending");
const complete = code(traceStates, "complete");
const broken = code(traceStates, "broken");
const unclassified = code(classificationStates, "unclassified");
const inbound = code(directions, "in");
const outbound = code(directions, "out");

/** An account with its last transaction up to a block, and the time of that transaction's block. */
type LastTransaction = {
  account: Uint8Array;
  hash: Uint8Array | null;
  lt: bigint | null;
  gen_utime: bigint | null;
};

/**
 * The accounts that changed after a masterchain block, and those that changed at its time: blocks with edits may have the
 * time of the block before. In a snapshot it is planned once per connection.
 */
export async function readChangedAccounts(queries: Queries, seqno: number): Promise<LastTransaction[]> {
  const later = await laterThan(queries, seqno);
  const statement = SQL`
    with changed as (
      select account from transactions where ${isLater("lt", "mc_block_seqno", later)}
      union
      select account from latest_account_states
      where timestamp >= coalesce(
        (select gen_utime from blocks where workchain = -1 and seqno = ${seqno}),
        (select value::bigint from index_meta where key = 'zero_state_utime'))
    )
    select changed.account, last.hash, last.lt, last.gen_utime
    from changed left join lateral (
      select t.hash, t.lt, b.gen_utime
      from account_slots a join slots s using (from_lt)
      cross join lateral (
        select * from transactions
        where account = changed.account and lt >= s.from_lt and lt < s.to_lt and mc_block_seqno <= ${seqno}
        order by lt desc limit 1) t
      cross join lateral (
        select gen_utime from blocks
        where workchain = t.block_workchain and shard = t.block_shard and seqno = t.block_seqno and start_lt <= t.lt
        order by start_lt desc limit 1) b
      where a.account = changed.account and a.n > 0
      order by a.from_lt desc limit 1) as last on true`;
  return queries.query<LastTransaction>(plannedOnce(statement));
}

/**
 * Deletes what came after a masterchain block, and all rows that are kept per account of these accounts. Traces that
 * began before it get the counts and edges they had at it.
 */
export async function deleteAfter(
  transaction: Transaction,
  seqno: number,
  accounts: readonly Uint8Array[],
): Promise<void> {
  await transaction.query(planOnce);
  // Directories name slots, of which none may be merged meanwhile.
  await holdSlots(transaction, 0n, largestBigint);
  const later = await laterThan(transaction, seqno);
  const statements = [
    ...deleteLocators(later),
    ...takeOffHours(later),
    countAccountSlots(later),
    deleteAccountSlots(later),
    deleteAccountTracesAfter(later),
    deleteTokenSlots(later),
    ...deleteActionDirectories(later),
    ...revertLateEvents(seqno),
    ...Object.values(tables).flatMap((table) => deleteRows(table, later, accounts)),
    reopenEdges(later),
    recountTraces(later),
    widenByTraces(SQL`select trace_id from open_edges`),
  ];
  await transaction.write(statements);
}

/**
 * Planning the statements of a revert takes longer than running them, so they are planned once per connection. Such plans
 * do not know how few rows follow a block, and would read whole tables.
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

/** The locators of blocks, transactions and messages after a block. */
function deleteLocators(later: Later): Fragment[] {
  return [
    SQL`delete from block_locator where (hash_prefix, start_lt) in (
      select hash_prefix(found.hash), start_lt from blocks cross join unnest(array[root_hash, file_hash]) found(hash)
      where ${isLater("start_lt", "mc_block_seqno", later)})`,
    SQL`delete from tx_locator where (hash_prefix, lt) in (
      select hash_prefix(hash), lt from transactions where ${isLater("lt", "mc_block_seqno", later)})`,
    SQL`delete from msg_locator where (hash_prefix, tx_lt) in (
      select hash_prefix(found.hash), tx_lt from messages cross join unnest(array[msg_hash, msg_hash_norm]) found(hash)
      where ${isLater("tx_lt", "mc_seqno", later)})`,
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
    update account_slots a set n = a.n - gone.n
    from (
      select t.account, s.from_lt, count(*)::integer as n
      from transactions t join slots s on t.lt >= s.from_lt and t.lt < s.to_lt
      where ${isLater("t.lt", "t.mc_block_seqno", later)} group by 1, 2) gone
    where a.account = gone.account and a.from_lt = gone.from_lt`;
}

/** Index entries of actions whose trace ended after a block. */
function deleteActionDirectories(later: Later): Fragment[] {
  return [
    SQL`delete from action_accounts c using actions a cross join unnest(a.accounts) account
      where ${isLater("a.trace_end_lt", "a.trace_mc_seqno_end", later)} and c.account_key = account_key(account)
        and c.trace_end_lt = a.trace_end_lt and c.action_key = hash_prefix(a.action_id)`,
    SQL`delete from action_locator where (hash_prefix, trace_end_lt) in (
      select hash_prefix(action_id), trace_end_lt from actions
      where ${isLater("trace_end_lt", "trace_mc_seqno_end", later)})`,
  ];
}

/** Slots that have nothing of an account from before. */
function deleteAccountSlots(later: Later): Fragment {
  const { seqno } = later;
  return SQL`
    delete from account_slots a using slots s
    where s.from_lt = a.from_lt and s.from_lt >= ${firstSlotAfter(seqno)}
      and a.account in (
        select account from transactions where ${isLater("lt", "mc_block_seqno", later)}
        union
        select unnest(array[source, destination]) from messages where ${isLater("tx_lt", "mc_seqno", later)})
      and not exists (
        select from transactions
        where account = a.account and lt >= s.from_lt and lt < s.to_lt and mc_block_seqno <= ${seqno})
      and not exists (
        select from messages
        where ${isAccount("source", raw("a.account"))} and tx_lt >= s.from_lt and tx_lt < s.to_lt and mc_seqno <= ${seqno})
      and not exists (
        select from messages
        where ${isAccount("destination", raw("a.account"))} and tx_lt >= s.from_lt and tx_lt < s.to_lt and mc_seqno <= ${seqno})`;
}

/** Messages that were received only after the block are open again. */
function reopenEdges(later: Later): Fragment {
  return SQL`
    insert into open_edges (msg_hash, trace_id, left_tx, mc_seqno)
    select o.msg_hash, t.trace_id, o.tx_hash, o.mc_seqno
    from traces t
    join transactions x on ${isHash("x.trace_id", raw("t.trace_id"))} and x.lt >= t.start_lt
    join messages o on ${isHash("o.tx_hash", raw("x.hash"))} and o.tx_lt = x.lt
    where ${isLater("t.sort_lt", "t.mc_seqno_end", later)} and o.direction = ${outbound} and o.destination is not null
      and not exists (
        select from messages i where ${isHash("i.msg_hash", raw("o.msg_hash"))} and i.direction = ${inbound} and i.tx_lt >= o.tx_lt)
    on conflict do nothing`;
}

/** The message that leads into a broken trace is pending, and none of its edges. */
function recountTraces(later: Later): Fragment {
  return SQL`
    with gone as (
      delete from traces t where ${isLater("t.sort_lt", "t.mc_seqno_end", later)} returning t.*),
    recounted as (
      select t.trace_id, t.external_hash, t.external_hash_norm, t.mc_seqno_start, t.start_lt, t.start_utime,
        n.mc_seqno_end, n.end_lt, n.end_utime, n.nodes_,
        m.received - (t.state = ${broken})::integer + m.logs as edges_,
        e.open + (t.state = ${broken})::integer as pending_edges_,
        case when t.state = ${broken} then ${broken} when e.open = 0 then ${complete} else ${pending} end as state,
        ${unclassified} as classification_state
      from gone t
      cross join lateral (
        select count(*)::integer as nodes_, max(mc_block_seqno) as mc_seqno_end, max(lt) as end_lt,
          max(now) as end_utime
        from transactions where ${isHash("trace_id", raw("t.trace_id"))} and lt >= t.start_lt) n
      cross join lateral (
        select count(*) filter (where direction = ${inbound})::integer as received,
          count(*) filter (where direction = ${outbound} and destination is null)::integer as logs
        from transactions x join messages on ${isHash("tx_hash", raw("x.hash"))} and tx_lt = x.lt
        where ${isHash("x.trace_id", raw("t.trace_id"))} and x.lt >= t.start_lt) m
      cross join lateral (select count(*)::integer as open from open_edges where ${isHash("trace_id", raw("t.trace_id"))}) e),
    participants as (
      insert into account_traces (account, end_lt, end_utime, trace_id)
      select distinct x.account, ${traceEndsSql}, t.trace_id
      from recounted t join transactions x on ${isHash("x.trace_id", raw("t.trace_id"))} and x.lt >= t.start_lt)
    ${storeTraces(SQL`recounted`)}`;
}
