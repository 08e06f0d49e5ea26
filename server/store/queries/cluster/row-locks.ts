import type { Transaction } from "../../database.js";
import { empty, type Fragment } from "../../where.js";
import { lockForTransaction } from "../upkeep/locks.js";

/**
 * The clause that locks transactions until the end of the transaction. A divided index reads copies of rows,
 * which cannot be locked: the lock of the writers that join traces replaces the row locks, as no other writer changes transactions.
 */
export async function lockOfRows(transaction: Transaction, clause: Fragment): Promise<Fragment> {
  if (!(await transaction.isDivided?.())) return clause;
  await lockForTransaction(transaction, "join");
  return empty;
}
