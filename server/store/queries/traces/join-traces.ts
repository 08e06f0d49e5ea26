import SQL, { raw } from "sql-template-tag";
import { classificationStates, directions, traceStates } from "../../codes.js";
import type { Transaction } from "../../database.js";
import type { Table } from "../../declare/table.js";
import { isHash } from "../../sql/keys.js";
import { all, code, type Fragment, given, greatest, least } from "../../sql/where.js";
import { tables } from "../../tables/all-tables.js";
import { besideRows, type GatheredRows } from "../cluster/beside-rows.js";
import { gatheredEntries, knownMessages, knownTransactions } from "../cluster/gathered-directories.js";
import { gatheredLocatedMessages, gatheredPlacesAt } from "../cluster/gathered-rows.js";
import { locateMessages, locateTransactions } from "../slots/locators.js";
import type { Boundary } from "../upkeep/index-ranges.js";
import {
  besideTraces,
  besideTracesOf,
  isParticipant,
  storeTraces,
  traceEndsSql,
  widenByTraces,
} from "./account-traces.js";

const pending = code(traceStates, "pending");
const complete = code(traceStates, "complete");
const broken = code(traceStates, "broken");
const inbound = code(directions, "in");
const unclassified = code(classificationStates, "unclassified");

/**
 * Makes broken traces behind a boundary, which begin with a message whose sender lies before it, part of the sender's
 * traces.
 */
export async function joinTraces(transaction: Transaction, boundary: Boundary): Promise<void> {
  // A table that outlived its transaction could be met again, by another version, on a connection of a pooler.
  await transaction.script(`
    create temp table stage_joined (
      like open_edges, place bigint, later_trace bytea, later_place bigint, first_lt bigint, last_lt bigint
    ) on commit drop;
    create temp table stage_traces on commit drop as select * from traces with no data;
    create temp table stage_participants (account bytea, trace_id bytea) on commit drop`);
  const edges = await besideRows(transaction, () => gatheredEdges(transaction, boundary));
  const gathered = await besideTraces(edges, besideEdges(boundary));
  await gathered.query(collectJoined(boundary));
  const joined = await transaction.query<{ trace_id: Uint8Array; from: bigint; to: bigint }>(SQL`
    select trace_id, min(first_lt) as "from", max(last_lt) as "to" from stage_joined group by trace_id`);
  if (joined.length === 0) return;
  const span = { from: least(joined.map(({ from }) => from)), to: greatest(joined.map(({ to }) => to)) };
  const statements = [
    SQL`delete from open_edges e using stage_joined j where e.msg_hash = j.msg_hash`,
    unmarkFirst(span),
    ...Object.values<Table>(tables).flatMap((table) => renameTrace(table, span)),
    ...moveToStage,
    addLaterTraces,
    ...moveToFirst,
  ];
  for (const statement of statements) await transaction.query(statement);
  const widened = await besideTracesOf(
    transaction,
    joined.map(({ trace_id }) => trace_id),
  );
  await widened.query(widenByTraces(SQL`select trace_id from stage_joined`));
}

/** Rows of divided tables that collecting the joined traces reads. */
async function gatheredEdges(
  transaction: Transaction,
  { from, chain_from }: Boundary,
): Promise<GatheredRows[]> {
  const edges = await transaction.query<{ msg_hash: Uint8Array; left_tx: Uint8Array }>(SQL`
    select msg_hash, left_tx from open_edges where mc_seqno between ${chain_from} and ${from - 1}`);
  if (edges.length === 0) return [knownTransactions([]), knownMessages([]), gatheredEntries([])];
  const messages = await locateMessages(
    transaction,
    edges.map(({ msg_hash }) => msg_hash),
  );
  const senders = await locateTransactions(
    transaction,
    edges.map(({ left_tx }) => left_tx),
  );
  return [
    gatheredLocatedMessages(messages),
    ...gatheredPlacesAt([...messages, ...senders]),
    knownMessages(messages),
    knownTransactions(senders),
  ];
}

/** Open edges `e` before the boundary: open_edges_by_masterchain. */
function isBefore({ from, chain_from }: Boundary): Fragment {
  return SQL`e.mc_seqno between ${chain_from} and ${from - 1}`;
}

/** Joins the transaction `m` that received the message of an edge `e`. The later trace begins with it. Index: msg_locator. */
const receiver = SQL`
    cross join lateral (
      select tx_lt from msg_locator where hash_prefix = hash_prefix(e.msg_hash) offset 0) l
    cross join lateral (
      select tx_hash as trace_id, destination as account from messages
      where ${isHash("msg_hash", raw("e.msg_hash"))} and tx_lt = l.tx_lt and direction = ${inbound} and is_first offset 0) m`;

/** Joins the account `sender` of the transaction that sent the message. Index: tx_locator. */
const sender = SQL`
    cross join lateral (
      select lt from tx_locator where hash_prefix = hash_prefix(e.left_tx) offset 0) s
    cross join lateral (
      select account from transactions where ${isHash("hash", raw("e.left_tx"))} and lt = s.lt offset 0) sender`;

/** Rows that name the traces on both sides of such edges, and an account in each. */
function besideEdges(boundary: Boundary): Fragment {
  return SQL`
    select m.trace_id, m.account from open_edges e ${receiver} where ${isBefore(boundary)}
    union all
    select e.trace_id, sender.account from open_edges e ${sender} where ${isBefore(boundary)}`;
}

