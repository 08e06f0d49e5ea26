import SQL, { raw } from "sql-template-tag";
import type { Queries, Transaction } from "../../database.js";
import { empty, type Fragment, isOneOf } from "../../sql/where.js";
import { hashPrefix } from "../../tables/directories.js";
import { lockForTransaction } from "../upkeep/locks.js";

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

/**
 * The clause that locks rows of transactions or traces until the end of the transaction. In a divided index there is none, see
 * `holdRows`.
 */
export async function lockOfRows(transaction: Transaction, clause: Fragment): Promise<Fragment> {
  return (await holdRows(transaction)) ? empty : clause;
}

/**
 * Citus does not lock rows of several nodes, so in a divided index all who rely on such rows, and those who join or revert
 * traces, take one lock, before any other: no other writers change transactions or complete traces. Returns whether the index
 * is divided.
 */
export async function holdRows(transaction: Transaction): Promise<boolean> {
  const isDivided = await transaction.isDivided();
  if (isDivided) await lockForTransaction(transaction, "join");
  return isDivided;
}

/**
 * The clause that locks rows which others merge until the end of the transaction, in key order. In a divided index there is
 * none, see `holdMerges`.
 */
export async function lockOfMerged(transaction: Transaction, clause: Fragment): Promise<Fragment> {
  return (await holdMerges(transaction)) ? empty : clause;
}

/**
 * Shards lock the rows that are merged in no common order, so writers of a divided index merge theirs one after the other.
 * Returns whether the index is divided.
 */
export async function holdMerges(transaction: Transaction): Promise<boolean> {
  const isDivided = await transaction.isDivided();
  if (isDivided) await lockForTransaction(transaction, "merge");
  return isDivided;
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
