import SQL from "sql-template-tag";
import type { Queries, Transaction } from "../database.js";

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
  // 7_461_010 is commitLock
  reclassification: 7_461_011,
  tokenReindex: 7_461_012,
  merge: 7_461_013,
} as const;

type LockName = keyof typeof lockNumbers;

/** Work that one process at a time does until it is done. */
export type JobName = "redetection" | "bootstrap" | "reclassification" | "tokenReindex";

/** Numbers of locks that end with the processes which hold them have this in their upper half: one lock for each process. */
const presenceClasses = { webhooks: 746_110, backfill: 746_111 } as const;
const presenceUnit = 2 ** 32;
/** Numbers of processes are below. */
export const maxPresent = 2 ** 31 - 1;

/** The lock that shows that a process with this number is there. */
export function presenceLock(name: keyof typeof presenceClasses, worker: number): number {
  return presenceClasses[name] * presenceUnit + worker;
}

/** The numbers of the processes that are there. */
export async function presentProcesses(
  queries: Queries,
  name: keyof typeof presenceClasses,
): Promise<number[]> {
  const rows = await queries.query<{ worker: number | bigint }>(SQL`
    select objid::bigint as worker from pg_locks
    where locktype = 'advisory' and classid = ${presenceClasses[name]} and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())`);
  return rows.map(({ worker }) => Number(worker));
}

/** Waits for an advisory lock and holds it until the end of the transaction. */
export async function lockForTransaction(
  transaction: Transaction,
  name: Exclude<LockName, JobName | "head" | "coldSlots">,
): Promise<void> {
  await transaction.query(SQL`select pg_advisory_xact_lock(${lockNumbers[name]})`);
}
