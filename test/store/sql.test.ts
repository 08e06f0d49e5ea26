import SQL, { raw } from "sql-template-tag";
import { expect, onTestFinished, test, vi } from "vitest";
import { MergedRows } from "../../server/store/copy/merged-rows.js";
import { TableCopy } from "../../server/store/copy/table-copy.js";
import type { Queries, Sql } from "../../server/store/database.js";
import {
  bigint,
  bigintArray,
  boolean,
  bytea,
  integer,
  integerArray,
  jsonb,
  nullable,
  numeric,
  smallint,
  text,
  wideInteger,
} from "../../server/store/declare/columns.js";
import { type RowOf, table } from "../../server/store/declare/table.js";
import { migrate } from "../../server/store/migrate/migrate.js";
import { Partitions } from "../../server/store/slots/partitions.js";
import {
  describeBothDatabases,
  describeDatabases,
  describePostgres,
} from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";

const everyType = table("every_type", {
  columns: {
    id: integer,
    small: nullable(smallint),
    wide: nullable(wideInteger),
    big: nullable(bigint),
    flag: nullable(boolean),
    bytes: nullable(bytea),
    words: nullable(text),
    json: nullable(jsonb),
    exact: nullable(numeric),
    numbers: nullable(integerArray),
    bigs: nullable(bigintArray),
  },
  key: ["id"],
});

const createEveryType = `create table every_type (id integer, small smallint, wide bigint, big bigint, flag boolean,
  bytes bytea, words text, json jsonb, exact numeric, numbers integer[], bigs bigint[])`;

const rows: RowOf<typeof everyType.columns>[] = [
  { id: 1 },
  {
    id: 2,
    small: -32768,
    wide: 2 ** 40 + 1,
    big: -(2n ** 63n),
    flag: false,
    bytes: new Uint8Array(),
    words: "",
    json: {},
    exact: 0n,
    numbers: [],
    bigs: [],
  },
  {
    id: 3,
    small: 32767,
    wide: -1,
    big: 2n ** 63n - 1n,
    flag: true,
    bytes: new Uint8Array([0, 255, 92]),
    words: "naïve 'text' \\x",
    json: { "239": "666666666666" },
    exact: 2n ** 200n,
    numbers: [-1, 0, 2 ** 31 - 1],
    bigs: [-(2n ** 63n), 5n],
  },
  { id: 4, exact: 10_000n, wide: 0xffffffff },
];

/** As it comes out of a query. */
function readBack(row: RowOf<typeof everyType.columns>) {
  const names = Object.keys(everyType.columns) as (keyof typeof row)[];
  const plain = Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
  const { wide, bytes } = row;
  return {
    ...plain,
    wide: wide === undefined ? null : BigInt(wide),
    bytes: bytes === undefined ? null : Buffer.from(bytes),
  };
}

async function copy(database: Sql, into: string, chosen: typeof rows): Promise<void> {
  const copied = new TableCopy({ ...everyType, name: into }, { initialBytes: 16 });
  for (const row of chosen) copied.add(row);
  await database.transaction((transaction) => transaction.write([copied.finish()]));
}

function storedRows(database: Sql): Promise<object[]> {
  const columns = Object.keys(everyType.columns).join(", ");
  return database.query({ text: `select ${columns} from every_type order by id`, values: [] });
}

/** Warnings of this process: the driver warns once of a call that it will refuse later. */
const warnings: Error[] = [];
process.on("warning", (warning) => warnings.push(warning));

/** Is given up long before it ends. */
const long = SQL`select count(*) from generate_series(1, ${1_000_000}::integer) a, generate_series(1, 3) b`;

