import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../server/store/database.js";
import { emptyIndex } from "../../../server/store/migrate/empty-index.js";
import { MigrationError } from "../../../server/store/migrate/ledger.js";
import { migrate, schemaLack } from "../../../server/store/migrate/migrate.js";
import { keptMigrations, knownMigrations, type Migration } from "../../../server/store/sql/schemas.js";
import { isLong, variants } from "../../helpers/effort.js";
import { freePort } from "../../helpers/free-port.js";
import { startService } from "../../helpers/services/service.js";
import { describeDatabases, describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently, type TestDatabases } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { until } from "../../helpers/until.js";

const known = knownMigrations();
const newest = known.at(-1)!.number;

/** A migration that later versions might have. */
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

/** A database without a schema. */
async function openEmpty(server: TestDatabases): Promise<{ database: Database; databaseUrl: string }> {
  const databaseUrl = await server.database();
  const database = openPatiently(databaseUrl);
  onTestFinished(() => database.close());
  return { database, databaseUrl };
}

/** Adds a row to the tables that outlive an index. */
const addKept = (database: Database) =>
  rowsOf(
    database,
    String.raw`
    insert into tonwire_kept.sent_messages (hash, hash_norm, boc, bytes, sent_at, keep_until, is_void)
    values ('\x01', '\x02', '\x03', 1, 2, 3, false)`,
  );
const keptRowsOf = (database: Database) => rowsOf(database, "select bytes from tonwire_kept.sent_messages");

describeDatabases("A database of this version", (fresh) => {
  const widen = step(
    newest + 1,
    "alter table contract_methods add column count integer;\n" +
      "-- step: count the methods\nupdate contract_methods set count = cardinality(methods);",
  );

  test("is brought to the schema of a later version, with its content, and logs it", async () => {
    const database = await fresh();
    await rowsOf(
      database,
      String.raw`insert into contract_methods (code_hash, methods) values ('\x01', '{0,85143}'), ('\x02', '{}')`,
    );
    await addKept(database);
    const migrations = [...known, widen, step(newest + 2, "create table added (id integer)")];
    const progress: string[] = [];
    await migrate(database.sql(), { migrations, onProgress: (text) => progress.push(text) });
    expect(await appliedOf(database)).toEqual(migrations.map(({ number }) => number));
    expect(await rowsOf(database, "select methods, count from contract_methods order by code_hash")).toEqual([
      { methods: [0, 85143], count: 2 },
      { methods: [], count: 0 },
    ]);
    expect(await rowsOf(database, "select id from added")).toEqual([]);
    expect(await keptRowsOf(database)).toEqual([{ bytes: 1 }]);
    expect(progress).toEqual([
      `migrating the database, ${newest + 1}-added.sql of ${newest + 2}`,
      `migrating the database, ${newest + 1}-added.sql of ${newest + 2}: count the methods`,
      `migrating the database, ${newest + 2}-added.sql of ${newest + 2}`,
    ]);
    await migrate(database.sql(), {
      migrations,
      onProgress: () => expect.unreachable("there is nothing left to do"),
    });
    // This version then refuses it, with what to do.
    await expect(migrate(database.sql())).rejects.toThrow(
      `the database has schema ${newest + 2}, this version knows ${newest} at most: install the version that wrote it, or a newer one`,
    );
  });

  test("is unchanged when a migration fails, and the refusal has the command that builds it anew", async () => {
    const database = await fresh();
    const bad = step(newest + 2, "drop table contract_methods;\n-- step: divide\nselect 1 / 0;");
    const progress: string[] = [];
    const migrated = migrate(database.sql(), {
      migrations: [...known, widen, bad],
      emptyCommand: "rm -r there",
      onProgress: (text) => progress.push(text),
    });
    await expect(migrated).rejects.toThrow(MigrationError);
    await expect(migrated).rejects.toMatchObject({
      isSetupError: true,
      message:
        `${newest + 2}-added.sql could not be applied to the database, which is as it was: division by zero. ` +
        "Build the index anew: rm -r there, then start again (webhooks are kept)",
    });
    expect(progress.at(-1)).toBe(`migrating the database, ${newest + 2}-added.sql of ${newest + 2}: divide`);
    expect(await rowsOf(database, "select count from contract_methods")).toEqual([]);
    expect((await appliedOf(database)).at(-1)).toBe(newest + 1);
    // A version that can apply it continues from there.
    const good = step(newest + 2, "drop table contract_methods");
    await migrate(database.sql(), { migrations: [...known, widen, good] });
    expect((await appliedOf(database)).at(-1)).toBe(newest + 2);
  });
});

