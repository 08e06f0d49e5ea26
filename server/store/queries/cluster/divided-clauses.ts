import SQL from "sql-template-tag";
import type { Transaction } from "../../database.js";
import { empty, type Fragment } from "../../sql/where.js";
import { lockForTransaction } from "../upkeep/locks.js";

/**
 * For a statement about one account: the condition that rows of a divided table are its, so that one shard answers the whole
 * statement. Other indexes have no such column.
 */
export function ofShardOf(isDivided: boolean, account: Uint8Array): Fragment {
  return isDivided ? SQL`and account = ${account}` : empty;
}

/**
 * The clause that locks transactions or traces until the end of the transaction. Citus locks no rows of several nodes, and copies
 * of rows cannot be locked: the lock of the writers that join traces replaces the row locks in a divided index. No other writer
 * changes transactions or complete traces.
 */
export async function lockOfRows(transaction: Transaction, clause: Fragment): Promise<Fragment> {
  if (!(await transaction.isDivided?.())) return clause;
  await lockForTransaction(transaction, "join");
  return empty;
}

/** Shards lock the rows that are merged in no common order, so writers of a divided index merge theirs one after the other. */
export async function holdMerges(transaction: Transaction): Promise<void> {
  if (await transaction.isDivided?.()) await lockForTransaction(transaction, "merge");
}
