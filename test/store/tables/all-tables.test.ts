import SQL from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../server/store/declare/table.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import { anyKind, type FreshDatabase } from "../../helpers/store/databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";

const [, open] = anyKind;

type StoredColumn = { name: string; type: string; nullable: boolean; has_default: boolean };

const declared: readonly Table[] = Object.values(tables);
/** Tables of the store about itself, which have no data of the chain. */
const own = [
  "account_kinds",
  "index_meta",
  "bootstrapped_states",
  "index_ranges",
  "index_version",
  "recognition_costs",
  "late_traces",
  "late_wallets",
  "schema_migrations",
  "slots",
];

describe("The declaration of a table", () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await open();
  });
  afterAll(() => fresh.close());

  async function uniqueIndexes(name: string): Promise<string[]> {
    const found = await query<{ text: string }>(SQL`
      select regexp_replace(pg_get_indexdef(indexrelid), '^.* USING btree ', '') as text
      from pg_index where indrelid = ${name}::regclass and indisunique`);
    return found.map(({ text }) => text);
  }

  const query = <Row extends object>(statement: ReturnType<typeof SQL>) =>
    queriesOf(fresh.database).query<Row>(statement);

  test.each(declared.map((table) => [table.name, table] as const))(
    "has the columns of the schema: %s",
    async (name, { columns, defaulted }) => {
      const stored = await query<StoredColumn>(SQL`
        select attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable,
          atthasdef as has_default
        from pg_attribute where attrelid = ${name}::regclass and attnum > 0 and not attisdropped order by attnum`);
      const written = Object.entries(columns).map(([column, { sqlType, nullable }]) => ({
        name: column,
        type: sqlType,
        nullable,
        has_default: false,
      }));
      const left = Object.entries(defaulted).map(([column, { sqlType, nullable }]) => ({
        name: column,
        type: sqlType,
        nullable,
        has_default: true,
      }));
      expect([...written, ...left].sort(byName)).toEqual([...stored].sort(byName));
    },
  );

  test.each(declared.map((table) => [table.name, table] as const))(
    "has the key and the partitioning of the schema: %s",
    async (name, { key, uniqueBy, partitionBy, spreadBy }) => {
      const stored = await query<{ name: string }>(SQL`
        select a.attname as name
        from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality k(attnum, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = ${name}::regclass and i.indisprimary order by k.place`);
      expect(uniqueBy === undefined ? key : []).toEqual(stored.map((column) => column.name));
      const parts = spreadBy === undefined ? [name] : Array.from({ length: 16 }, (_, i) => `${name}_${i}`);
      if (uniqueBy)
        for (const part of parts) expect(await uniqueIndexes(part)).toEqual([`(${uniqueBy.join(", ")})`]);
      const [found] = await query<{ by: string | null }>(SQL`
        select pg_get_partkeydef(${name}::regclass) as by`);
      const spread = spreadBy === undefined ? null : `HASH (${spreadBy})`;
      expect(found!.by).toBe(partitionBy === undefined ? spread : `RANGE (${partitionBy})`);
    },
  );

  test.each(declared.map((table) => [table.name, table] as const))(
    "names its own columns: %s",
    (_, { columns, key, merge, revertBy, traceColumn }) => {
      const merged =
        typeof merge !== "object"
          ? []
          : "add" in merge
            ? merge.add
            : "combine" in merge
              ? Object.values(merge.combine).flat()
              : "widen" in merge
                ? Object.values(merge.widen)
                : [...merge.newest, ...Object.entries(merge.completedBy).flat()];
      for (const column of [...key, ...merged, ...Object.values(revertBy ?? {}), traceColumn ?? key[0]!])
        expect(Object.keys(columns)).toContain(column);
    },
  );

  test("is there for every table", async () => {
    const stored = await query<{ name: string }>(SQL`
      select relname as name from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition`);
    expect(stored.map(({ name }) => name).sort()).toEqual(
      [...declared.map(({ name }) => name), ...own].sort(),
    );
  });
});

function byName(a: StoredColumn, b: StoredColumn): number {
  return a.name < b.name ? -1 : 1;
}