/** Makes the index that of a version before the first release, in which as many migrations had been applied. */
async function makeUnreleased(database: Database, migrations: number): Promise<void> {
  await rowsOf(database, "delete from schema_migrations");
  await rowsOf(
    database,
    `insert into schema_migrations (number, name)
     select n, case n when 1 then '0001-chain.sql' when 2 then '0002-accounts.sql' else n || '-old.sql' end
     from generate_series(1, ${migrations}) n`,
  );
}

describeDatabases("The index of an unreleased version", (fresh) => {
  const states: [string, number][] = [
    ["more migrations than this one", known.length + 20],
    ["as many migrations as this one", known.length],
    ["its first migration alone", 1],
  ];
  test.each(variants(states.slice(0, 1), states.slice(1)))(
    "with %s is refused with the command that empties it, and the data of users stay",
    async (_, n) => {
      const database = await fresh();
      await addKept(database);
      await rowsOf(database, "update index_meta set value = 'old' where key = 'lt_grid'");
      await makeUnreleased(database, n);
      const refusal = {
        isSetupError: true,
        message:
          "the index in the database was made by an unreleased version (0001-chain.sql), and this version cannot migrate it. " +
          "Build the index anew: empty it, then start again (webhooks are kept)",
      };
      await expect(migrate(database.sql(), { emptyCommand: "empty it" })).rejects.toMatchObject(refusal);
      await expect(schemaLack(queriesOf(database), "empty it")).rejects.toMatchObject(refusal);
      expect(await rowsOf(database, "select value from index_meta")).toEqual([{ value: "old" }]);
      expect(await emptyIndex(database.sql())).toBe(true);
      expect(await schemaLack(queriesOf(database))).toBe("The database has no index yet");
      await migrate(database.sql(), { onProgress: () => expect.unreachable("nothing is migrated") });
      expect(await rowsOf(database, "select value from index_meta where value = 'old'")).toEqual([]);
      expect(await keptRowsOf(database)).toEqual([{ bytes: 1 }]);
      expect(await schemaLack(queriesOf(database))).toBeUndefined();
    },
  );

  test("whose ledger has no usable_by is refused with the command that empties it", async () => {
    const database = await fresh();
    await rowsOf(database, "alter table schema_migrations drop column usable_by");
    const refusal =
      "the index in the database was made by an unreleased version (schema_migrations has no usable_by), and this version " +
      "cannot migrate it. Build the index anew: empty it, then start again (webhooks are kept)";
    await expect(migrate(database.sql(), { emptyCommand: "empty it" })).rejects.toThrow(refusal);
    await expect(schemaLack(queriesOf(database), "empty it")).rejects.toThrow(refusal);
    expect(await emptyIndex(database.sql())).toBe(true);
    await migrate(database.sql());
    expect(await schemaLack(queriesOf(database))).toBeUndefined();
  });

  test("that differs from this one in a later migration is refused by its name", async () => {
    const database = await fresh();
    await migrate(database.sql(), { migrations: [...known, step(newest + 1, "create table other ()")] });
    const other = { ...step(newest + 1, "create table something ()"), name: "else.sql" };
    await expect(migrate(database.sql(), { migrations: [...known, other] })).rejects.toThrow(
      `the index in the database was made by an unreleased version (${newest + 1}-added.sql), and this version cannot migrate it`,
    );
    expect((await rowsOf(database, "select to_regclass('something') as found"))[0]).toEqual({ found: null });
  });
});

