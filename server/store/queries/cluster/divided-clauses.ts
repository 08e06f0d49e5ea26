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
 * The clause that locks transactions until the end of the transaction. A divided index reads copies of rows,
 * which cannot be locked: the lock of the writers that join traces replaces the row locks, as no other writer changes transactions.
 */
export async function lockOfRows(transaction: Transaction, clause: Fragment): Promise<Fragment> {
  if (!(await transaction.isDivided?.())) return clause;
  await lockForTransaction(transaction, "join");
  return empty;
}
