import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../server/store/database.js";
import { MigrationError } from "../../server/store/ledger.js";
import { migrate, schemaLack } from "../../server/store/migrate.js";
import { keptMigrations, knownMigrations, type Migration } from "../../server/store/schemas.js";
import { describeBothDatabases, describePostgres } from "../helpers/describe-databases.js";
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

describeBothDatabases("A database of the first release", (fresh) => {
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

describeBothDatabases("The tables that outlive an index", (fresh) => {
  const withoutThem = async () => {
    const database = await fresh();
    await database.sql().transaction((sql) => sql.script("drop schema tonwire_kept cascade"));
    return database;
  };
  const keptOf = async (database: Database) => [
    await rowsOf(database, "select number, name from tonwire_kept.schema_migrations order by number"),
    await rowsOf(
      database,
      "select relname from pg_class where relnamespace = 'tonwire_kept'::regnamespace order by 1",
    ),
  ];

  test("are created in the database of an earlier version, without a word in the log", async () => {
    const database = await fresh();
    const all = await keptOf(database);
    expect(all[0]).toEqual(keptMigrations().map(({ number, name }) => ({ number, name })));
    await database.sql().transaction((sql) => sql.script("drop schema tonwire_kept cascade"));
    expect(await schemaLack(queriesOf(database))).toBe(
      "The database has an older schema than this version reads",
    );
    await migrate(database.sql(), { onProgress: () => expect.unreachable("nothing is migrated") });
    expect(await keptOf(database)).toEqual(all);
    expect(await schemaLack(queriesOf(database))).toBeUndefined();
  });

  test("stay as they are when a migration of the index is refused", async () => {
    const database = await fresh();
    const all = await keptOf(database);
    const bad = step(9999, "drop schema tonwire_kept cascade;\n-- step: divide\nselect 1 / 0;");
    await expect(migrate(database.sql(), { migrations: [...known, bad] })).rejects.toThrow(MigrationError);
    expect(await keptOf(database)).toEqual(all);
  });

  test("are refused if a later version has changed them", async () => {
    const database = await withoutThem();
    await migrate(database.sql());
    await rowsOf(database, "insert into tonwire_kept.schema_migrations values (9999, 'later.sql')");
    const newest = keptMigrations().at(-1)!.number;
    const refusal = `the database has schema 9999 of tonwire_kept, this version knows ${newest} at most: install the version that wrote it, or a newer one`;
    await expect(migrate(database.sql())).rejects.toThrow(refusal);
    await expect(schemaLack(queriesOf(database))).rejects.toThrow(refusal);
  });
});

describePostgres("The user of a service", (_, server) => {
  test("who may not create a schema is told what the owner runs, and then needs no more", async () => {
    const databaseUrl = await server().database();
    const owner = openPatiently(databaseUrl);
    onTestFinished(() => owner.close());
    const user = `service_${new URL(databaseUrl).pathname.slice(1)}`;
    await owner
      .sql()
      .transaction((sql) =>
        sql.script(`create role ${user} login; grant create on schema public to ${user}`),
      );
    const url = new URL(databaseUrl);
    url.username = user;
    const database = openPatiently(url.href);
    onTestFinished(() => database.close());
    await expect(migrate(database.sql())).rejects.toMatchObject({
      isSetupError: true,
      message: expect.stringMatching(
        /^the schema tonwire_kept cannot be created: permission denied for database \w+\. Let the owner of the database run: create schema tonwire_kept authorization <the user of the service>$/,
      ),
    });
    await rowsOf(owner, `create schema tonwire_kept authorization ${user}`);
    await migrate(database.sql());
    expect(await schemaLack(queriesOf(database))).toBeUndefined();
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

  test("does not touch a database with tables of another program", async () => {
    const databaseUrl = await server().database();
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    await database.sql().transaction((sql) => sql.script("create table accounts (mine integer)"));
    const service = await startService({ databaseUrl, index: true, adminPort: await freePort() });
    onTestFinished(() => service.close());
    const reason =
      "the database has tables of another program: accounts. " +
      "Give tonwire a database of its own: run create database tonwire, and name it in the URL";
    const health = async () => (await fetch(`${service.adminUrl}/healthcheck`)).text();
    await until("the refusal", async () => (await health()) === reason);
    expect(
      await rowsOf(database, "select relname from pg_class where relnamespace = 'public'::regnamespace"),
    ).toEqual([{ relname: "accounts" }]);
    expect(await rowsOf(database, "select from pg_namespace where nspname = 'tonwire_kept'")).toEqual([]);
  });
});

describePostgres("A database", (_, server) => {
  const databaseWith = async (script: string) => {
    const database = openPatiently(await server().database());
    onTestFinished(() => database.close());
    await database.sql().transaction((sql) => sql.script(script));
    return database;
  };

  test("is refused for tables, views and sequences of others, three of which are named", async () => {
    const database = await databaseWith(`
      create table d (id serial); create table c (); create view b as select * from d; create sequence a`);
    await expect(migrate(database.sql())).rejects.toThrow(
      "the database has tables of another program: a, b, c and others. Give tonwire a database of its own",
    );
  });

  test("is refused if the table of migrations is another program's", async () => {
    const database = await databaseWith("create table schema_migrations (version bigint, dirty boolean)");
    const refusal = "the database has tables of another program: schema_migrations.";
    await expect(migrate(database.sql())).rejects.toThrow(refusal);
    await expect(schemaLack(queriesOf(database))).rejects.toThrow(refusal);
  });

  test("may have extensions, and tables of others in other schemas", async () => {
    const database = await databaseWith(`
      create function of_extension() returns integer language sql as 'select 1';
      create schema other; create table other.blocks (mine integer)`);
    await database
      .sql()
      .transaction((sql) => sql.script("create extension if not exists pg_stat_statements"));
    await migrate(database.sql());
    expect(await schemaLack(queriesOf(database))).toBeUndefined();
  });
});
