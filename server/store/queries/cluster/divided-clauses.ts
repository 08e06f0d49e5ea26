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
 * The clause that locks rows of transactions or traces until the end of the transaction. In a divided index there is none, as Citus
 * does not lock rows of several nodes. There the transaction takes the lock of the writers that join traces: no other
 * writers change transactions or complete traces.
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
