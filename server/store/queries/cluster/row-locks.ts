import type { Transaction } from "../../database.js";
import { empty, type Fragment } from "../../where.js";
import { lockForTransaction } from "../upkeep/locks.js";

/**
 * The clause that locks transactions until the end of the transaction. Rows of a divided index are read beside their tables:
 * there the lock of those who join traces is taken instead, as nobody else changes transactions.
 */
export async function lockOfRows(transaction: Transaction, clause: Fragment): Promise<Fragment> {
  if (!(await transaction.isDivided?.())) return clause;
  await lockForTransaction(transaction, "join");
  return empty;
}
