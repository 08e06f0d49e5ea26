import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { ServiceError } from "../../server/errors.js";
import { Detection } from "../../server/indexer/recognition/detection.js";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { UnexpectedAnswer } from "../../shared/ton/contracts/get-method.js";
import { replayOf } from "../helpers/chain/open-replay.js";
import { follow, indexAll } from "../helpers/index/index-chain.js";
import { describeBothDatabases, describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { mayStopPostgres, openPatiently } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { dumpTables } from "../helpers/store/tables.js";
import { describeWithChain } from "../helpers/test-data.js";
import { until } from "../helpers/until.js";

/** Recognises nothing; looks at the database before it begins with a batch. */
class LookingDetection extends Detection {
  readonly #look: () => Promise<void>;

  constructor(look: () => Promise<void>) {
    const contracts = {
      asIndexer: true,
      run: () => Promise.reject(new UnexpectedAnswer("nothing is run here")),
      codeHash: async () => undefined,
      data: async () => undefined,
      zoneOf: async () => undefined,
    };
    super({ at: () => contracts, libraries: async () => [] });
    this.#look = look;
  }

  override async detect(...args: Parameters<Detection["detect"]>): ReturnType<Detection["detect"]> {
    await this.#look();
    return super.detect(...args);
  }
}

describeWithChain("A database that goes away", (chain) => {
  describeOwnPostgres("while the chain is indexed", (fresh, server) => {
    test.runIf(mayStopPostgres)("is waited for, and nothing is lost or doubled", async () => {
      const database = openPatiently(await server().database());
      onTestFinished(() => database.close());
      const errors: Error[] = [];
      let halted: Promise<void> | undefined;
      const lite = replayOf(chain.folder);
      const { follower, reaches } = follow(database, lite, {
        limits: { blocks: 2, rows: 10_000 },
        onError: (error) => errors.push(error),
        onStored: (seqno) => {
          if (seqno >= 10) halted ??= server().halt();
        },
      });
      onTestFinished(() => follower.close());
      await until("the server to be stopped", () => halted !== undefined);
      await halted;
      await until("a failure", () => follower.failure !== undefined);
      expect(errors[0]).toBeInstanceOf(ServiceError);
      expect(errors[0]).toMatchObject({ code: "unavailable", message: "database is not available" });
      // With the reason of the connection that noticed it first.
      expect(follower.failure).toMatch(/^database is not available: \S/);
      await expect(database.sql().query(SQL`select 1 as one`)).rejects.toMatchObject({ code: "unavailable" });
      await server().run();
      await reaches(chain.newest);
      // All blocks may have been stored before the server stopped.
      await until("the failure to end", () => follower.failure === undefined);
      await follower.close();
      const clean = await fresh();
      await indexAll(clean, lite);
      expect(await dumpTables(database)).toEqual(await dumpTables(clean));
    });

    test("is waited for as well when only the connection with the lock breaks", async () => {
      const database = await fresh();
      const lite = replayOf(chain.folder);
      const errors: { code: string; final: boolean }[] = [];
      const { follower, reaches } = follow(database, lite, {
        onError: (error, final) => errors.push({ code: (error as ServiceError).code, final }),
      });
      onTestFinished(() => follower.close());
      await reaches(chain.newest);
      const [killed] = await database.sql().query<{ killed: boolean }>(SQL`
        select pg_terminate_backend(pid) as killed from pg_locks where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())`);
      expect(killed).toEqual({ killed: true });
      await until("the lock to be held again", async () => {
        const held = await queriesOf(database).query(SQL`
          select from pg_locks where locktype = 'advisory' and granted
            and database = (select oid from pg_database where datname = current_database())`);
        return errors.length > 0 && held.length === 1;
      });
      // The connection of another advisory lock may break with it.
      expect(errors).toEqual(errors.map(() => ({ code: "unavailable", final: false })));
    });

    test("keeps nothing of a batch whose contracts cannot be recognised while it is written", async () => {
      const database = await fresh();
      const lite = replayOf(chain.folder);
      const limits = { blocks: 2, rows: 10_000 };
      const errors: string[] = [];
      let asked = 0;
      let storedAtFailure: readonly object[] = [];
      const failing = new LookingDetection(async () => {
        if (++asked !== 3) return;
        storedAtFailure = await queriesOf(database).query(SQL`select distinct mc_block_seqno from blocks`);
        throw new ServiceError("unavailable", "no thread is free");
      });
      const { follower, reaches } = follow(database, lite, {
        limits,
        detection: failing,
        onError: ({ message }) => errors.push(message),
      });
      onTestFinished(() => follower.close());
      await reaches(chain.newest);
      expect(errors).toEqual(["no thread is free"]);
      expect(storedAtFailure).toHaveLength(4);
      // The embedded database derives all rows before it writes any.
      const clean = await openPglite();
      onTestFinished(() => clean.close());
      await indexAll(clean, lite, { limits, detection: new LookingDetection(async () => {}) });
      expect(await dumpTables(database)).toEqual(await dumpTables(clean));
    });

    test("is waited for as well while its server only lets it be read", async () => {
      const url = await server().database();
      const [database, admin] = [openPatiently(url), openPatiently(url)];
      onTestFinished(async () => {
        await database.close();
        await admin.close();
      });
      const operator = admin.sql();
      const setReadOnly = (value: "on" | "off") =>
        operator.transaction((transaction) =>
          transaction.script(`set transaction read write;
            alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${value}`),
        );
      await setReadOnly("on");
      const errors: { message: string; final: boolean }[] = [];
      const { follower, reaches } = follow(database, replayOf(chain.folder), {
        onError: ({ message }, final) => errors.push({ message, final }),
      });
      onTestFinished(() => follower.close());
      await until("a failure", () => errors.length > 0);
      expect(errors[0]).toEqual({
        message: "cannot execute CREATE TABLE in a read-only transaction",
        final: false,
      });
      // Existing connections are not affected.
      await setReadOnly("off");
      await reaches(chain.newest);
    });

    test("lets a second follower wait until the first one ends", async () => {
      const url = await server().database();
      const [first, second] = [openPatiently(url), openPatiently(url)];
      onTestFinished(async () => {
        await first.close();
        await second.close();
      });
      const lite = replayOf(chain.folder);
      const leading = follow(first, lite);
      onTestFinished(() => leading.follower.close());
      await leading.reaches(chain.newest);
      const waiting = follow(second, lite, { worker: "second" });
      onTestFinished(() => waiting.follower.close());
      await until("the second one to ask for the lock", async () => {
        const sessions = await queriesOf(first).query(
          SQL`select from pg_stat_activity
            where datname = current_database() and application_name like '% lock %'`,
        );
        return sessions.length === 2;
      });
      expect(waiting.follower.state).toBe("waiting");
      await leading.follower.close();
      await until("the second one", () => waiting.follower.state === "writing");
    });

    test("refuses to be the index of two chains", async () => {
      const database = await fresh();
      const lite = replayOf(chain.folder);
      await indexAll(database, lite);
      const failures: string[] = [];
      const { follower } = follow(database, lite, {
        network: "another",
        onError: (error, final) => failures.push(`${error.message} ${final}`),
      });
      await follower.ended;
      expect(failures).toEqual([
        "the database is an index of another chain: its network is test, not another true",
      ]);
    });
  });

  describeBothDatabases("A database without room", (fresh) => {
    test("is waited for, and nothing is lost or doubled", async () => {
      const database = await fresh();
      // The effect of a full disk on a statement.
      await database.sql().transaction((transaction) =>
        transaction.script(`
          create function fail() returns trigger language plpgsql as
            $$ begin raise 'No space left on device' using errcode = 'disk_full'; end $$;
          create trigger full_disk before insert on blocks for each row when (new.mc_block_seqno > 10)
            execute function fail()`),
      );
      const lite = replayOf(chain.folder);
      const finals: boolean[] = [];
      const { follower, reaches } = follow(database, lite, {
        limits: { blocks: 2, rows: 10_000 },
        onError: (_, final) => finals.push(final),
      });
      onTestFinished(() => follower.close());
      await until("failures", () => finals.length > 1);
      expect(follower.state).not.toBe("stopped");
      await database.sql().transaction((transaction) => transaction.script("drop function fail() cascade"));
      await reaches(chain.newest);
      expect(finals).not.toContain(true);
      await follower.close();
      const tables = await dumpTables(database);
      const clean = await fresh();
      await indexAll(clean, lite);
      expect(tables).toEqual(await dumpTables(clean));
    });
  });
});
