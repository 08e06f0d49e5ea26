import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../server/store/database.js";
import { devnetWithGateway, startIndex } from "../helpers/services/role-processes.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { holdOpen } from "../helpers/store/lock-transactions.js";
import { havePgBouncer, startPgBouncer } from "../helpers/store/pgbouncer.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { dumpTables } from "../helpers/store/tables.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };
/** The shortest time that the setting allows. */
const soon = ["--takeover-ms", "3000"];

type Index = Awaited<ReturnType<typeof startIndex>>;

const roleOf = async (index: Index) => (await index.status()).index?.role;
const takesRole = (index: Index, role: string) =>
  until(`the ${role}`, async () => (await roleOf(index)) === role);
const reaches = (index: Index, seqno: number) =>
  until("the index", async () => (await index.status()).index?.seqno === seqno);
const roleMetrics = async (index: Index) =>
  (await index.metrics()).split("\n").filter((line) => line.startsWith("tonwire_index_role{"));

/** Sessions of the database that wait for a lock of the table of blocks, or have had one. */
async function hasSessionsAtBlocks(database: Database, granted: boolean): Promise<boolean> {
  const rows = await queriesOf(database).query(SQL`
    select from pg_locks where relation = 'blocks'::regclass and mode = 'RowExclusiveLock' and granted = ${granted}`);
  return rows.length > 0;
}

describeServers("A process that stands still", (_, server) => {
  async function start(open: (url: string) => Promise<string> = async (url) => url, flags = soon) {
    const { devnet, globalConfig } = await devnetWithGateway();
    const url = await server().database();
    const database = openPatiently(url);
    onTestFinished(() => database.close());
    const place = { databaseUrl: await open(url), globalConfig };
    const writer = await startIndex(place, ...flags);
    await takesRole(writer, "writer");
    const standby = await startIndex(place, ...flags);
    await takesRole(standby, "standby");
    await reaches(writer, await devnet.mine(3));
    /** The tables are those of an index that one process has written. */
    const expectWhole = async () => {
      const cleanUrl = await server().database();
      const clean = await startIndex({ databaseUrl: cleanUrl, globalConfig });
      const { last } = await devnet.run<{ last: { seqno: number } }>("getMasterchainInfo");
      await reaches(clean, last.seqno);
      const other = openPatiently(cleanUrl);
      onTestFinished(() => other.close());
      expect(await dumpTables(database)).toEqual(await dumpTables(other));
    };
    return { devnet, database, place, writer, standby, expectWhole };
  }

  const doors = [
    ["the database itself", undefined, true],
    ["a pooler in session mode", (url: string) => startPgBouncer(url, "session"), havePgBouncer()],
  ] as const;
  for (const [name, open, isThere] of doors)
    test.runIf(isThere)(
      `in a transaction on ${name} is replaced, and stores nothing when it wakes up`,
      slow,
      async () => {
        const { devnet, database, writer, standby, expectWhole } = await start(open);
        const release = await holdOpen(database, (each) => each.script("lock table blocks in share mode"));
        const seqno = await devnet.mine();
        await until("the writer's transaction", () => hasSessionsAtBlocks(database, false));
        writer.process.send("SIGSTOP");
        // It gets the lock, and keeps it in an open transaction.
        await release();
        await until("its lock", () => hasSessionsAtBlocks(database, true));
        await takesRole(standby, "writer");
        await reaches(standby, seqno);
        await reaches(standby, await devnet.mine(3));
        writer.process.send("SIGCONT");
        await takesRole(writer, "standby");
        await reaches(standby, await devnet.mine());
        expect(await roleMetrics(writer)).toContain('tonwire_index_role{role="standby"} 1');
        expect(await roleMetrics(standby)).toEqual([
          'tonwire_index_role{role="writer"} 1',
          'tonwire_index_role{role="standby"} 0',
          'tonwire_index_role{role="stopped"} 0',
          'tonwire_index_role{role="reader"} 0',
        ]);
        expect(await standby.metrics()).toContain('tonwire_fallbacks_total{reason="silent-process"} ');
        await expectWhole();
      },
    );

  test("between two blocks is replaced by one of two standbys, and takes over again", slow, async () => {
    const { devnet, place, writer, standby, expectWhole } = await start();
    const second = await startIndex(place, ...soon);
    await takesRole(second, "standby");
    writer.process.send("SIGSTOP");
    const others = [standby, second];
    const roles = async (all: readonly Index[]) => (await Promise.all(all.map(roleOf))).sort().join();
    await until("one writer", async () => (await roles(others)) === "standby,writer");
    const seqno = await devnet.mine(2);
    for (const each of others) await reaches(each, seqno);
    writer.process.send("SIGCONT");
    await until("their roles", async () => (await roles([writer, ...others])) === "standby,standby,writer");
    for (const each of others) each.process.send("SIGKILL");
    await takesRole(writer, "writer");
    await reaches(writer, await devnet.mine());
    await expectWhole();
  });

  test("is not replaced while it beats, however long its transaction takes", slow, async () => {
    // The usual time: on a busy machine a process may be late by seconds.
    const { devnet, database, writer, standby } = await start(undefined, []);
    const release = await holdOpen(database, (each) => each.script("lock table blocks in share mode"));
    const seqno = await devnet.mine();
    await until("the writer's transaction", () => hasSessionsAtBlocks(database, false));
    const isLong = async () => {
      const rows = await queriesOf(database).query(SQL`
        select from pg_stat_activity where datname = current_database()
          and query ilike 'copy%' and xact_start < clock_timestamp() - interval '12 s'`);
      return rows.length > 0 || undefined;
    };
    await until("a transaction of more than the time", isLong);
    expect([await roleOf(writer), await roleOf(standby)]).toEqual(["writer", "standby"]);
    await release();
    await reaches(writer, seqno);
    expect([await roleOf(writer), await roleOf(standby)]).toEqual(["writer", "standby"]);
  });
});
