import SQL from "sql-template-tag";
import { SetupError } from "../../errors.js";
import type { Sql, Transaction } from "../database.js";
import { dropCopies, dropNotes, dropReplaced } from "../queries/slots/partition-copies.js";
import { lockForTransaction, lockNumbers } from "../sql/locks.js";
import { oneRow } from "../sql/one-row.js";
import { index, knownMigrations } from "../sql/schemas.js";
import { hasLedger, isNewer, makeLedger, readNames } from "./ledger.js";
import { dropOwned, foreignRelations } from "./owned-objects.js";

/** Removes the index and nothing else of the database. Returns false, without a change, while a process writes the index. */
export async function emptyIndex(database: Sql): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const head = await oneRow<{ free: boolean }>(
      transaction,
      SQL`select pg_try_advisory_xact_lock(${lockNumbers.head}) as free`,
    );
    if (!head.free) return false;
    await lockForTransaction(transaction, "migration");
    if (!(await hasLedger(transaction, index))) return true;
    await dropCopies(transaction);
    await dropReplaced(transaction);
    await dropNotes(transaction);
    await refuseLater(transaction);
    await dropOwned(transaction);
    // The index may then be created again beside what others have added.
    await makeLedger(transaction, index);
    return true;
  });
}

/** A later version may have created the tables that this one does not know, or another program. */
async function refuseLater(transaction: Transaction): Promise<void> {
  if (!isNewer(await readNames(transaction, index), knownMigrations())) return;
  const names = await foreignRelations(transaction);
  if (names.length > 0)
    throw new SetupError(
      `the index is of a later version, and this one does not know the tables ${names.join(", ")}: ` +
        "remove it with the version that made it",
    );
}
