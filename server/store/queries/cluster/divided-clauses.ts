import SQL, { raw } from "sql-template-tag";
import type { Queries, Transaction } from "../../database.js";
import type { Table } from "../../declare/table.js";
import { isHash } from "../../sql/keys.js";
import { lockForTransaction, lockNumbers } from "../../sql/locks.js";
import { all, empty, type Fragment, isOneOf } from "../../sql/where.js";
import { hashPrefix } from "../../tables/directories.js";
import { messageConditions, type TransactionFilter } from "../transactions/transaction-filter.js";

/**
 * For a statement about one account: the condition that rows of a divided table are its, so that one shard answers the whole
 * statement. Other indexes have no such column.
 */
export async function ofShardOf(queries: Queries, account: Uint8Array): Promise<Fragment> {
  return (await queries.isDivided()) ? SQL`and account = ${account}` : empty;
}

/** For a statement about actions of some traces: the condition that they are in the shards of these. */
export async function ofShardsOf(queries: Queries, traces: readonly Uint8Array[]): Promise<Fragment> {
  return (await queries.isDivided()) ? SQL`and ${isOneOf("trace_prefix", traces.map(hashPrefix))}` : empty;
}

/** The condition that a transaction of the slot `part` is in an earlier block than row `w` of its account. */
export async function isInEarlierBlock(queries: Queries): Promise<Fragment> {
  // Shards have no blocks: they walk over the others of a block.
  if (await queries.isDivided())
    return SQL`lt < w.lt and (block_workchain, block_shard, block_seqno) <> (w.block_workchain, w.block_shard, w.block_seqno)`;
  // A block may have begun in the slot before, which is searched if the later one does not have it.
  return SQL`lt < coalesce((
    select b.start_lt from blocks b
    where b.workchain = w.block_workchain and b.shard = w.block_shard and b.seqno = w.block_seqno and b.start_lt <= w.lt
      and b.start_lt >= coalesce((select max(o.from_lt) from slots o where o.from_lt < part.slot), 0)
    order by b.start_lt desc limit 1), w.lt)`;
}

/**
 * Whether a transaction has a message that matches: messages_by_transaction. PostgreSQL makes no join of such a subquery. Citus
 * plans none of them for shards, so a divided index is asked whether one exists.
 */
export async function hasMessage(queries: Queries, filter: TransactionFilter): Promise<Fragment> {
  const conditions = all(
    SQL`${isHash("m.tx_hash", raw("transactions.hash"))} and m.tx_lt = transactions.lt`,
    ...messageConditions(filter),
  );
  return (await queries.isDivided())
    ? SQL`exists (select from messages m where m.account = transactions.account and ${conditions})`
    : SQL`(select true from messages m where ${conditions} limit 1)`;
}

/** Tells the column by which the rows of a table are divided among nodes, if they are. */
export async function dividingColumns(queries: Queries): Promise<(table: Table) => string | undefined> {
  const isDivided = await queries.isDivided();
  return ({ divideBy }) => (isDivided ? divideBy?.column : undefined);
}

/**
 * Citus locks no rows of several nodes, and shards lock rows in no common order. So in a divided index all who change or rely
 * on some rows take one lock:
 * - `join`: for transactions and complete traces, which only those who join or revert traces change. Before any other lock.
 * - `merge`: for rows that several writers merge. Behind the lock of the schema, see `keepOffWriters`.
 */
type LockOfRows = "join" | "merge";

/** Takes such a lock if the index is divided. Returns whether it is. */
export async function holdRows(transaction: Transaction, lock: LockOfRows): Promise<boolean> {
  const isDivided = await transaction.isDivided();
  if (!isDivided) return false;
  if (lock === "join") await holdSchema(transaction);
  await lockForTransaction(transaction, lock);
  return true;
}

/**
 * Shares the lock of the schema. Migrations, changes of shards and reverts of blocks wait until the transaction ends. A transaction
 * that writes to a divided index takes this lock before any other one.
 */
export async function holdSchema(transaction: Transaction): Promise<void> {
  const also = (await transaction.isDivided()) ? sharingShards : empty;
  await transaction.query(SQL`select pg_advisory_xact_lock_shared(${lockNumbers.migration})${also}`);
}

/**
 * By default a statement on several shards keeps all others from these until the end of its transaction, so that writers which
 * come to tables in another order wait for each other. `holdRows` orders those that change the same rows.
 */
const sharingShards = SQL`, set_config('citus.enable_deadlock_prevention', 'off', true)`;

/**
 * Citus changes the shards of a table one after the other, with locks that no writer may have. One who writes to several
 * shards could keep one of them and wait for another one. So all who write to a divided index hold its schema, before any other
 * lock, and who changes the shards of several tables waits here until they have ended. Others that are about to write wait for
 * both, as long as the longest transaction takes that goes on.
 */
export async function keepOffWriters(transaction: Transaction): Promise<void> {
  if (await transaction.isDivided()) await lockForTransaction(transaction, "migration");
}

/** The clause that locks rows until the end of the transaction. For a divided index there is none: `lock` is taken instead. */
export async function lockOfRows(
  transaction: Transaction,
  lock: LockOfRows,
  clause: Fragment,
): Promise<Fragment> {
  return (await holdRows(transaction, lock)) ? empty : clause;
}

/** Restricts a FROM list, behind which it stands, to the rows for which `table` has a row that meets the condition. */
export type RowFinder = (table: string, condition: Fragment) => Fragment;

/** Citus compares rows that it has sent to its nodes by joins alone. They may yield a row several times. */
export async function rowFinder(queries: Queries): Promise<RowFinder> {
  const isDivided = await queries.isDivided();
  return (table, condition) =>
    isDivided
      ? SQL`join ${raw(table)} on ${condition}`
      : SQL`where exists (select from ${raw(table)} where ${condition})`;
}
