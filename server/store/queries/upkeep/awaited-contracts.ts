import SQL from "sql-template-tag";
import type { Queries, Transaction } from "../../database.js";
import type { Fragment } from "../../sql/where.js";
import { unclassifyTraces } from "./unknown-contracts.js";

/** The accounts among these that wait to be recognised: primary key. */
export async function readQueuedAmong(
  queries: Queries,
  accounts: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const rows = await queries.query<{ account: Uint8Array }>(SQL`
    select distinct account from recognition_queue where account = any(${accounts}::bytea[])`);
  return rows.map(({ account }) => account);
}

/** Removes the accounts that these traces wait for: primary key. */
export async function deleteAwaited(queries: Queries, ids: readonly Uint8Array[]): Promise<void> {
  await queries.query(SQL`delete from awaited_contracts where trace_id = any(${ids}::bytea[])`);
}

/** Queues traces for classification that asked for these accounts and wait for no others. */
export async function releaseTracesOf(
  transaction: Transaction,
  accounts: readonly Uint8Array[],
): Promise<void> {
  await release(transaction, SQL`a.account = any(${accounts}::bytea[])`);
}

/**
 * As `releaseTracesOf`, for traces among these whose accounts were recognised after the traces had been classified. Accounts
 * that still wait are locked until the end of the transaction, so that their recognition finds the traces.
 */
export async function releaseTraces(transaction: Transaction, ids: readonly Uint8Array[]): Promise<void> {
  const ofTraces = SQL`a.trace_id = any(${ids}::bytea[])`;
  await transaction.query(SQL`
    select from recognition_queue where account in (select account from awaited_contracts a where ${ofTraces})
    order by account, code_hash for share`);
  await release(transaction, ofTraces);
}

async function release(transaction: Transaction, chosen: Fragment): Promise<void> {
  const gone = await transaction.query<{ trace_id: Uint8Array }>(SQL`
    delete from awaited_contracts a
    where ${chosen} and not exists (select from recognition_queue q where q.account = a.account)
    returning a.trace_id`);
  if (gone.length === 0) return;
  const ids = gone.map(({ trace_id }) => trace_id);
  const free = await transaction.query<{ trace_id: Uint8Array }>(SQL`
    select distinct t.trace_id from unnest(${ids}::bytea[]) t (trace_id)
    where not exists (select from awaited_contracts a where a.trace_id = t.trace_id)
    order by t.trace_id`);
  await unclassifyTraces(
    transaction,
    free.map(({ trace_id }) => trace_id),
  );
}
