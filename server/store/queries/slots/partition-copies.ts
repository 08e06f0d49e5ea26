import SQL, { join, raw } from "sql-template-tag";
import { foundIn } from "../../../../shared/values/lookups.js";
import type { Queries, Transaction } from "../../database.js";
import type { Table } from "../../declare/table.js";
import { oneRow } from "../../sql/one-row.js";
import type { Fragment } from "../../sql/where.js";
import { tables } from "../../tables/all-tables.js";
import { messageContents, messages } from "../../tables/messages.js";
import { dividingColumns } from "../cluster/divided-clauses.js";
import { onEachNode } from "../cluster/each-node.js";
import { boundsPattern } from "./slots.js";

/**
 * A table with several partitions in one slot, which begins at `from` and ends before `to`. `dividedBy`: the column by which its
 * rows are divided among nodes, if they are.
 */
export type SplitTable = {
  table: Table;
  dividedBy: string | undefined;
  from: bigint;
  to: bigint;
  partitions: readonly string[];
};

/** Index-only scans need vacuumed pages, and the default threshold is too rare for tables that are only appended to. */
export const tidied = "autovacuum_vacuum_insert_scale_factor = 0.02";

export const partitionedTables = Object.values<Table>(tables).filter(
  ({ partitionBy }) => partitionBy !== undefined,
);

/** The tables that have several partitions in a merged slot. */
export async function splitTables(queries: Queries): Promise<SplitTable[]> {
  const columnOf = await dividingColumns(queries);
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
  return rows.map(({ parent, from, to, names }) => {
    const table = foundIn(partitionedTables, ({ name }) => name === parent);
    return { table, dividedBy: columnOf(table), from, to, partitions: names };
  });
}

/** The name of the copy until it is a partition. */
function copyName({ table, from }: SplitTable): string {
  return `${table.name}_merging_${from}`;
}

/** The name of the table in which triggers note changes of the partitions. */
function notesName({ table, from }: SplitTable): string {
  return `${table.name}_changed_${from}`;
}

/** Drops the copies that an earlier process left. What notes changes stays: writers still note them. */
export function dropCopies(transaction: Transaction): Promise<void> {
  return dropNamed(transaction, "merging");
}

/** Drops the tables of notes, for an index that goes with its partitions: triggers of those that stay would fail. */
export function dropNotes(transaction: Transaction): Promise<void> {
  return dropNamed(transaction, "changed");
}

type Kind = "merging" | "changed" | "replaced";

async function dropNamed(transaction: Transaction, kind: Kind): Promise<void> {
  for (const name of await namesOf(transaction, kind)) await transaction.script(`drop table ${name}`);
}

/** Tables of a kind. Those of other programs in the database may have such names, too. */
async function namesOf(queries: Queries, kind: Kind): Promise<string[]> {
  const ours = partitionedTables.map(({ name }) => name).join("|");
  const rows = await queries.query<{ name: string }>(SQL`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and not relispartition
      and relname ~ ${`^(${ours})_${kind}_[0-9]+$`}`);
  return rows.map(({ name }) => name);
}

/** Whether there is a copy of the partitions that nobody has changed since. Drops one that is out of date. */
export async function hasCopy(transaction: Transaction, split: SplitTable): Promise<boolean> {
  const copy = copyName(split);
  if ((await exists(transaction, copy)) && !(await hasChanged(transaction, split))) return true;
  await transaction.script(`drop table if exists ${copy}`);
  return false;
}

/**
 * From the commit on, changes of the partitions are noted. Waits for transactions that have changed them, and keeps none from
 * reading them.
 */
export async function watchPartitions(transaction: Transaction, split: SplitTable): Promise<void> {
  const { table, dividedBy, partitions } = split;
  const notes = notesName(split);
  // A note with the value of this column is on the node of the row.
  const column = dividedBy ?? table.partitionBy!;
  if (dividedBy) for (const text of holdingShards(table)) await transaction.script(text);
  if (!(await exists(transaction, notes))) {
    await transaction.script(`create table ${notes} as select ${column} from ${table.name} with no data`);
    await divideLike(transaction, notes, split);
  }
  for (const partition of partitions)
    await transaction.script(`
      create or replace trigger note_change after insert or update or delete on ${partition}
      for each row execute function note_changed_row('${notes}', '${column}')`);
  await transaction.query(SQL`delete from ${raw(notes)}`);
}

/**
 * By default divided tables have no triggers: Citus cannot tell that these write to their own node. While one shard after the
 * other gets them, a writer could keep one of these and wait for another, so writers wait before that.
 */
function holdingShards({ name }: Table): string[] {
  return [
    "set local citus.enable_unsafe_triggers = on",
    `lock table only ${name} in share row exclusive mode`,
  ];
}

/** Divides a new table as the partitions are, if they are. */
async function divideLike(
  transaction: Transaction,
  name: string,
  { table, dividedBy }: SplitTable,
): Promise<void> {
  if (dividedBy)
    await transaction.query(
      SQL`select create_distributed_table(${name}, ${dividedBy}, colocate_with => ${table.name})`,
    );
}

async function exists(queries: Queries, name: string): Promise<boolean> {
  const { found } = await oneRow<{ found: boolean }>(
    queries,
    SQL`select to_regclass(${name}) is not null as found`,
  );
  return found;
}

async function hasChanged(queries: Queries, split: SplitTable): Promise<boolean> {
  const noted = await queries.query(SQL`select 1 as found from ${raw(notesName(split))} limit 1`);
  return noted.length > 0;
}

