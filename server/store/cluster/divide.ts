import SQL, { raw } from "sql-template-tag";
import { itemAt } from "../../../shared/values/lookups.js";
import { SetupError } from "../../errors.js";
import { codeOf } from "../codes.js";
import type { Queries, Sql, Transaction } from "../database.js";
import type { Table } from "../declare/table.js";
import { lockForTransaction, lockNumbers } from "../sql/locks.js";
import { oneRow } from "../sql/one-row.js";
import { kept } from "../sql/schemas.js";
import { accountKinds } from "../tables/accounts.js";
import { isUnnoted, tables } from "../tables/all-tables.js";
import { ownedTokens } from "../tables/owned-tokens.js";
import { tokenEventParties } from "../tables/token-events.js";
import { commitLock, commitSequence, isDividedSql } from "./commits.js";
import { type DividedTable, dividedTables, dividedTogether, widenedTables } from "./divided-tables.js";
import { noteOwners } from "./owned-tokens.js";

/** How many shards each table has, on how many nodes. */
type Division = { shards: number; nodes: number };

/**
 * Divides an index without blocks among the nodes of a Citus cluster, by account. If an earlier version divided the index, this
 * divides the tables that it left on the coordinator, with their rows. In both cases all nodes get the grants of views, which Citus
 * does not pass on. Throws `SetupError` if the index cannot be divided. Returns the numbers of shards and nodes; `undefined` if
 * the index was divided before.
 */
export async function divideIndex(database: Sql): Promise<Division | undefined> {
  const division = await divideTables(database);
  await passOnGrants(database);
  return division;
}

function divideTables(database: Sql): Promise<Division | undefined> {
  return database.transaction(async (transaction) => {
    await lockForTransaction(transaction, "migration");
    const nodes = await countNodes(transaction);
    const { isBegun } = await oneRow<{ isBegun: boolean }>(
      transaction,
      SQL`select ${raw(isDividedSql)} as "isBegun"`,
    );
    await transaction.script(makeOwnedTokens);
    const whole = await wholeTables(transaction);
    const narrow = await narrowTables(transaction);
    if (isBegun && whole.size === 0 && narrow.length === 0) return undefined;
    await refuseUsed(transaction, { mayHaveBlocks: isBegun });
    for (const { name, column, type } of narrow)
      await transaction.script(
        `alter table ${name} add column ${column} ${type.sqlType} ${type.nullable ? "" : "not null"}`,
      );
    if (!isBegun) await prepare(transaction);
    for (const { together, marks, type } of dividedTogether) {
      if (!isBegun) await markShards(transaction, marks, type);
      for (const table of together) if (whole.has(table.name)) await divide(transaction, table, marks);
    }
    await adaptNotes(transaction);
    if (!isBegun) {
      await shareOthers(transaction);
      for (const text of countCommits) await transaction.script(text);
    }
    const { shards } = await oneRow<{ shards: number }>(
      transaction,
      SQL`select count(*)::integer as shards from pg_dist_shard where logicalrelid = ${itemAt(dividedTables, 0).name}::regclass`,
    );
    return { shards, nodes };
  });
}

/** The names of the tables that are to be divided, and are not. */
async function wholeTables(transaction: Transaction): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<{ name: string }>(SQL`
    select name from unnest(${dividedTables.map(({ name }) => name)}::text[]) name
    where not exists (
      select from pg_dist_partition where logicalrelid = name::regclass and partmethod = 'h')`);
  return new Set(rows.map(({ name }) => name));
}

/** Throws `SetupError` if an earlier version has divided the index, so that it cannot take what this one writes. */
export async function refuseEarlierDivision(database: Sql): Promise<void> {
  if (!(await database.isDivided())) return;
  const { found } = await oneRow<{ found: boolean }>(
    database,
    SQL`select to_regclass(${ownedTokens.name}) is not null as found`,
  );
  if (!found || (await narrowTables(database)).length > 0)
    throw new SetupError(
      "an earlier version has divided the index: stop all processes of tonwire, and run `tonwire migrate --citus`",
    );
}

/** The tables that lack a column which divided indexes have. */
async function narrowTables(queries: Queries): Promise<typeof widenedTables> {
  const rows = await queries.query<{ name: string }>(SQL`
    select name from unnest(
      ${widenedTables.map(({ name }) => name)}::text[], ${widenedTables.map(({ column }) => column)}::text[]
    ) wanted(name, "column")
    where not exists (select from pg_attribute where attrelid = name::regclass and attname = "column")`);
  const names = new Set(rows.map(({ name }) => name));
  return widenedTables.filter(({ name }) => names.has(name));
}

/** Gives tables the form that divided ones have. */
async function prepare(transaction: Transaction): Promise<void> {
  for (const text of rebuildIndexes) await transaction.script(text);
  for (const { name, spreadBy } of Object.values<Table>(tables))
    if (spreadBy !== undefined) await gather(transaction, name);
}

/** Rows with a value are on the same node as those of all tables beside the marks. */
async function divide(
  transaction: Transaction,
  { name, divideBy: { column } }: DividedTable,
  marks: string,
): Promise<void> {
  await transaction.script(`drop trigger if exists note_kind on ${name}`);
  await transaction.query(
    SQL`select create_distributed_table(${name}, ${column}, colocate_with => ${marks})`,
  );
}

