import SQL from "sql-template-tag";
import type { Sql } from "../database.js";
import { lockForTransaction, lockNumbers } from "./locks.js";

/**
 * Removes the index, whatever schema it has, and nothing else of the database. Returns false, without a change, while a
 * process writes the index.
 */
export async function emptyIndex(database: Sql): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const [head] = await transaction.query<{ free: boolean }>(
      SQL`select pg_try_advisory_xact_lock(${lockNumbers.head}) as free`,
    );
    if (!head!.free) return false;
    await lockForTransaction(transaction, "migration");
    await transaction.script("drop schema public cascade; create schema public");
    return true;
  });
}