/** Whether the user may store tables in a tablespace of all nodes; `undefined` if one of them has none of this name. */
export async function mayUseTablespace(queries: Queries, name: string): Promise<boolean | undefined> {
  const found = await onEachNode(
    queries,
    `select has_tablespace_privilege(oid, 'create')::text from pg_tablespace where spcname = ${literal(name)}`,
  );
  if (found.some(({ result }) => result === "")) return undefined;
  return found.every(({ result }) => result === "true");
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
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
    await transaction.script(`set local default_tablespace = ${literal(tablespace)}`);
  await transaction.script("set local work_mem = '256MB'; set local maintenance_work_mem = '256MB'");
  // By this check the rows need not be read again when the copy becomes a partition.
  await transaction.script(`
    create table ${copy} (
      like ${table.name} including defaults including constraints,
      check (${table.partitionBy} >= ${from} and ${table.partitionBy} < ${to})
    ) with (${tidied})`);
  await divideLike(transaction, copy, split);
  await transaction.query(SQL`insert into ${raw(copy)} ${rowsOf(split)}`);
  for (const statement of await indexStatements(transaction, table.name, copy))
    await transaction.script(statement);
  return true;
}

/** The rows in the order of the copy, behind the names of the columns where they are needed. */
function rowsOf(split: SplitTable): Fragment {
  const { table, from, to } = split;
  if (table === (messageContents as Table)) return contentsOf(split);
  const order = table.clusterBy ?? [
    table.partitionBy!,
    ...table.key.filter((key) => key !== table.partitionBy),
  ];
  return SQL`
    select * from ${raw(table.name)}
    where ${raw(table.partitionBy!)} >= ${from} and ${raw(table.partitionBy!)} < ${to}
    order by ${raw(order.join(", "))}`;
}

/** Each body and state init once, of a divided index for each account, as the messages are sorted that have it first. */
function contentsOf({ dividedBy, from, to }: SplitTable): Fragment {
  const order = messages.clusterBy!.join(", ");
  const account = raw(dividedBy ? "account, " : "");
  const key = SQL`${account}hash`;
  const places = raw(`${dividedBy ? "partition by account " : ""}order by ${order}`);
  const uses = ["body_hash", "init_state_hash"].map(
    (hash) => SQL`
      select ${account}${raw(hash)} as hash, row_number() over (${places}) as place
      from messages where tx_lt >= ${from} and tx_lt < ${to}`,
  );
  return SQL`
    (from_lt, ${key}, body) select ${from}::bigint, ${key}, c.body
    from (
      select distinct on (${key}) ${key}, body from message_contents
      where from_lt >= ${from} and from_lt < ${to} order by ${key}) c
    left join (
      select ${key}, min(place) as place from (${join(uses, " union all ")}) used group by ${key}) u using (${key})
    order by ${account}u.place`;
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

/** Fails unless all nodes have the copy: one that was not reached as it was committed gets it later. */
export async function confirmCopy(queries: Queries, split: SplitTable): Promise<void> {
  await queries.query(SQL`select 1 as found from ${raw(copyName(split))} limit 1`);
}

/**
 * Statistics, and what lets index-only scans trust the pages. To be called once no transaction is older than the copy. It
 * cannot be in a transaction.
 */
export async function tidyCopy(queries: Queries, split: SplitTable, signal?: AbortSignal): Promise<void> {
  await queries.query(SQL`vacuum (freeze, analyze) ${raw(copyName(split))}`, { signal });
}

/** The partitions were changed while they were copied. */
export class OutdatedCopy extends Error {
  override readonly name = "OutdatedCopy";
}

/**
 * Puts the copy in the place of the partitions, which `dropReplaced` drops later. Readers and writers of the table wait until the
 * transaction ends. No transaction may be older than the copy, as its rows are not there for such a one. Throws
 * `OutdatedCopy` if they were changed.
 */
export async function replacePartitions(transaction: Transaction, split: SplitTable): Promise<true> {
  const { table, from, to, partitions } = split;
  const copy = copyName(split);
  // A writer holds a lock on the parent until its commit.
  await transaction.script(`lock table only ${table.name} in access exclusive mode`);
  for (const partition of partitions) {
    await transaction.script(`alter table ${table.name} detach partition ${partition}`);
    await transaction.script(`alter table ${partition} rename to ${replacedName(partition)}`);
  }
  // The coordinator of a cluster gives locks up before other nodes have committed, so theirs are waited for first.
  if (await hasChanged(transaction, split)) throw new OutdatedCopy("the partitions were changed");
  await transaction.script(
    `alter table ${table.name} attach partition ${copy} for values from (${from}) to (${to})`,
  );
  await transaction.script(`alter table ${copy} rename to ${table.name}_${from}`);
  return true;
}

/** The name of a replaced partition until it is dropped. */
function replacedName(partition: string): string {
  return partition.replace(/_(?=[0-9]+$)/, "_replaced_");
}

/**
 * Drops the partitions that copies have replaced, with the notes of their changes, while the table is read: Citus drops one
 * shard after the other, and a node deletes the files of a prepared commit before it gives up the locks.
 */
export async function dropReplaced(transaction: Transaction): Promise<true> {
  const names = await namesOf(transaction, "replaced");
  if (names.length === 0) return true;
  // A node that has prepared the replacement, but not made it yet, knows no such names: its lock of the table is waited for.
  for (const table of new Set(names.map((name) => name.replace(/_replaced_[0-9]+$/, ""))))
    await transaction.script(`lock table only ${table} in access share mode`);
  const notes = names.map((name) => name.replace("_replaced_", "_changed_"));
  await transaction.script(`drop table if exists ${[...names, ...notes].join(", ")}`);
  return true;
}
