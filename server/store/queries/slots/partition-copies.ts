import SQL, { join, raw } from "sql-template-tag";
import { foundIn } from "../../../../shared/values/lookups.js";
import type { Queries, Transaction } from "../../database.js";
import type { Table } from "../../declare/table.js";
import { oneRow } from "../../sql/one-row.js";
import type { Fragment } from "../../sql/where.js";
import { tables } from "../../tables/all-tables.js";
import { messageContents, messages } from "../../tables/messages.js";
import { boundsPattern } from "./slots.js";

/** A table with several partitions in one slot, which begins at `from` and ends before `to`. */
export type SplitTable = { table: Table; from: bigint; to: bigint; partitions: readonly string[] };

/** Index-only scans need vacuumed pages, and the default threshold is too rare for tables that are only appended to. */
export const tidied = "autovacuum_vacuum_insert_scale_factor = 0.02";

export const partitionedTables = Object.values<Table>(tables).filter(
  ({ partitionBy }) => partitionBy !== undefined,
);

/** The tables that have several partitions in a merged slot. */
export async function splitTables(queries: Queries): Promise<SplitTable[]> {
  const rows = await queries.query<{ parent: string; from: bigint; to: bigint; names: string[] }>(SQL`
    select p.parent, s.from_lt as "from", s.to_lt as "to", array_agg(p.name order by p.from_lt) as names
    from slots s join (
      select i.inhparent::regclass::text as parent, i.inhrelid::regclass::text as name, b.bounds[1] as from_lt, b.bounds[2] as to_lt
      from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join lateral (
        select regexp_match(pg_get_expr(c.relpartbound, c.oid), ${boundsPattern})::bigint[] as bounds) b
      where i.inhparent = any(${partitionedTables.map(({ name }) => name)}::text[]::regclass[])
    ) p on p.from_lt >= s.from_lt and p.to_lt <= s.to_lt
    where s.merged
    group by 1, 2, 3 having count(*) > 1 order by 2, 1`);
  return rows.map(({ parent, from, to, names }) => ({
    table: foundIn(partitionedTables, ({ name }) => name === parent),
    from,
    to,
    partitions: names,
  }));
}

/** The name of the copy until it is a partition. */
function copyName({ table, from }: SplitTable): string {
  return `${table.name}_merging_${from}`;
}

/** Drops the copies that an earlier process left. */
export async function dropCopies(transaction: Transaction): Promise<void> {
  const rows = await transaction.query<{ name: string }>(SQL`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and not relispartition
      and relname ~ '_merging_[0-9]+$'`);
  for (const { name } of rows) await transaction.script(`drop table ${name}`);
}

/** Whether there is a copy of the partitions that nobody has changed since. Drops one that is out of date. */
export async function hasCopy(transaction: Transaction, split: SplitTable): Promise<boolean> {
  const row = await oneRow<{ found: boolean }>(
    transaction,
    SQL`
    select to_regclass(${copyName(split)}) is not null as found`,
  );
  if (row.found && !(await hasChanged(transaction, split))) return true;
  await transaction.script(`drop table if exists ${copyName(split)}`);
  return false;
}

/**
 * From the commit on, changes of the partitions are noted. Waits for transactions that have changed them, and keeps none from
 * reading them.
 */
export async function watchPartitions(
  transaction: Transaction,
  { table, from, partitions }: SplitTable,
): Promise<void> {
  for (const partition of partitions)
    await transaction.script(`
      create or replace trigger note_change after insert or update or delete on ${partition}
      for each row execute function note_slot_change('${table.name}', '${from}')`);
  await forgetChanges(transaction, { table, from });
}

async function forgetChanges(
  transaction: Transaction,
  { table, from }: Pick<SplitTable, "table" | "from">,
): Promise<void> {
  await transaction.query(SQL`
    delete from slot_changes where table_name = ${table.name} and from_lt = ${from}`);
}

async function hasChanged(queries: Queries, { table, from }: SplitTable): Promise<boolean> {
  const row = await oneRow<{ found: boolean }>(
    queries,
    SQL`
    select exists (select from slot_changes where table_name = ${table.name} and from_lt = ${from}) as found`,
  );
  return row.found;
}

/** Whether the user may store tables in a tablespace; `undefined` if there is none of this name. */
export async function mayUseTablespace(queries: Queries, name: string): Promise<boolean | undefined> {
  const [row] = await queries.query<{ may: boolean }>(SQL`
    select has_tablespace_privilege(oid, 'create') as may from pg_tablespace where spcname = ${name}`);
  return row?.may;
}