/** Gives stored rows the notes of accounts that a divided index has: other kinds, and the tokens of owners. */
export async function adaptNotes(transaction: Transaction): Promise<void> {
  const codes = accountKinds.filter(isUnnoted).map((kind) => codeOf(accountKinds, kind));
  await transaction.query(SQL`delete from account_kinds where kind = any(${codes}::smallint[])`);
  await noteOwners(transaction);
}

const makeOwnedTokens = `create table if not exists ${ownedTokens.name} (
  owner bytea not null, kind smallint not null, token bytea not null, primary key (owner, kind, token))`;

/** Values that are tried for each shard until one is in it. */
const triesPerShard = 100;

/** Makes a table with a row in each shard, by which versions are read that all nodes have. */
async function markShards(transaction: Transaction, marks: string, type: string): Promise<void> {
  await transaction.script(`create table ${marks} (value ${type} primary key)`);
  await transaction.query(SQL`select create_distributed_table(${marks}, 'value', colocate_with => 'none')`);
  const value = raw(type === "bytea" ? "int8send(n)" : "n");
  const found = await transaction.query<{ values: unknown }>(SQL`
    select array_agg(value) as values from (
      select distinct on (shard) value from (
        select ${value} as value, get_shard_id_for_distribution_column(${marks}, ${value}) as shard
        from generate_series(1, ${triesPerShard} * (
          select count(*) from pg_dist_shard where logicalrelid = ${marks}::regclass)) n) tried
      order by shard) found`);
  await transaction.query(
    SQL`insert into ${raw(marks)} select unnest(${itemAt(found, 0).values as never}::${raw(type)}[])`,
  );
}

/** Makes a table that is spread over parts one without: shards take their place, or other nodes would have to know each part. */
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

/** Tables of other schemas that answers are read from. */
const alsoRead = ["tonwire_kept.sent_messages", kept.ledger];

/** Lets all nodes read the tables that are not divided, which stay on the coordinator. Each node has a copy of the version. */
async function shareOthers(transaction: Transaction): Promise<void> {
  await transaction.query(SQL`select create_reference_table('index_version')`);
  await transaction.query(SQL`select truncate_local_data_after_distributing_table('index_version')`);
  const others = await transaction.query<{ name: string }>(SQL`
    select c.oid::regclass::text as name from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition
      and (c.relnamespace = current_schema()::regnamespace or c.oid = any(${alsoRead}::text[]::regclass[]))
      and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`);
  for (const { name } of others)
    await transaction.query(SQL`select citus_add_local_table_to_metadata(${name})`);
}

/** Gives users the rights on views that they have on the coordinator, which Citus does for tables alone, on all other nodes. */
async function passOnGrants(database: Sql): Promise<void> {
  const results = await database.query<{ node: string; success: boolean; result: string }>(SQL`
    select g.nodename || ':' || g.nodeport as node, g.success, g.result
    from pg_class c cross join lateral aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
    cross join lateral run_command_on_workers(format(
      'set citus.enable_ddl_propagation = off; grant %s on %s to %I', a.privilege_type, c.oid::regclass, r.rolname)) g
    where c.relkind = 'v' and c.relnamespace = current_schema()::regnamespace and a.grantee <> c.relowner
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`);
  const failed = results.find(({ success }) => !success);
  if (failed)
    throw new SetupError(`the node ${failed.node} of the cluster does not take grants: ${failed.result}`);
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
async function refuseUsed(
  transaction: Transaction,
  { mayHaveBlocks }: { mayHaveBlocks: boolean },
): Promise<void> {
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
  if (blocks && !mayHaveBlocks)
    throw new SetupError(
      "the index has blocks, and only an empty one can be divided: run `tonwire empty-index` first",
    );
  if (!isFree || sessions > 0)
    throw new SetupError(
      `processes of tonwire use the database (${sessions} connections): stop them first, and start them again when the index is divided`,
    );
}

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
  // Actions whose ids begin alike may be of two traces.
  "alter table action_locator drop constraint action_locator_pkey",
  "create unique index action_locator_by_hash on action_locator (hash_prefix, trace_end_lt, trace_prefix)",
  // Parts of the table have one each, which is left with them.
  "create unique index account_traces_by_trace on account_traces (hash_prefix(trace_id), account)",
];

/** See commits.ts. The coordinator alone runs them. An update with a query for `seqno` would change its copy alone. */
const countCommits = [
  "set local citus.enable_ddl_propagation = off",
  `create sequence ${commitSequence}`,
  `grant select on sequence ${commitSequence} to public`,
  `create or replace function raise_index_version() returns void language plpgsql as $$
  declare
    version bigint;
    reached integer;
  begin
    perform from index_version for update;
    select coalesce((select last from indexed_range), 0) into reached;
    update index_version set n = n + 1, seqno = reached returning n into version;
    perform pg_advisory_xact_lock(${commitLock});
    perform nextval('${commitSequence}');
    perform pg_notify('tonwire_index', version || ' ' || reached);
  end $$`,
];
