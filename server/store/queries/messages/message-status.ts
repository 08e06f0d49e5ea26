import SQL, { raw } from "sql-template-tag";
import { codeOf, directions, skipReasons } from "../../codes.js";
import type { Queries } from "../../database.js";
import type { RowOf } from "../../declare/table.js";
import { isHash } from "../../sql/keys.js";
import { all, code, distinct, type Fragment, greatest, keyLists, least } from "../../sql/where.js";
import { messages } from "../../tables/messages.js";
import { traceColumns } from "../../tables/traces.js";
import { transactions } from "../../tables/transactions.js";
import { besideRows } from "../cluster/beside-rows.js";
import {
  gatheredMessages,
  gatheredTransactions,
  gatheredTransactionsAt,
  isAnyOf,
  isAtAnyOf,
} from "../cluster/gathered-rows.js";
import { selectJoined } from "../rows.js";
import {
  locateMessages,
  locateTransactions,
  locationsOf,
  messagesIn,
  transactionOf,
  transactionsIn,
} from "../slots/locators.js";
import { besideTracesOfMessages, isParticipant } from "../traces/account-traces.js";

const t = transactions.columns;
const m = messages.columns;

/** The columns that say where a transaction is, and whether it failed. */
const judgedColumns = {
  account: t.account,
  hash: t.hash,
  lt: t.lt,
  now: t.now,
  block_workchain: t.block_workchain,
  block_shard: t.block_shard,
  block_seqno: t.block_seqno,
  mc_block_seqno: t.mc_block_seqno,
  trace_id: t.trace_id,
  aborted: t.aborted,
  storage_fees_due: t.storage_fees_due,
  storage_status_change: t.storage_status_change,
  credit_due_fees_collected: t.credit_due_fees_collected,
  credit: t.credit,
  compute_skipped: t.compute_skipped,
  skipped_reason: t.skipped_reason,
  compute_success: t.compute_success,
  compute_exit_code: t.compute_exit_code,
  compute_gas_used: t.compute_gas_used,
  compute_vm_steps: t.compute_vm_steps,
  action_success: t.action_success,
  action_result_code: t.action_result_code,
  action_result_arg: t.action_result_arg,
  action_skipped_actions: t.action_skipped_actions,
  bounce: t.bounce,
};

const sideColumns = {
  tx_hash: m.tx_hash,
  msg_hash: m.msg_hash,
  msg_hash_norm: m.msg_hash_norm,
  direction: m.direction,
  source: m.source,
  destination: m.destination,
  value: m.value,
  opcode: m.opcode,
  bounced: m.bounced,
};

const judgedTraceColumns = {
  trace_id: traceColumns.trace_id,
  external_hash: traceColumns.external_hash,
  state: traceColumns.state,
  start_lt: traceColumns.start_lt,
  end_lt: traceColumns.end_lt,
  pending_edges_: traceColumns.pending_edges_,
  nodes_: traceColumns.nodes_,
};

export type JudgedTransaction = RowOf<typeof judgedColumns>;
export type MessageSide = RowOf<typeof sideColumns>;
type JudgedTrace = RowOf<typeof judgedTraceColumns>;

/** A message in a block, with the transaction of that side of it, and its trace. */
export type FoundMessage = {
  message: MessageSide;
  transaction: JudgedTransaction;
  trace: JudgedTrace | undefined;
};

/**
 * The message with one of these hashes, sent or normalized: the side of its receiver, else that of its sender. msg_locator,
 * then the rows at its lt.
 */
export async function findMessage(
  queries: Queries,
  hashes: readonly Uint8Array[],
): Promise<FoundMessage | undefined> {
  const located = await locateMessages(queries, hashes);
  if (located.length === 0) return undefined;
  const locations = locationsOf(located);
  const gathered = await besideTracesOfMessages(queries, located);
  const [found] = await selectJoined(
    gathered,
    { m: sideColumns, t: judgedColumns },
    SQL`${messagesIn(locations)}
    ${transactionOf(locations)}
    left join lateral (
      select end_lt from account_traces where ${isParticipant("t.trace_id", raw("t.account"))} offset 0) place on true
    left join lateral (
      select * from traces where trace_id = t.trace_id and sort_lt = place.end_lt offset 0) r on true
    order by m.direction, m.tx_lt limit 1`,
    { outer: { r: judgedTraceColumns }, isPlannedOnce: true },
  );
  return found && { message: found.m, transaction: found.t, trace: found.r };
}

