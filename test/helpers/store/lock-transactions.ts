import { onTestFinished } from "vitest";
import type { Database, Transaction } from "../../../server/store/database.js";

/** Blocks every query of transactions until the returned function is called. */
export function lockTransactions(database: Database): Promise<() => Promise<void>> {
  return holdOpen(database, (transaction) =>
    transaction.script("lock table transactions in access exclusive mode"),
  );
}

/** Keeps a transaction open, with the locks that `work` takes, until the returned function is called. */
export async function holdOpen(
  database: Database,
  work: (transaction: Transaction) => Promise<unknown>,
): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let holding: Promise<void> | undefined;
  await new Promise<void>((locked, failed) => {
    holding = database.sql().transaction(async (transaction) => {
      await work(transaction);
      locked();
      await released;
    });
    holding.catch(failed);
  });
  // A lock that outlives a failed test would keep its database from closing.
  onTestFinished(() => release());
  return async () => {
    release();
    await holding;
  };
}