/** Such edges with their traces and the broken trace that each leads to: the locators, account_traces, primary keys. */
function collectJoined(boundary: Boundary): Fragment {
  const { from, chain_to } = boundary;
  return SQL`
    insert into stage_joined
      (msg_hash, trace_id, left_tx, mc_seqno, place, later_trace, later_place, first_lt, last_lt)
    select e.msg_hash, e.trace_id, e.left_tx, e.mc_seqno, own.end_lt, t.trace_id, t.sort_lt, t.start_lt, t.end_lt
    from open_edges e
    ${receiver}
    cross join lateral (
      select end_lt from account_traces where ${isParticipant("m.trace_id", raw("m.account"))} offset 0) later
    cross join lateral (
      select * from traces where trace_id = m.trace_id and sort_lt = later.end_lt offset 0) t
    ${sender}
    cross join lateral (
      select end_lt from account_traces where ${isParticipant("e.trace_id", raw("sender.account"))} offset 0) own
    where ${isBefore(boundary)}
      and t.state = ${broken} and t.mc_seqno_start between ${from} and ${chain_to} and t.external_hash = e.msg_hash`;
}

/** Nodes of a cluster do not have the table, but get the rows of a subquery. */
const joinedRows = SQL`(select * from stage_joined offset 0) j`;

/** Bounds of the later traces: partitions that these are not in are left out. */
type Span = { from: bigint; to: bigint };

/** The sender's row is the first one of the message. */
function unmarkFirst({ from, to }: Span): Fragment {
  return SQL`
    update messages m set is_first = false from ${joinedRows}
    where ${isHash("m.msg_hash", raw("j.msg_hash"))} and m.direction = ${inbound} and m.tx_lt = j.first_lt
      and m.tx_lt between ${from} and ${to}`;
}

function renameTrace({ name, traceColumn, partitionBy }: Table, { from, to }: Span): Fragment[] {
  if (traceColumn === undefined) return [];
  const column = raw(traceColumn);
  const isWithin = given(
    partitionBy,
    (lt) => SQL`r.${raw(lt)} between j.first_lt and j.last_lt and r.${raw(lt)} between ${from} and ${to}`,
  );
  return [
    SQL`update ${raw(name)} r set ${column} = j.trace_id from ${joinedRows}
      where ${all(SQL`${isHash(`r.${traceColumn}`, raw("j.later_trace"))}`, isWithin)}`,
  ];
}

/** The traces that are joined, as `id`, with the first one of each. */
const joinedTraces = SQL`(
      select trace_id, trace_id as id, place from stage_joined
      union select trace_id, later_trace, later_place from stage_joined) j`;

/**
 * Takes these traces and their participants out of the index. Rows are deleted and inserted, as the end of a trace is its place:
 * a row that an UPDATE moves makes those who wait for its lock fail, and Citus moves none.
 */
const moveToStage: readonly Fragment[] = [
  SQL`insert into stage_traces
    select t.* from traces t join ${joinedTraces} on t.trace_id = j.id and t.sort_lt = j.place`,
  SQL`delete from traces t using ${joinedTraces} where t.trace_id = j.id and t.sort_lt = j.place`,
  SQL`insert into stage_participants
    select a.account, j.trace_id from account_traces a join ${joinedTraces} on ${isHash("a.trace_id", raw("j.id"))}`,
  SQL`delete from account_traces a using ${joinedTraces} where ${isHash("a.trace_id", raw("j.id"))}`,
];

/** The edge between two traces was pending on either side, and is counted once now. */
const addLaterTraces = SQL`
  with later as (
    select j.trace_id, max(l.mc_seqno_end) as mc_seqno_end, max(l.end_lt) as end_lt,
      max(l.end_utime) as end_utime, sum(l.nodes_)::integer as nodes,
      sum(l.edges_ + 1)::integer as edges, sum(l.pending_edges_ - 2)::integer as pending
    from stage_joined j join stage_traces l on l.trace_id = j.later_trace
    group by j.trace_id)
  update stage_traces t set
    mc_seqno_end = greatest(t.mc_seqno_end, x.mc_seqno_end), end_lt = greatest(t.end_lt, x.end_lt),
    end_utime = greatest(t.end_utime, x.end_utime), nodes_ = t.nodes_ + x.nodes,
    edges_ = t.edges_ + x.edges, pending_edges_ = t.pending_edges_ + x.pending,
    state = case when t.state = ${broken} then ${broken}
      when t.pending_edges_ + x.pending = 0 then ${complete} else ${pending} end,
    classification_state = ${unclassified}
  from later x where t.trace_id = x.trace_id`;

/** The traces that took others in. */
const first = SQL`(select t.* from stage_traces t where t.trace_id in (select trace_id from stage_joined))`;

/** Stores them, and the participants of all as theirs. */
const moveToFirst: readonly Fragment[] = [
  storeTraces(first),
  SQL`insert into account_traces (account, end_lt, end_utime, trace_id)
    select distinct p.account, ${traceEndsSql}, t.trace_id
    from stage_participants p join ${first} t on t.trace_id = p.trace_id`,
];