/** Copies the rows of the partitions, which must be watched, sorted, and builds the indexes. Returns true. */
export async function copyPartitions(
  transaction: Transaction,
  split: SplitTable,
  tablespace?: string,
): Promise<true> {
  const { table, from, to } = split;
  const copy = copyName(split);
  if (tablespace !== undefined)
    await transaction.query(SQL`select set_config('default_tablespace', ${tablespace}, true)`);
  await transaction.script(`
    set local work_mem = '256MB';
    set local maintenance_work_mem = '256MB';
    create table ${copy} (like ${table.name} including defaults including constraints) with (${tidied})`);
  await transaction.query(SQL`insert into ${raw(copy)} ${rowsOf(split)}`);
  // By this check the rows need not be read again when the copy becomes a partition.
  await transaction.script(`
    alter table ${copy} add check (${table.partitionBy} >= ${from} and ${table.partitionBy} < ${to})`);
  for (const statement of await indexStatements(transaction, table.name, copy))
    await transaction.script(statement);
  return true;
}

function rowsOf({ table, from, to }: SplitTable): Fragment {
  if (table === (messageContents as Table)) return contentsOf(from, to);
  const order = table.clusterBy ?? [
    table.partitionBy!,
    ...table.key.filter((key) => key !== table.partitionBy),
  ];
  return SQL`
    select * from ${raw(table.name)}
    where ${raw(table.partitionBy!)} >= ${from} and ${raw(table.partitionBy!)} < ${to}
    order by ${raw(order.join(", "))}`;
}

/** Each body and state init once, as the messages are sorted that have it first. */
function contentsOf(from: bigint, to: bigint): Fragment {
  const order = raw(messages.clusterBy!.join(", "));
  const uses = ["body_hash", "init_state_hash"].map(
    (hash) => SQL`
      select ${raw(hash)} as hash, row_number() over (order by ${order}) as place
      from messages where tx_lt >= ${from} and tx_lt < ${to}`,
  );
  return SQL`
    select ${from}::bigint, c.hash, c.body
    from (
      select distinct on (hash) hash, body from message_contents
      where from_lt >= ${from} and from_lt < ${to} order by hash) c
    left join (select hash, min(place) as place from (${join(uses, " union all ")}) used group by hash) u using (hash)
    order by u.place`;
}

/** Hardly any row comes to an old slot, so that pages need no room. */
const full = "fillfactor = 100";

/** Statements that build the indexes of a partitioned table for another table. */
async function indexStatements(queries: Queries, table: string, copy: string): Promise<string[]> {
  const rows = await queries.query<{ definition: string; key: string | null }>(SQL`
    select pg_get_indexdef(i.indexrelid) as definition, pg_get_constraintdef(c.oid) as key
    from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'p'
    where i.indrelid = ${table}::regclass order by i.indexrelid`);
  return rows.map(({ definition, key }) =>
    key === null
      ? definition
          .replace(/^CREATE (UNIQUE )?INDEX \S+ ON ONLY \S+ /, `create $1index on ${copy} `)
          .replace(/( WHERE .*)?$/s, ` with (${full})$1`)
      : `alter table ${copy} add ${key} with (${full})`,
  );
}

/**
 * Statistics, and what lets index-only scans trust the pages. To be called once no transaction is older than the copy. It
 * cannot be in a transaction.
 */
export async function tidyCopy(queries: Queries, split: SplitTable, signal?: AbortSignal): Promise<void> {
  await queries.query(SQL`vacuum (freeze, analyze) ${raw(copyName(split))}`, { signal });
}

/**
 * Puts the copy in the place of the partitions, which nobody reads or writes until the end of the transaction. No
 * transaction may be older than the copy, as its rows are not there for such a one. Returns false if they were changed.
 */
export async function replacePartitions(transaction: Transaction, split: SplitTable): Promise<boolean> {
  const { table, from, to, partitions } = split;
  // A writer holds a lock on the parent until its commit.
  await transaction.script(`lock table only ${table.name} in access exclusive mode`);
  if (await hasChanged(transaction, split)) return false;
  const copy = copyName(split);
  await transaction.script(`
    drop table ${partitions.join(", ")};
    alter table ${table.name} attach partition ${copy} for values from (${from}) to (${to});
    alter table ${copy} rename to ${table.name}_${from}`);
  await forgetChanges(transaction, split);
  return true;
}
