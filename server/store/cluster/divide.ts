import SQL, { raw } from "sql-template-tag";
import { itemAt } from "../../../shared/values/lookups.js";
import { SetupError } from "../../errors.js";
import type { Sql, Transaction } from "../database.js";
import { address } from "../declare/columns.js";
import { lockForTransaction, lockNumbers } from "../queries/upkeep/locks.js";
import { oneRow } from "../sql/one-row.js";
import { tokenEventParties } from "../tables/token-events.js";
import { commitLock, commitSequence, isDividedSql } from "./commits.js";
import { dividedTables, widenedTables } from "./divided-tables.js";

/** How many shards each table has, on how many nodes. */
type Division = { shards: number; nodes: number };

/**
 * Divides an index without blocks among the nodes of a Citus cluster, by account. Throws `SetupError` if it cannot be.
 * Returns how it is divided; `undefined` if it was before.
 */
export async function divideIndex(database: Sql): Promise<Division | undefined> {
  return database.transaction(async (transaction) => {
    await lockForTransaction(transaction, "migration");
    const { divided } = await oneRow<{ divided: boolean }>(
      transaction,
      SQL`select ${raw(isDividedSql)} as divided`,
    );
    if (divided) return undefined;
    const nodes = await countNodes(transaction);
    await refuseUsed(transaction);
    for (const text of [...addColumns, ...rebuildIndexes]) await transaction.script(text);
    for (const table of dividedTables) await divide(transaction, table);
    for (const text of noteCommits) await transaction.script(text);
    const { shards } = await oneRow<{ shards: number }>(
      transaction,
      SQL`select count(*)::integer as shards from pg_dist_shard where logicalrelid = ${itemAt(dividedTables, 0).name}::regclass`,
    );
    return { shards, nodes };
  });
}

/** Tables that can be joined have their rows with an account on the same node. */
async function divide(transaction: Transaction, table: (typeof dividedTables)[number]): Promise<void> {
  const {
    name,
    spreadBy,
    divideBy: { column },
  } = table;
  if (spreadBy !== undefined) await gather(transaction, name);
  const first = dividedTables.find(isByAccount);
  const beside = isByAccount(table) && first && name !== first.name ? first.name : "none";
  await transaction.query(
    SQL`select create_distributed_table(${name}, ${column}, colocate_with => ${beside})`,
  );
}

function isByAccount({ columns, divideBy: { column, type } }: (typeof dividedTables)[number]): boolean {
  return (type ?? columns[column]) === address;
}

/** Makes a table that is spread over parts one without: its shards take their place. */
async function gather(transaction: Transaction, name: string): Promise<void> {
  const indexes = await transaction.query<{ definition: string }>(SQL`
    select replace(indexdef, ' ON ONLY ', ' ON ') as definition from pg_indexes
    where schemaname = current_schema() and tablename = ${name}`);
  for (const text of [
    `alter table ${name} rename to ${name}_in_parts`,
    `create table ${name} (like ${name}_in_parts including defaults)`,
    `drop table ${name}_in_parts`,
    ...indexes.map(({ definition }) => definition),
  ])
    await transaction.script(text);
}

/** How many nodes take shards. */
async function countNodes(transaction: Transaction): Promise<number> {
  const { is_installed: isInstalled } = await oneRow<{ is_installed: boolean }>(
    transaction,
    SQL`select exists (select from pg_extension where extname = 'citus') as is_installed`,
  );
  if (!isInstalled)
    throw new SetupError(
      "the database has no extension citus: add it to shared_preload_libraries, and run `create extension citus` on each node",
    );
  const { nodes } = await oneRow<{ nodes: number }>(
    transaction,
    SQL`select count(*)::integer as nodes from pg_dist_node where shouldhaveshards and isactive and noderole = 'primary'`,
  );
  if (nodes === 0)
    throw new SetupError(
      "the cluster has no node for rows: run citus_set_coordinator_host and citus_add_node on the coordinator, which --database-url leads to",
    );
  return nodes;
}

/** Rows that are stored lack their accounts, and processes that run would write further ones. */
async function refuseUsed(transaction: Transaction): Promise<void> {
  const {
    blocks,
    sessions,
    is_free: isFree,
  } = await oneRow<{
    blocks: boolean;
    sessions: number;
    is_free: boolean;
  }>(
    transaction,
    SQL`select exists (select from slots) as blocks, pg_try_advisory_xact_lock(${lockNumbers.head}) as is_free, (
        select count(*)::integer from pg_stat_activity
        where datname = current_database() and application_name like 'tonwire%' and pid <> pg_backend_pid()) as sessions`,
  );
  if (blocks)
    throw new SetupError(
      "the index has blocks, and only an empty one can be divided: run `tonwire empty-index` first",
    );
  if (!isFree || sessions > 0)
    throw new SetupError(
      `processes of tonwire use the database (${sessions} connections): stop them first, and start them again when the index is divided`,
    );
}

const addColumns = widenedTables.map(
  ({ name, column, type }) => `alter table ${name} add column ${column} ${type.sqlType} not null`,
);

/** A unique index of a divided table has the column that divides it. */
const rebuildIndexes = [
  "drop index account_states_by_account",
  "create unique index account_states_by_account on account_states (account, lt, hash_prefix(hash))",
  "drop index message_contents_by_hash",
  `create unique index message_contents_by_hash on message_contents (
    account, hash_prefix(hash), hash_rest(hash), hash_end(hash), from_lt)`,
  ...tokenEventParties.flatMap(({ table: { name, divideBy } }) => [
    `drop index ${name}_by_transaction`,
    `create unique index ${name}_by_transaction on ${name} (
      tx_lt, hash_prefix(tx_hash), hash_rest(tx_hash), ${divideBy!.column})`,
  ]),
  // Parts of the table have one each, which is left with them.
  "create unique index account_traces_by_trace on account_traces (hash_prefix(trace_id), account)",
];

/** See steady-snapshot.ts. The coordinator alone runs them. */
const noteCommits = [
  "set local citus.enable_ddl_propagation = off",
  `create sequence ${commitSequence} minvalue 0 start with 0`,
  `select setval('${commitSequence}', n) from index_version`,
  `create or replace function raise_index_version() returns void language plpgsql as $$
  declare version text;
  begin
    perform from index_version for update;
    update index_version set n = n + 1, seqno = coalesce((select last from indexed_range), 0)
      returning n || ' ' || seqno into version;
    perform pg_advisory_xact_lock(${commitLock});
    perform setval('${commitSequence}', split_part(version, ' ', 1)::bigint);
    perform pg_notify('tonwire_index', version);
  end $$`,
];
