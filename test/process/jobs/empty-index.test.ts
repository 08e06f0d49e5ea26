import { expect, onTestFinished, test } from "vitest";
import { type Config, configWith } from "../../../server/config/settings.js";
import { emptyStoredIndex } from "../../../server/process/jobs/empty-index.js";
import type { Database } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate/migrate.js";
import { claimDatabase } from "../../../server/store/open.js";
import { lockNumbers } from "../../../server/store/sql/locks.js";
import { isLong } from "../../helpers/effort.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

type Place = Partial<Pick<Config, "databaseUrl" | "data">>;
const { signal } = new AbortController();

const rowsOf = (database: Database, text: string) => queriesOf(database).query<object>({ text, values: [] });

/** Runs `work` on the database of a service that does not run. */
async function within<T>({ databaseUrl, data }: Place, work: (database: Database) => Promise<T>): Promise<T> {
  const claim = await claimDatabase({ url: databaseUrl, folder: data && `${data}/index` });
  const database = await claim.open(signal);
  try {
    return await work(database);
  } finally {
    await database.close();
    await claim.release();
  }
}

async function fill(database: Database): Promise<void> {
  await migrate(database.sql());
  await rowsOf(database, "update index_meta set value = 'changed' where key = 'lt_grid'");
  await rowsOf(
    database,
    `insert into tonwire_kept.webhooks (id, key_id, url, choice, accounts, firehose, secret, created_at, cursor)
     values ('one', 'k', 'https://example.com/', '{"kind":"blocks"}', 0, false, 's', 1, 'c')`,
  );
}

/** The contents of the index, and the kept contents. */
async function contentOf(database: Database): Promise<unknown[]> {
  await migrate(database.sql());
  return [
    (await rowsOf(database, "select count(*)::integer as n from index_meta where value = 'changed'"))[0],
    await rowsOf(database, "select id, choice from tonwire_kept.webhooks"),
  ];
}

const kept = [{ id: "one", choice: { kind: "blocks" } }];

test.runIf(isLong)("An index in a folder is emptied, and webhooks stay", async () => {
  const place = { data: temporaryFolder() };
  const emptyCommand = await within(place, async (database) => {
    await fill(database);
    expect(await contentOf(database)).toEqual([{ n: 1 }, kept]);
    return database.emptyCommand;
  });
  expect(emptyCommand).toBe(`tonwire empty-index --data ${place.data}`);
  await emptyStoredIndex(configWith(place));
  expect(await within(place, contentOf)).toEqual([{ n: 0 }, kept]);
});

test.runIf(isLong)("An index in a folder is not emptied while a process has it", async () => {
  const place = { data: temporaryFolder() };
  await within(place, async (database) => {
    await fill(database);
    await expect(emptyStoredIndex(configWith(place))).rejects.toMatchObject({
      isSetupError: true,
      message: expect.stringContaining(`is held by process ${process.pid}`),
    });
    expect(await contentOf(database)).toEqual([{ n: 1 }, kept]);
  });
});

describePostgres("An index", (_, server) => {
  test("is emptied with its partitions and unfinished copies, and tables of other programs in the database stay", async () => {
    const place = { databaseUrl: await server().databaseWithSchema() };
    const relations = `
      select relname from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'i' order by 1`;
    await within(place, async (database) => {
      await fill(database);
      await rowsOf(database, "create table blocks_7 partition of blocks for values from (7) to (8)");
      await rowsOf(database, "create table blocks_merging_7 (like blocks)");
      await rowsOf(database, "create table blocks_changed_7 (start_lt bigint)");
      await rowsOf(database, "create table blocks_replaced_7 (like blocks)");
      await rowsOf(database, "create table blocks_of_mine (id integer)");
      await rowsOf(database, "create table mine_replaced_7 (id integer)");
      await rowsOf(database, "create view hashes as select root_hash from blocks");
    });
    await expect(emptyStoredIndex(configWith(place))).rejects.toMatchObject({
      isSetupError: true,
      message: expect.stringMatching(
        /^the index cannot be removed: view hashes depends on .*\. Drop what depends on it first$/,
      ),
    });
    await within(place, async (database) => {
      expect(await contentOf(database)).toEqual([{ n: 1 }, kept]);
      await rowsOf(database, "drop view hashes");
    });
    await emptyStoredIndex(configWith(place));
    await within(place, async (database) => {
      expect(await rowsOf(database, relations)).toEqual([
        { relname: "blocks_of_mine" },
        { relname: "mine_replaced_7" },
        { relname: "schema_migrations" },
      ]);
      expect(await contentOf(database)).toEqual([{ n: 0 }, kept]);
    });
  });

  test("is not there in another program's database, where nothing is removed", async () => {
    const place = { databaseUrl: await server().database() };
    await within(place, (database) => rowsOf(database, "create table blocks (mine integer)"));
    await emptyStoredIndex(configWith(place));
    expect(await within(place, (database) => rowsOf(database, "select mine from blocks"))).toEqual([]);
  });

  /** What is left of an emptied index, which is not made anew here. */
  const leftOf = (database: Database) =>
    rowsOf(database, "select to_regclass('index_meta') as meta, id from tonwire_kept.webhooks");
  const nothing = [{ meta: null, id: "one" }];

  test("of a later version is emptied, and webhooks stay, unless it has tables that this one does not know", async () => {
    const place = { databaseUrl: await server().databaseWithSchema() };
    await within(place, async (database) => {
      await fill(database);
      await rowsOf(database, "insert into schema_migrations (number, name) values (9999, 'later.sql')");
      await expect(migrate(database.sql())).rejects.toThrow("the database has schema 9999");
      await rowsOf(database, "create table later (id integer)");
    });
    await expect(emptyStoredIndex(configWith(place))).rejects.toThrow(
      "the index is of a later version, and this one does not know the tables later: remove it with the version that made it",
    );
    await within(place, (database) => rowsOf(database, "drop table later"));
    await emptyStoredIndex(configWith(place));
    expect(await within(place, leftOf)).toEqual(nothing);
  });

  test("of an unreleased version is emptied, and webhooks and tables of other programs in the database stay", async () => {
    const place = { databaseUrl: await server().databaseWithSchema() };
    await within(place, async (database) => {
      await fill(database);
      await rowsOf(database, "create table blocks_of_mine (id integer)");
      await rowsOf(database, "delete from schema_migrations");
      await rowsOf(
        database,
        "insert into schema_migrations (number, name) select n, n || '-old.sql' from generate_series(1, 35) n",
      );
      await expect(migrate(database.sql())).rejects.toThrow("made by an unreleased version (1-old.sql)");
    });
    await emptyStoredIndex(configWith(place));
    await within(place, async (database) => {
      expect(await leftOf(database)).toEqual(nothing);
      expect(await rowsOf(database, "select id from blocks_of_mine")).toEqual([]);
    });
  });

  test("is not emptied while a process writes it", async () => {
    const place = { databaseUrl: await server().databaseWithSchema() };
    await within(place, async (database) => {
      await fill(database);
      const lock = await database.lock(lockNumbers.head, signal);
      onTestFinished(() => lock.release());
      await expect(emptyStoredIndex(configWith(place))).rejects.toThrow(
        "another process writes the index: stop it first",
      );
      expect(await contentOf(database)).toEqual([{ n: 1 }, kept]);
      await lock.release();
    });
  });
});
