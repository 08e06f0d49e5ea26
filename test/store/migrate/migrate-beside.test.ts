import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../server/store/database.js";
import { migrate, schemaLack } from "../../../server/store/migrate/migrate.js";
import { knownMigrations } from "../../../server/store/sql/schemas.js";
import { isLong, sized } from "../../helpers/effort.js";
import { startIndexApp } from "../../helpers/http/index-app.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { grownContent } from "../../helpers/store/growing-index.js";
import { later, longMigration as long } from "../../helpers/store/later-migration.js";
import { holdOpen } from "../../helpers/store/lock-transactions.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { blockRow, storeRows } from "../../helpers/store/rows.js";
import { until } from "../../helpers/until.js";

const slow = { timeout: 600_000 };
const known = knownMigrations();
const newest = known.at(-1)!.number;

const rowsOf = <Row>(database: Database, text: string) =>
  queriesOf(database).query<Row>({ text, values: [] });
const numbersIn = async (database: Database) =>
  (await rowsOf<{ number: number }>(database, "select number from schema_migrations order by number")).map(
    ({ number }) => number,
  );

/** One slot, whose rows are filled in more than one batch. */
const oneSlot = grownContent(1, 3);

describePostgres(
  "A migration of an index that others use",
  (fresh, server) => {
    /** Reads and writes until it is stopped; returns how often. A wait of ten seconds for a lock fails. */
    async function useIndex(url: string) {
      const limited = new URL(url);
      limited.searchParams.set("options", "-c lock_timeout=10s");
      const database = openPatiently(limited.href);
      expect(await rowsOf(database, "show lock_timeout")).toEqual([{ lock_timeout: "10s" }]);
      const app = await startIndexApp(database);
      const counts = { reads: 0, writes: 0 };
      let isOver = false;
      const reading = (async () => {
        for (; !isOver; counts.reads++)
          for (const path of ["transactions?limit=5", "blocks?limit=2", "actions?limit=3"])
            await app.result(path);
      })();
      const writing = (async () => {
        for (; !isOver; counts.writes++)
          await storeRows(database, { blocks: [blockRow({ seqno: 100_000 + counts.writes, start_lt: 1n })] });
      })();
      const all = Promise.all([reading, writing]);
      all.catch(() => {});
      return {
        counts,
        async stop() {
          isOver = true;
          await all;
          await app.close();
          await database.close();
          return counts;
        },
      };
    }

    async function opened(): Promise<{ database: Database; url: string }> {
      const url = await server().databaseWithSchema(oneSlot);
      const database = openPatiently(url);
      onTestFinished(() => database.close());
      return { database, url };
    }

    test("lets a writer and readers continue, and versions of before read what it made", slow, async () => {
      const { database, url } = await opened();
      const users = await useIndex(url);
      await until("the users", () => users.counts.reads > 1 && users.counts.writes > 1);
      const progress: string[] = [];
      await migrate(database.sql(), {
        migrations: [...known, long],
        onProgress: (text) => progress.push(text.replace(/^.*-later.sql of \d+/, "")),
      });
      const before = { ...users.counts };
      await until(
        "further work",
        () => users.counts.reads > before.reads && users.counts.writes > before.writes,
      );
      await users.stop();
      expect(progress).toEqual(["", ": fill in the column", ": check the column", ": the index"]);
      expect(await numbersIn(database)).toEqual([...known, long].map(({ number }) => number));
      expect(
        await rowsOf(database, "select count(*)::int as n from transactions where is_seen is null"),
      ).toEqual([{ n: 0 }]);
      expect(
        await rowsOf(
          database,
          "select indisvalid from pg_index where indexrelid = 'contract_codes_later'::regclass",
        ),
      ).toEqual([{ indisvalid: true }]);
      // A process of the version before that starts now reads, and does not migrate or write.
      expect(await schemaLack(queriesOf(database))).toBeUndefined();
      const refusal = `the database has schema ${newest + 1}`;
      await expect(schemaLack(queriesOf(database), "empty it", { isWriter: true })).rejects.toThrow(refusal);
      const app = await startIndexApp(database);
      onTestFinished(() => app.close());
      expect(await app.result("transactions?limit=1")).toMatchObject({ transactions: [{}] });
      await expect(migrate(database.sql())).rejects.toThrow(refusal);
      // Partitions of later slots have the constraint too.
      await storeRows(database, { blocks: [blockRow({ seqno: 200_000, start_lt: 1_000_000n })] });
    });

    test("does not keep readers waiting while it waits for a lock itself", slow, async () => {
      const { database, url } = await opened();
      const release = await holdOpen(database, (transaction) =>
        transaction.script("lock table transactions in access share mode"),
      );
      const migrator = openPatiently(url);
      onTestFinished(() => migrator.close());
      const migrating = migrate(migrator.sql(), { migrations: [...known, long] });
      migrating.catch(() => {});
      const app = await startIndexApp(database);
      onTestFinished(() => app.close());
      const waits = async () =>
        (
          await rowsOf<{ n: number }>(
            database,
            "select count(*)::int as n from pg_locks where relation = 'transactions'::regclass and not granted",
          )
        )[0]!.n > 0;
      for (let times = 0; times < sized(1, 2); times++) {
        await until("the migration to wait", waits);
        // It is behind the migration, which gives up, while the other transaction continues.
        expect(await app.result("transactions?limit=1")).toMatchObject({ transactions: [{}] });
      }
      expect(await numbersIn(database)).not.toContain(long.number);
      await release();
      await migrating;
      expect(await numbersIn(database)).toContain(long.number);
    });

    test.runIf(isLong)("is refused if a statement would hold others up", slow, async () => {
      const database = await fresh();
      const holding = later("lock table transactions;\n-- step: wait\nselect pg_sleep(3600);");
      await expect(
        migrate(database.sql(), { migrations: [...known, holding], statementMs: 50 }),
      ).rejects.toThrow(
        `${holding.name} could not be applied to the database, which is as it was: a statement would hold others up for more than 0.05 s`,
      );
      expect(await numbersIn(database)).not.toContain(holding.number);
    });

    test("waits for locks for half a second, and holds others up for a second", async () => {
      const database = await fresh();
      const limits = later(
        "create table limits as select current_setting('lock_timeout') as locks, current_setting('statement_timeout') as others;",
      );
      await migrate(database.sql(), { migrations: [...known, limits] });
      expect(await rowsOf(database, "select * from limits")).toEqual([{ locks: "500ms", others: "1s" }]);
    });

    test("continues where it was stopped, and keeps what was finished", slow, async () => {
      const { database } = await opened();
      const broken = later(long.script().replace("returning 1", "returning 1 / 0"));
      await expect(migrate(database.sql(), { migrations: [...known, broken] })).rejects.toThrow(
        `${broken.name} could not be applied to the database, in which its finished parts stay: division by zero`,
      );
      expect(await numbersIn(database)).not.toContain(long.number);
      expect(await schemaLack(queriesOf(database))).toBeUndefined();
      // Two processes start at once.
      const both = [database.sql(), database.sql()];
      await Promise.all(both.map((sql) => migrate(sql, { migrations: [...known, long] })));
      expect((await numbersIn(database)).filter((number) => number === long.number)).toHaveLength(1);
    });

    const buildingAlone = long.script().split(/^-- alone: .*$/m)[1]!;
    const isValid = (database: Database) =>
      rowsOf(
        database,
        "select indisvalid from pg_index where indexrelid = to_regclass('contract_codes_later')",
      );

    test.runIf(isLong)("builds an index in one process at a time", slow, async () => {
      const { database, url } = await opened();
      // An index is not finished while others read what was there before it.
      const release = await holdOpen(database, async (transaction) => {
        await transaction.script("set transaction isolation level repeatable read");
        await transaction.query({ text: "select count(*) from blocks", values: [] });
      });
      const started: string[] = [];
      const migrators = [1, 2].map((each) => {
        const own = openPatiently(url);
        onTestFinished(() => own.close());
        const onProgress = (text: string) => void (text.endsWith(": the index") && started.push(`${each}`));
        return migrate(own.sql({ connections: 1 }), { migrations: [...known, long], onProgress });
      });
      const all = Promise.all(migrators);
      all.catch(() => {});
      await until("both to come to the index", () => new Set(started).size === 2);
      await until("one to wait for the reader", async () => (await isValid(database)).length === 1);
      await release();
      await all;
      expect(await isValid(database)).toEqual([{ indisvalid: true }]);
    });

    test("builds an index again that an ended process left unfinished", slow, async () => {
      const { database } = await opened();
      await rowsOf(database, "insert into contract_codes values ('one', ''), ('two', '')");
      await expect(
        rowsOf(database, "create unique index concurrently contract_codes_later on contract_codes ((1))"),
      ).rejects.toThrow("could not create unique index");
      expect(await isValid(database)).toEqual([{ indisvalid: false }]);
      await migrate(database.sql({ connections: 1 }), { migrations: [...known, long] });
      expect(await isValid(database)).toEqual([{ indisvalid: true }]);
      expect(
        await rowsOf(
          database,
          "select indisunique from pg_index where indexrelid = 'contract_codes_later'::regclass",
        ),
      ).toEqual([{ indisunique: false }]);
    });

    test.runIf(isLong)(
      "builds an index again if another one that builds it ended the statement",
      slow,
      async () => {
        const { database, url } = await opened();
        const release = await holdOpen(database, (transaction) =>
          transaction.script("lock table contract_codes in share update exclusive mode"),
        );
        const waiting = async () =>
          (
            await rowsOf<{ n: number }>(
              database,
              `select count(*)::int as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%concurrently%' and pid <> pg_backend_pid()`,
            )
          )[0]!.n;
        const [builder, migrator] = [openPatiently(url), openPatiently(url)];
        onTestFinished(() => Promise.all([builder.close(), migrator.close()]).then(() => {}));
        const other = rowsOf(builder, buildingAlone).catch((error: unknown) => error);
        await until("the other one to wait", async () => (await waiting()) === 1);
        const migrating = migrate(migrator.sql({ connections: 1 }), { migrations: [...known, long] });
        migrating.catch(() => {});
        await until("both to wait", async () => (await waiting()) === 2);
        await release();
        await other;
        await migrating;
        expect(await isValid(database)).toEqual([{ indisvalid: true }]);
      },
    );

    test("is applied to a new database at once, and refused to readers that it does not name", async () => {
      const database = openPatiently(await server().database());
      onTestFinished(() => database.close());
      const unnamed = later(long.script().replace(/^-- usable by.*\n/, ""));
      await migrate(database.sql(), {
        migrations: [...known, unnamed],
        onProgress: () => expect.unreachable("nothing is migrated"),
      });
      expect((await numbersIn(database)).at(-1)).toBe(unnamed.number);
      await expect(schemaLack(queriesOf(database))).rejects.toThrow(
        `the database has schema ${unnamed.number}`,
      );
    });
  },
  oneSlot,
);