/** Failed transactions of a trace, the first ones by lt, with their messages, and how many there are. */
export type FailedTransactions = {
  transactions: JudgedTransaction[];
  messages: MessageSide[];
  total: number;
};

/** SQL of `failedPhase`, of row `t` of transactions: a property holds them equal. `isExternal`: of a trace from outside. */
export function failedSql(isExternal: boolean): Fragment {
  const [noState, noGas] = [codeOf(skipReasons, "no_state"), codeOf(skipReasons, "no_gas")];
  const isPaid = `coalesce(t.storage_fees_due, 0) = 0
    and (coalesce(t.credit_due_fees_collected, 0) = 0 or coalesce(t.credit, 0) <> 0)`;
  const isUnrun = `t.bounce is null
    and coalesce(t.skipped_reason = ${noState} or t.skipped_reason = ${noGas} and ${isPaid}, false)`;
  const left = isExternal
    ? "or t.hash = t.trace_id and (t.action_skipped_actions > 0 or t.compute_exit_code not in (0, 1))"
    : "";
  return raw(`(t.aborted and not (${isUnrun}) ${left})`);
}

/** transactions_by_trace, then the messages of those that failed, by messages_by_transaction. */
export async function failedTransactions(
  queries: Queries,
  trace: Pick<JudgedTrace, "trace_id" | "start_lt" | "end_lt" | "external_hash">,
  limit: number,
): Promise<FailedTransactions> {
  const gathered = await besideRows(queries, () => [
    gatheredTransactions(
      SQL`${isHash("t.trace_id", SQL`${trace.trace_id}`)} and t.lt between ${trace.start_lt} and ${trace.end_lt}
        and ${failedSql(trace.external_hash !== undefined)}`,
    ),
  ]);
  const rows = await selectJoined(
    gathered,
    { t: judgedColumns, n: { total: traceColumns.nodes_ } },
    SQL`(
      select t.*, count(*) over ()::integer as total from transactions t
      where ${isHash("t.trace_id", SQL`${trace.trace_id}`)} and t.lt between ${trace.start_lt} and ${trace.end_lt}
        and ${failedSql(trace.external_hash !== undefined)}
      order by t.lt, t.account limit ${limit}) t
    cross join lateral (select t.total) n`,
    { isPlannedOnce: true },
  );
  const failed = rows.map((row) => row.t);
  const sides = failed.length === 0 ? [] : await sidesOf(queries, failed);
  return { transactions: failed, messages: sides, total: rows[0]?.n.total ?? 0 };
}

/** The transactions with these hashes that were aborted, by lt: tx_locator, then the rows at their lt. */
export async function abortedAmong(
  queries: Queries,
  hashes: readonly Uint8Array[],
): Promise<JudgedTransaction[]> {
  const located = await locateTransactions(queries, hashes);
  if (located.length === 0) return [];
  const gathered = await besideRows(queries, () => [gatheredTransactionsAt(located)]);
  const rows = await selectJoined(
    gathered,
    { t: judgedColumns },
    SQL`${transactionsIn(locationsOf(located))}
    where t.aborted order by t.lt, t.account`,
    { isPlannedOnce: true },
  );
  return rows.map((row) => row.t);
}

/** Messages that the transactions received and returned. */
export async function sidesOf(
  queries: Queries,
  failed: readonly JudgedTransaction[],
): Promise<MessageSide[]> {
  const lts = failed.map(({ lt }) => lt);
  const gathered = await besideRows(queries, () => {
    const accounts = distinct(failed.map(({ account }) => account));
    return [gatheredMessages(all(isAnyOf("m.account", accounts), isAtAnyOf("m.tx_lt", failed)))];
  });
  const rows = await selectJoined(
    gathered,
    { m: sideColumns },
    SQL`${keyLists(failed, { hash: "bytea", lt: "bigint" })} wanted(hash, lt)
    cross join lateral (
      select * from messages
      where ${isHash("tx_hash", raw("wanted.hash"))} and tx_lt = wanted.lt and tx_lt between ${least(lts)} and ${greatest(lts)}
        and (direction = ${code(directions, "in")} or bounced) offset 0) m`,
    { isPlannedOnce: true },
  );
  return rows.map((row) => row.m);
}
