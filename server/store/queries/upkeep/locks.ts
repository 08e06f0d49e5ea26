import SQL from "sql-template-tag";
import type { Transaction } from "../../database.js";

/** Numbers of advisory locks: any that nothing else in the database uses. */
export const lockNumbers = {
  head: 7_461_000,
  migration: 7_461_001,
  partition: 7_461_002,
  join: 7_461_003,
  redetection: 7_461_004,
  flags: 7_461_005,
  coldSlots: 7_461_006,
  partitionCopy: 7_461_007,
  webhooks: 7_461_008,
  bootstrap: 7_461_009,
} as const;

/** Waits for an advisory lock and holds it until the end of the transaction. */
export async function lockForTransaction(
  transaction: Transaction,
  name: Exclude<keyof typeof lockNumbers, "head" | "redetection" | "coldSlots" | "bootstrap">,
): Promise<void> {
  await transaction.query(SQL`select pg_advisory_xact_lock(${lockNumbers[name]})`);
}

/** Waits until nobody migrates the database and keeps others from doing so until the end of the transaction. */
export async function holdSchema(transaction: Transaction): Promise<void> {
  await transaction.query(SQL`select pg_advisory_xact_lock_shared(${lockNumbers.migration})`);
}
