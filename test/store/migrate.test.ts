import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../server/store/database.js";
import { knownMigrations, type Migration, MigrationError, migrate } from "../../server/store/migrate.js";
import { describeDatabases, describePostgres } from "../helpers/describe-databases.js";
import { freePort } from "../helpers/free-port.js";
import { openPatiently } from "../helpers/postgres.js";
import { queriesOf } from "../helpers/queries-of.js";
import { startService } from "../helpers/service.js";
import { until } from "../helpers/until.js";

const known = knownMigrations();
/** The schema of the first release. */
const firstRelease = known.filter(({ number }) => number <= 7);

const step = (number: number, script: string): Migration => ({
  number,
  name: `${number}-added.sql`,
  script: () => script,
});

const rowsOf = (database: Database, text: string) => queriesOf(database).query<object>({ text, values: [] });
const appliedOf = async (database: Database) =>
  (
    await queriesOf(database).query<{ number: number }>({
      text: "select number from schema_migrations order by number",
      values: [],
    })
  ).map(({ number }) => number);

/** Columns and indexes of all tables. */
const schemaOf = async (database: Database) => [
  await rowsOf(
    database,
    `select table_name, column_name, data_type, is_nullable from information_schema.columns
     where table_schema = 'public' order by table_name, column_name`,
  ),
  await rowsOf(database, "select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1"),
];

async function makeFirstRelease(database: Database): Promise<void> {
  const sql = database.sql();
  await sql.transaction((transaction) =>
    transaction.script("drop schema public cascade; create schema public"),
  );
  await migrate(sql, { migrations: firstRelease });
  await sql.transaction((transaction) =>
    transaction.script(String.raw`
      insert into contract_methods (code_hash, methods) values
        ('\x01', '{-2,-1,0,85143}'), ('\x02', '{0,97026}'), ('\x03', '{}');`),
  );
}

describeDatabases("A database of the first release", (fresh) => {
  test("is brought to the schema of this version, with what is in it, and says so", async () => {
    const database = await fresh();
    const schema = await schemaOf(database);
    await makeFirstRelease(database);
    await rowsOf(
      database,
      `insert into index_ranges (from_seqno, to_seqno, done_to, state, joined) values
        (1, 10, 10, 2, false), (11, 20, 20, 2, true), (21, 30, 25, 1, false), (31, 40, 30, 0, false),
        (41, 50, 50, 2, false), (51, 60, 60, 2, true), (61, 2147483647, 70, 1, true)`,
    );
    const progress: string[] = [];
    await migrate(database.sql(), { onProgress: (text) => progress.push(text) });
    expect(await schemaOf(database)).toEqual(schema);
    expect(await appliedOf(database)).toEqual(known.map(({ number }) => number));
    expect(await rowsOf(database, "select methods from contract_methods order by code_hash")).toEqual([
      { methods: [0, 85143, 524286, 524287] },
      { methods: [0, 97026] },
      { methods: [] },
    ]);
    const ranges = "select from_seqno, to_seqno, done_to, joined from index_ranges order by 1";
    expect((await rowsOf(database, ranges)).map(Object.values)).toEqual([
      [1, 20, 20, false],
      [21, 30, 25, false],
      [31, 40, 30, false],
      [41, 60, 60, false],
      [61, 2_147_483_647, 70, true],
    ]);
    const newest = known.at(-1)!.number;
    for (const { name } of known.slice(firstRelease.length))
      expect(progress).toContain(`migrating the database, ${name} of ${newest}`);
    await migrate(database.sql(), { onProgress: () => expect.unreachable("there is nothing left to do") });
  });

  test("stays as it was when a migration fails, and the refusal says how to build it anew", async () => {
    const database = await fresh();
    await makeFirstRelease(database);
    const good = step(8, "create table added (id integer);\n-- step: fill it\ninsert into added values (1);");
    const bad = step(9, "drop table added;\n-- step: divide\nselect 1 / 0;");
    const progress: string[] = [];
    const migrated = migrate(database.sql(), {
      migrations: [...firstRelease, good, bad],
      emptyCommand: "rm -r there",
      onProgress: (text) => progress.push(text),
    });
    await expect(migrated).rejects.toThrow(MigrationError);
    await expect(migrated).rejects.toMatchObject({
      isSetupError: true,
      message:
        "9-added.sql could not be applied to the database, which is as it was: division by zero. " +
        "Build the index anew: rm -r there, then start again",
    });
    expect(progress).toEqual([
      "migrating the database, 8-added.sql of 9",
      "migrating the database, 8-added.sql of 9: fill it",
      "migrating the database, 9-added.sql of 9",
      "migrating the database, 9-added.sql of 9: divide",
    ]);
    expect(await rowsOf(database, "select id from added")).toEqual([{ id: 1 }]);
    expect(await appliedOf(database)).toEqual([...firstRelease, good].map(({ number }) => number));
    // A version that can apply it continues from there.
    await migrate(database.sql(), { migrations: [...firstRelease, good, step(9, "drop table added")] });
    expect((await appliedOf(database)).at(-1)).toBe(9);
  });

  test("is refused if another program has changed its schema", async () => {
    const database = await fresh();
    await makeFirstRelease(database);
    await migrate(database.sql(), { migrations: [...firstRelease, step(8, "create table other ()")] });
    const other = step(8, "create table something ()");
    const migrations = [...firstRelease, { ...other, name: "8-else.sql" }];
    await expect(migrate(database.sql(), { migrations })).rejects.toThrow(
      "the database has the schema of another program: 8-added.sql. Build the index anew: empty the database",
    );
    expect((await rowsOf(database, "select to_regclass('something') as found"))[0]).toEqual({ found: null });
  });
});

describePostgres("A service", (_, server) => {
  test("migrates the database of the first release and shows the progress in its log", async () => {
    const databaseUrl = await server().database();
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    await makeFirstRelease(database);
    const service = await startService({ databaseUrl, index: true });
    onTestFinished(() => service.close());
    await until("the index", async () => (await service.get("/healthcheck")).status === 200);
    const steps = known
      .slice(firstRelease.length)
      .flatMap(({ script }) => ["all", ...script().matchAll(/^-- step: /gm)]);
    expect(service.logLines.filter((line) => line.includes("migrating the database"))).toHaveLength(
      steps.length,
    );
  });

  test("does not touch a database with tables of something else", async () => {
    const databaseUrl = await server().database();
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    await database.sql().transaction((sql) => sql.script("create table blocks (mine integer)"));
    const service = await startService({ databaseUrl, index: true, adminPort: await freePort() });
    onTestFinished(() => service.close());
    const reason =
      'the tables of the index cannot be created: relation "blocks" already exists. The database must be empty';
    const health = async () => (await fetch(`${service.adminUrl}/healthcheck`)).text();
    await until("the refusal", async () => (await health()) === reason);
    expect(await rowsOf(database, "select mine from blocks")).toEqual([]);
  });
});