describeDatabases("The tables that outlive an index", (fresh) => {
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

  test("are created where they are missing, without a word in the log", async () => {
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

  test("leave loopback to webhooks of the devnet's own key, which callers on its machine have too", async () => {
    const database = await fresh();
    await database.sql().transaction((sql) =>
      sql.script(`
        alter table tonwire_kept.webhooks drop column loopback;
        drop table tonwire_kept.key_usage;
        alter table tonwire_kept.api_keys drop column rules;
        delete from tonwire_kept.schema_migrations where number >= 4;
        insert into tonwire_kept.webhooks
          (id, key_id, url, choice, accounts, firehose, secret, created_at, cursor)
        select key, key, 'http://127.0.0.1/', '{}', 0, false, '', 0, '' from unnest(array['devnet', 'k1']) key`),
    );
    await migrate(database.sql());
    expect(await rowsOf(database, "select id, loopback from tonwire_kept.webhooks order by id")).toEqual([
      { id: "devnet", loopback: true },
      { id: "k1", loopback: false },
    ]);
  });

  test("are unchanged when a migration of the index is refused", async () => {
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
    const newestKept = keptMigrations().at(-1)!.number;
    const refusal = `the database has schema 9999 of tonwire_kept, this version knows ${newestKept} at most: install the version that wrote it, or a newer one`;
    await expect(migrate(database.sql())).rejects.toThrow(refusal);
    await expect(schemaLack(queriesOf(database))).rejects.toThrow(refusal);
  });

  test.each([
    ["else.sql", "update tonwire_kept.schema_migrations set name = 'else.sql' where number = 1"],
    [
      "tonwire_kept.schema_migrations has no usable_by",
      "alter table tonwire_kept.schema_migrations drop column usable_by",
    ],
  ])("are refused if an unreleased version has made them: %s", async (sign, change) => {
    const database = await withoutThem();
    await migrate(database.sql());
    await rowsOf(database, change);
    const refusal =
      `the schema tonwire_kept of the database was made by an unreleased version (${sign}), and this version cannot migrate it. ` +
      "To go on without its webhooks, API keys and sent messages: drop schema tonwire_kept cascade, " +
      "or remove the folder index in the data folder, then start again";
    await expect(migrate(database.sql())).rejects.toThrow(refusal);
    await expect(schemaLack(queriesOf(database))).rejects.toThrow(refusal);
  });
});

describePostgres("The user of a service", (_, server) => {
  test("a user who may not create a schema gets the statement for the owner, and needs no more after it", async () => {
    const { database: owner, databaseUrl } = await openEmpty(server());
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
  test.runIf(isLong)(
    "migrates the database of an earlier version and shows the progress in its log",
    async () => {
      const { database, databaseUrl } = await openEmpty(server());
      await migrate(database.sql(), { migrations: known.slice(0, -1) });
      const service = await startService({ databaseUrl, index: true });
      onTestFinished(() => service.close());
      await until("the index", async () => (await service.get("/healthcheck?only=all")).status === 200);
      const { name } = known.at(-1)!;
      expect(service.logLines.filter((line) => line.includes("migrating the database"))).toEqual([
        expect.stringContaining(`migrating the database, ${name} of ${newest}`),
      ]);
    },
  );

  test("names the command that builds the index of an unreleased version anew", async () => {
    const { database, databaseUrl } = await openEmpty(server());
    await migrate(database.sql());
    await makeUnreleased(database, 35);
    const service = await startService({ databaseUrl, index: true, adminPort: await freePort() });
    onTestFinished(() => service.close());
    const health = async () => (await fetch(`${service.adminUrl}/healthcheck?only=all`)).text();
    const reason =
      "the index in the database was made by an unreleased version (0001-chain.sql), and this version cannot migrate it. " +
      'Build the index anew: tonwire empty-index --database-url "$DATABASE_URL", then start again (webhooks are kept)';
    await until("the refusal", async () => (await health()) === reason);
  });
});

describePostgres("A database", (_, server) => {
  const databaseWith = async (script: string) => {
    const { database } = await openEmpty(server());
    await database.sql().transaction((sql) => sql.script(script));
    return database;
  };

  test("is refused for tables, views and sequences of others, three of which are named", async () => {
    const database = await databaseWith(`
      create table d (id serial); create table c (); create view b as select * from d; create sequence a`);
    await expect(migrate(database.sql())).rejects.toThrow(
      "the database has tables of another program: a, b, c and others. " +
        "Give tonwire a database of its own: run create database tonwire, and name it in the URL",
    );
    expect(await rowsOf(database, "select from pg_namespace where nspname = 'tonwire_kept'")).toEqual([]);
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