describeBothDatabases("A database", (fresh) => {
  const open = async () => (await fresh()).sql();

  test("answers statements that are made at once, though the connection gets them one by one", async () => {
    const database = await open();
    const numbers = [0, 1, 2, 3, 4, 5];
    const select = (queries: Queries, n: number) =>
      queries.query({ text: "select $1::integer as n", values: [n], isPlannedOnce: n % 2 === 0 });
    for (const snapshot of [true, false]) {
      const answers = await database.transaction(
        (queries) => Promise.all(numbers.map((n) => select(queries, n))),
        { snapshot },
      );
      expect(answers).toEqual(numbers.map((n) => [{ n }]));
    }
    const many = Array.from({ length: 200 }, (_, i) => i);
    expect(await Promise.all(many.map((i) => database.query(SQL`select ${i}::integer as i`)))).toEqual(
      many.map((i) => [{ i }]),
    );
    await new Promise(setImmediate);
    expect(warnings.filter(({ name }) => name === "DeprecationWarning")).toEqual([]);
  });

  test("returns copied and merged rows", async () => {
    const database = await open();
    await database.transaction((transaction) => transaction.script(createEveryType));
    await copy(database, "every_type", rows);
    expect(await storedRows(database)).toEqual(rows.map(readBack));

    const merged = { ...everyType, merge: "replace" } as const;
    await database.transaction(async (transaction) => {
      await transaction.script("truncate every_type; alter table every_type add primary key (id)");
      for (const chosen of [[rows[1]!], rows, []]) {
        const added = new MergedRows(merged);
        // Rows out of key order are merged in key order.
        for (const row of chosen.toReversed()) added.add(row);
        expect(added.rows).toBe(chosen.length);
        if (added.rows > 0) await transaction.write([added.finish()]);
      }
    });
    expect(await storedRows(database)).toEqual(rows.map(readBack));
  });

  test("runs statements and rows of several tables in their order", async () => {
    const database = await open();
    const rowsOf = (into: string, ids: number[]) => {
      const copied = new TableCopy({ ...everyType, name: into });
      for (const id of ids) copied.add({ id });
      return copied.finish();
    };
    await database.transaction(async (transaction) => {
      await transaction.write([]);
      await transaction.write([
        SQL`${raw(createEveryType)}`,
        rowsOf("every_type", [1, 2, 3]),
        SQL`create temp table other (like every_type) on commit drop`,
        rowsOf("other", [2, 5]),
        rowsOf("other", [3]),
        SQL`delete from every_type where id in (select id from other)`,
        SQL`insert into every_type (id) select id from other where id > 4`,
      ]);
    });
    expect(await database.query(SQL`select id from every_type order by id`)).toEqual([{ id: 1 }, { id: 5 }]);
  });

  test("takes and gives values of every kind and length", async () => {
    const database = await open();
    const [row] = await database.query(SQL`
      select ${2n ** 63n - 1n}::bigint as big, ${new Uint8Array([1, 2])}::bytea as bytes,
        ${[new Uint8Array([3]), new Uint8Array(), null]}::bytea[] as list, ${[1n, null]}::bigint[] as bigs,
        ${[null]}::bytea[] as nulls, ${[]}::bytea[] as none,
        ${"1.50"}::numeric as fraction, ${2n ** 100n}::numeric as exact, ${{ a: "b" }}::jsonb as json,
        ${null}::text as nothing, ${5}::integer as number, ${[1, 2]}::integer[] as numbers, ${true}::boolean as flag`);
    expect(row).toEqual({
      big: 2n ** 63n - 1n,
      bytes: Buffer.from([1, 2]),
      list: [Buffer.from([3]), Buffer.alloc(0), null],
      bigs: [1n, null],
      nulls: [null],
      none: [],
      fraction: "1.50",
      exact: 2n ** 100n,
      json: { a: "b" },
      nothing: null,
      number: 5,
      numbers: [1, 2],
      flag: true,
    });
    const bytes = Buffer.alloc(100_000, 7);
    const list = [bytes, Buffer.alloc(3_000_000, 8)];
    const [long] = await database.query(SQL`
      select ${bytes}::bytea = (${list}::bytea[])[1] as first, length((${list}::bytea[])[2]) as second,
        length(${"ü".repeat(200_000)}::text) as letters, ${1}::integer as number`);
    expect(long).toEqual({ first: true, second: 3_000_000, letters: 200_000, number: 1 });
  });

  test("keeps a transaction whole", async () => {
    const database = await open();
    const boom = new Error("boom");
    const failing = database.transaction(async (transaction) => {
      await transaction.query(SQL`insert into index_meta values ('kept', 'no')`);
      throw boom;
    });
    await expect(failing).rejects.toBe(boom);
    await database.transaction((transaction) =>
      transaction.query(SQL`insert into index_meta values ('kept', 'yes')`),
    );
    expect(await database.query(SQL`select value from index_meta where key = 'kept'`)).toEqual([
      { value: "yes" },
    ]);
  });

  test("ends a snapshot with its last statement, and writes nothing in one", async () => {
    const database = await open();
    const select = { text: "select 'naïve' as word, null as nothing", values: [] };
    const read = database.transaction((queries) => queries.query({ ...select, isLast: true }), {
      snapshot: true,
    });
    expect(await read).toEqual([{ word: "naïve", nothing: null }]);
    expect(await database.query(select)).toEqual([{ word: "naïve", nothing: null }]);
    const writing = database.transaction((transaction) => transaction.query(SQL`delete from index_meta`), {
      snapshot: true,
    });
    await expect(writing).rejects.toMatchObject({ code: "25006" });
  });

  test("makes rows of the bytes of their texts", async () => {
    const database = await open();
    // Longer than what is read at once.
    const select = SQL`
      select number, repeat(chr(224 + number % 10), 3000) as word, null as nothing
      from generate_series(1, 200) number`;
    type Bytes = { number: Uint8Array; word: Uint8Array; nothing: null };
    const fromBytes = ({ number, word, nothing }: Bytes) => `${number} ${word} ${nothing}`;
    const { text, values } = select;
    const found = await database.query({ text, values, fromBytes });
    expect(found).toEqual(
      Array.from(
        { length: 200 },
        (_, i) => `${i + 1} ${String.fromCharCode(224 + ((i + 1) % 10)).repeat(3000)} null`,
      ),
    );
    const boom = new Error("boom");
    const failing = database.query({
      ...{ text, values },
      fromBytes: () => {
        throw boom;
      },
    });
    await expect(failing).rejects.toBe(boom);
    expect(await database.query(SQL`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  test("goes on after statements that fail, COPY among them", async () => {
    const database = await open();
    await expect(database.query(SQL`select 1 / ${0}::integer`)).rejects.toMatchObject({ code: "22012" });
    const target = { table: "index_meta", columns: ["key", "value"] };
    const broken = database.transaction((transaction) =>
      transaction.write([{ target, rows: new Uint8Array(100) }]),
    );
    await expect(broken).rejects.toMatchObject({ code: "22P04" });
    const absent = database.transaction((transaction) =>
      transaction.write([
        { target: { table: "no_table", columns: ["a"] }, rows: new Uint8Array(5_000_000) },
        { target, rows: new Uint8Array(100) },
        SQL`insert into index_meta values ('skipped', '')`,
      ]),
    );
    await expect(absent).rejects.toMatchObject({ code: "42P01" });
    expect(await database.query(SQL`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  test("cancels statements that take too long or have no waiting caller, and answers afterwards", async () => {
    const database = await fresh();
    const impatient = database.sql({ statementTimeoutMs: 20 });
    // A server goes by its own clock.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = impatient.query(long);
    setImmediate(() => vi.advanceTimersByTime(20));
    await expect(asked).rejects.toMatchObject({ code: "timeout", message: "query timeout" });
    vi.useRealTimers();
    const sql = database.sql();
    expect(await sql.query(SQL`select 1 as one`)).toEqual([{ one: 1 }]);

    const caller = new AbortController();
    const abandoned = sql.query(long, { signal: caller.signal });
    setImmediate(() => caller.abort());
    await expect(abandoned).rejects.toThrow();
    expect(await sql.query(SQL`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  test("lets a call wait for a connection that others use as long as they do, unless it has a limit", async () => {
    const queries = (await fresh()).sql({ connections: 1 });
    const statement = SQL`select 1 as one`;
    const waiting = await queries.transaction(async (transaction) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const asked = queries.query(statement);
      vi.advanceTimersByTime(600_000);
      vi.useRealTimers();
      await transaction.query(statement);
      return { asked };
    });
    expect(await waiting.asked).toEqual([{ one: 1 }]);
  });
});

describeDatabases("The index in a database", (fresh) => {
  test("makes partitions where lt need them", async () => {
    const database = (await fresh()).sql();
    const grid = 2_000_000_000_000n;
    const partitions = new Partitions(database);
    await partitions.cover(5n, 5n);
    await Promise.all([partitions.cover(grid - 1n, grid), new Partitions(database).cover(grid, grid * 2n)]);
    const made = await database.query<{ name: string }>(SQL`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'messages'::regclass order by 1`);
    expect(made.map(({ name }) => name)).toEqual(["messages_0", `messages_${grid}`, `messages_${2n * grid}`]);
  });
});

describePostgres("An empty database", (_fresh, server) => {
  test("gets its schema once when several processes start", async () => {
    const url = await server().database();
    const databases = [1, 2, 3, 4].map(() => openPatiently(url));
    await Promise.all(databases.map((database) => migrate(database.sql())));
    const [row] = await databases[0]!
      .sql()
      .query<{ count: bigint }>(SQL`select count(*) from schema_migrations`);
    expect(row!.count).toBeGreaterThan(2n);
    await Promise.all(databases.map((database) => database.close()));
  });
});

describePostgres("A pool", (_fresh, server) => {
  test("keeps connections that have nothing to do for minutes, not for ever", async () => {
    const database = openPatiently(await server().database());
    const sql = database.sql();
    const connection = async () =>
      (await sql.query<{ pid: number }>(SQL`select pg_backend_pid() as pid`))[0]!.pid;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const first = await connection();
    vi.advanceTimersByTime(5 * 60_000);
    expect(await connection()).toBe(first);
    vi.advanceTimersByTime(20 * 60_000);
    expect(await connection()).not.toBe(first);
    vi.useRealTimers();
    await database.close();
  });
});
