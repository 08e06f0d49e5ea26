import SQL, { raw } from "sql-template-tag";
import type { Queries, Sql, Transaction } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate/migrate.js";

/** The initial state of a schema: its tables, the initial rows of some, and a digest of all declarations. */
type Beginning = {
  readonly tables: ReadonlySet<string>;
  readonly rows: ReadonlyMap<string, string>;
  readonly declared: string;
};

/** The schemas that migrations make. */
const namespaces = SQL`'public'::regnamespace, 'tonwire_kept'::regnamespace`;

/** A schema that is new for every test. Making one takes nearly a second, so that the rows of the test before are removed. */
export class EmptiedSchema {
  readonly #sql: Sql;
  readonly #beginning: Beginning;

  private constructor(sql: Sql, beginning: Beginning) {
    this.#sql = sql;
    this.#beginning = beginning;
  }

  static async make(sql: Sql): Promise<EmptiedSchema> {
    await migrate(sql);
    const tables = await tableNames(sql);
    const rows = new Map<string, string>();
    for (const table of await tablesWithRows(sql, tables)) rows.set(table, await rowsOf(sql, table));
    return new EmptiedSchema(sql, { tables: new Set(tables), rows, declared: await declaredIn(sql) });
  }

  async restore(): Promise<void> {
    await this.#sql.transaction((transaction) => this.#removeRows(transaction));
    if ((await declaredIn(this.#sql)) === this.#beginning.declared)
      await this.#sql.transaction((transaction) => this.#addRows(transaction));
    // A test changed more than rows and partitions.
    else await this.#makeAnew();
  }

  /** Drops tables that were added, too. */
  async #removeRows(transaction: Transaction): Promise<void> {
    await transaction.script("discard temp");
    const present = await tableNames(transaction);
    const added = present.filter((table) => !this.#beginning.tables.has(table));
    if (added.length > 0) await transaction.script(`drop table ${added.join(", ")} cascade`);
    const known = present.filter((table) => this.#beginning.tables.has(table));
    const filled = await tablesWithRows(transaction, known);
    if (filled.length > 0) await transaction.script(`truncate ${filled.join(", ")} restart identity cascade`);
  }

  async #addRows(transaction: Transaction): Promise<void> {
    for (const [table, stored] of this.#beginning.rows)
      await transaction.query(SQL`
        insert into ${raw(table)} select * from json_populate_recordset(null::${raw(table)}, ${stored}::json)`);
  }

  async #makeAnew(): Promise<void> {
    await this.#sql.transaction((transaction) =>
      transaction.script("drop schema public, tonwire_kept cascade; create schema public"),
    );
    await migrate(this.#sql);
  }
}

/** Tables with storage; partitioned tables have none. */
async function tableNames(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ name: string }>(SQL`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace in (${namespaces}) order by 1`);
  return rows.map(({ name }) => name);
}

async function tablesWithRows(queries: Queries, tables: readonly string[]): Promise<string[]> {
  if (tables.length === 0) return [];
  const each = tables.map((table) => `select '${table}' as name where exists (select from ${table})`);
  const rows = await queries.query<{ name: string }>({ text: each.join(" union all "), values: [] });
  return rows.map(({ name }) => name);
}

async function rowsOf(queries: Queries, table: string): Promise<string> {
  const [row] = await queries.query<{ rows: string }>(SQL`
    select json_agg(t)::text as rows from ${raw(table)} t`);
  return row!.rows;
}

/** Columns, partitions, indexes, constraints, functions, triggers, and the planner's statistics, as a digest. */
async function declaredIn(queries: Queries): Promise<string> {
  const [row] = await queries.query<{ digest: string }>(SQL`
    with classes as (
      select oid, relname, relkind, reloptions, relpartbound from pg_class
      where relnamespace in (${namespaces}))
    select md5(concat_ws(' ',
      (select string_agg(concat_ws(' ', relname, relkind, reloptions, pg_get_expr(relpartbound, oid)), ',' order by relname)
        from classes),
      (select string_agg(concat_ws(' ', relname, attname, atttypid, attnotnull, attisdropped,
          pg_get_expr(adbin, adrelid)), ',' order by relname, attnum)
        from classes join pg_attribute on attrelid = oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where relkind in ('r', 'p') and attnum > 0),
      (select string_agg(indexdef, ',' order by indexname) from pg_indexes where schemaname in ('public', 'tonwire_kept')),
      (select string_agg(conname || pg_get_constraintdef(oid), ',' order by conrelid::regclass::text, conname)
        from pg_constraint where connamespace in (${namespaces})),
      (select string_agg(proname || prosrc, ',' order by proname, prosrc) from pg_proc
        where pronamespace in (${namespaces})),
      (select string_agg(tgname || tgrelid::regclass, ',' order by tgrelid::regclass::text, tgname) from pg_trigger),
      (select string_agg(typname, ',' order by typname) from pg_type where typnamespace in (${namespaces})),
      (select count(*) from pg_statistic join classes on oid = starelid),
      (select string_agg(setconfig::text, ',') from pg_db_role_setting))) as digest`);
  return row!.digest;
}
