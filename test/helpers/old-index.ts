import SQL, { raw } from "sql-template-tag";
import type { Database, Queries } from "../../server/store/database.js";
import { migrate } from "../../server/store/migrate.js";
import { knownMigrations } from "../../server/store/schemas.js";

/** The width of the ranges of the grid. */
const readGrid = SQL`select value from index_meta where key = 'lt_grid'`;

/** Columns that tables had once, as SQL over the rows `r` of now. */
export type OldColumns = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Makes a database what an earlier version, whose last migration is `upTo`, would have made of the same chain. */
export async function turnBack(database: Database, upTo: number, old: OldColumns = {}): Promise<void> {
  const sql = database.sql({ connections: 1 });
  const slots = await sql.query<Slot>(SQL`select from_lt, to_lt from slots order by from_lt`);
  const [grid] = await sql.query<{ value: string }>(readGrid);
  const saved = await save(sql, old);
  await sql.transaction((transaction) =>
    transaction.script("discard temp; drop schema public cascade; create schema public"),
  );
  await migrate(sql, { migrations: knownMigrations().filter(({ number }) => number <= upTo) });
  await sql.query(SQL`update index_meta set value = ${grid!.value} where key = 'lt_grid'`);
  for (const slot of slots) await createPartitions(sql, slot, upTo);
  const columns = await columnsOfTables(sql);
  for (const [name, rows] of saved) {
    const names = columns.get(name)?.join(", ");
    if (names === undefined) continue;
    await sql.query(SQL`delete from ${raw(name)}`);
    await sql.query(SQL`
      insert into ${raw(name)} (${raw(names)})
      select ${raw(names)} from json_populate_recordset(null::${raw(name)}, ${rows}::json)
      on conflict do nothing`);
  }
}

type Slot = { from_lt: bigint; to_lt: bigint };

/** In all tables that had slots then. */
async function createPartitions(queries: Queries, { from_lt, to_lt }: Slot, upTo: number): Promise<void> {
  const tables = await queries.query<{ name: string }>(SQL`
    select c.relname::text as name from pg_class c join pg_partitioned_table p on p.partrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and p.partstrat = 'r'`);
  const [grid] = await queries.query<{ value: string }>(readGrid);
  // Before there were slots, partitions were named by the places of their ranges in a grid.
  const place = upTo < firstOfSlots ? from_lt / BigInt(grid!.value) : from_lt;
  for (const { name } of tables)
    await queries.query(SQL`
      create table ${raw(`${name}_${place}`)} partition of ${raw(name)}
      for values from (${raw(String(from_lt))}) to (${raw(String(to_lt))})`);
}

/** The migration that makes slots. */
const firstOfSlots = 11;

/** The rows of all tables as JSON. */
async function save(queries: Queries, old: OldColumns): Promise<Map<string, string>> {
  const saved = new Map<string, string>();
  for (const [name, columns] of await columnsOfTables(queries)) {
    const more = Object.entries(old[name] ?? {}).map(([column, value]) => `${value} as ${column}`);
    const fields = [...columns.map((column) => `r.${column}`), ...more].join(", ");
    const [row] = await queries.query<{ rows: string }>(SQL`
      select coalesce(json_agg(saved), '[]')::text as rows
      from (select ${raw(fields)} from ${raw(name)} r) saved`);
    saved.set(name, row!.rows);
  }
  return saved;
}

/** The columns of all tables with rows of the chain, by their names. */
async function columnsOfTables(queries: Queries): Promise<Map<string, string[]>> {
  const tables = await queries.query<{ name: string; columns: string[] }>(SQL`
    select c.relname::text as name, array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('schema_migrations', 'index_meta')
    group by 1`);
  return new Map(tables.map(({ name, columns }) => [name, columns]));
}
