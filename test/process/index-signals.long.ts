import { writeFileSync } from "node:fs";
import { join } from "node:path";
import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { lockForTransaction } from "../../server/store/sql/locks.js";
import { devnetWithGateway, here } from "../helpers/services/role-processes.js";
import { describePostgres } from "../helpers/store/describe-databases.js";
import { holdOpen } from "../helpers/store/lock-transactions.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const { startBackfill, startIndex } = here;
const slow = { timeout: 600_000 };

describePostgres("SIGHUP without a terminal", (_fresh, server) => {
  /** A database that other processes can only migrate after `release`. */
  async function heldDatabase() {
    const { devnet, globalConfig } = await devnetWithGateway();
    const databaseUrl = await server().database();
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    const release = await holdOpen(database, (transaction) => lockForTransaction(transaction, "migration"));
    const waits = () =>
      until("a process to wait for the lock", async () => {
        const rows = await queriesOf(database).query(
          SQL`select from pg_locks join pg_database on pg_database.oid = database
            where datname = current_database() and locktype = 'advisory' and not granted`,
        );
        return rows.length > 0;
      });
    return { devnet, place: { databaseUrl, globalConfig }, waits, release };
  }

  test(
    "makes a process that writes the index read its settings again, while it migrates as well",
    slow,
    async () => {
      const { devnet, place, waits, release } = await heldDatabase();
      const file = join(temporaryFolder(), "tonwire.json");
      const configure = (members: object) => writeFileSync(file, JSON.stringify(members));
      configure({ slowMs: 1000 });
      const index = await startIndex(place, "--config", file);
      const said = (text: string) => until(`${text} in the log`, () => index.process.stderr.includes(text));
      await waits();
      configure({ slowMs: 2000 });
      index.process.send("SIGHUP");
      await said("the settings were read again: slowMs changed");
      await release();
      await until("health", async () => (await index.health())[0] === 200);
      configure({ slowMs: 2000, maxBatch: 7 });
      index.process.send("SIGHUP");
      await said("none has changed that a running process takes over; maxBatch will change with a restart");
      const seqno = await devnet.mine();
      await until("the next block", async () => (await index.status()).index?.seqno === seqno);
      index.process.send("SIGTERM");
      expect(await index.process.ended).toBe(0);
      expect(index.process.stderr).toContain("the process stops after SIGTERM");
      expect(index.process.stderr).toContain("the process has stopped; nothing was cut off");
    },
  );

  test("stops a backfill, which continues when it is run again", slow, async () => {
    const { devnet, place, waits, release } = await heldDatabase();
    await devnet.mine(3);
    const range = ["--from", "1", "--to", "3"];
    const stopped = await startBackfill(place, ...range);
    await waits();
    stopped.process.send("SIGHUP");
    await release();
    expect(await stopped.process.ended).toBe(1);
    expect(stopped.process.stderr).toContain(
      "tonwire: stopped before the end; run the same command again to continue\n",
    );
    const again = await startBackfill(place, ...range);
    expect(await again.process.ended).toBe(0);
    expect(again.process.stdout).toContain("all blocks are filled in\n");
  });
});
