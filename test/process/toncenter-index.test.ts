import { expect, onTestFinished, test } from "vitest";
import { isLong } from "../helpers/effort.js";
import { startIndexApp } from "../helpers/http/index-app.js";
import { tonwireHere } from "../helpers/services/command-here.js";
import { devnetWithGateway, here } from "../helpers/services/role-processes.js";
import { describePostgres } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { exportIndex, exportRows } from "../helpers/toncenter/export.js";
import { schemaScript } from "../helpers/toncenter/schema.js";
import { until } from "../helpers/until.js";

const { startApi, startIndex } = here;
const slow = { timeout: 600_000 };
const layout = ["--database-layout", "toncenter"];
const lack = "the service reads a database of TON Center, which does not have the data for this call";

describePostgres("tonwire api over a database of TON Center", (_fresh, server) => {
  /** A new database of a server, with the URL for a user who may only read it. */
  const newDatabase = async (content: "database" | "databaseWithSchema" = "database") => {
    const url = await server()[content]();
    const database = openPatiently(url);
    onTestFinished(() => database.close());
    const reading = new URL(url);
    reading.username = `reader_${reading.pathname.slice(-8)}`;
    const allow = async () => {
      const role = reading.username;
      await queriesOf(database).transaction((transaction) =>
        transaction.script(
          `create role ${role} login; grant select on all tables in schema public to ${role}`,
        ),
      );
    };
    return { url, database, sql: queriesOf(database), readingUrl: reading.href, allow };
  };

  test(
    "answers v3 as the index of this program does, without any right to write, and refuses another chain",
    slow,
    async () => {
      const { devnet, globalConfig } = await devnetWithGateway();
      const [own, foreign] = [await newDatabase("databaseWithSchema"), await newDatabase()];
      const index = await startIndex({ databaseUrl: own.url, globalConfig });
      const indexed = (seqno: number) =>
        until("the index", async () => (await index.status()).index?.seqno === seqno);
      const address = `0:${"5A".repeat(32)}`;
      await devnet.run("devnet.faucet", { address });
      await indexed(await devnet.mine());
      await exportIndex(own.sql, foreign.sql);
      await foreign.allow();
      const usual = ["--health-max-lag", "1000000"];
      const expected = await startIndexApp(own.database);
      onTestFinished(() => expected.close());
      const api = await startApi({ databaseUrl: foreign.readingUrl, globalConfig }, ...usual, ...layout);
      await until("health", async () => (await api.health())[0] === 200);

      const paths = ["masterchainInfo", `transactions?account=${address}`, `actions?account=${address}`];
      for (const path of paths) expect(await api.ask(`/api/v3/${path}`)).toEqual(await expected.get(path));
      const [, { transactions }] = (await api.ask(`/api/v3/transactions?account=${address}`)) as unknown as [
        number,
        { transactions: { in_msg: { hash: string } }[] },
      ];
      const hash = encodeURIComponent(transactions[0]!.in_msg.hash);
      const statusOf = (hash: string) => api.ask(`/api/v3/messageStatus?hash=${hash}`);
      expect(await statusOf(hash)).toMatchObject([
        200,
        { status: "completed", success: true, transactions: 2 },
      ]);
      expect(await statusOf("A".repeat(43))).toMatchObject([200, { status: "unknown" }]);
      expect(await api.ask("/api/v3/validators/cycles")).toEqual([501, { error: lack }]);

      const another = await newDatabase();
      await another.sql.transaction((transaction) =>
        transaction.script(`${schemaScript()};
        insert into blocks (workchain, shard, seqno, root_hash, gen_utime)
        values (-1, -9223372036854775808, 1, '${"A".repeat(43)}=', 1)`),
      );
      const refused = await startApi({ databaseUrl: another.url, globalConfig }, ...layout);
      const said = () => `${refused.process.stdout}${refused.process.stderr}`;
      await until("the reason", () => said().includes("is of another chain than devnet: block 1 differs"));
      expect(await refused.ask("/api/v3/blocks")).toEqual([503, { error: "database is not available" }]);

      if (!isLong) return;
      // Cached answers end with the next block.
      const seqno = await devnet.mine();
      await indexed(seqno);
      await exportRows(own.sql, foreign.sql);
      await until("the next block", async () => (await api.lastSeqno()) === seqno);
      expect((await api.status()).index).toMatchObject({ role: "reader", seqno });
    },
  );

  test.runIf(isLong)("says why a database cannot be read", slow, async () => {
    const { globalConfig } = await devnetWithGateway();
    const foreign = await newDatabase();
    const api = await startApi({ databaseUrl: foreign.url, globalConfig }, ...layout);
    const said = () => `${api.process.stdout}${api.process.stderr}`;
    await until("the reason", () => said().includes("names no database of ton-indexer"));
    expect(await api.ask("/api/v3/blocks")).toEqual([503, { error: "database is not available" }]);
  });
});

const url = "postgres://127.0.0.1:1/none";

test.each([
  [["start"], "--database-layout toncenter is for `tonwire api` alone"],
  [["index", "--global-config", "none.json"], "--database-layout toncenter is for `tonwire api` alone"],
  [["empty-index"], "--database-layout toncenter is for `tonwire api` alone"],
  [
    ["api", "--network", "testnet", "--database-read-urls", url],
    "with --database-layout toncenter name one server",
  ],
])("%j is refused with the layout of TON Center", slow, async (args, text) => {
  const env = { DATABASE_URL: url, TONWIRE_DATABASE_LAYOUT: "toncenter" };
  const { code, stderr } = await tonwireHere(args, { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
});
