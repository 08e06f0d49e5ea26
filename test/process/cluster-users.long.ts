import { expect, onTestFinished, test } from "vitest";
import { emptyIndex } from "../../server/store/migrate/empty-index.js";
import { mergeOldSlots } from "../../server/store/slots/cold-slots.js";
import { examplesIn } from "../helpers/readmes.js";
import { devnetWithGateway, startApi, startIndex } from "../helpers/services/role-processes.js";
import { askOnce } from "../helpers/store/ask-once.js";
import { divideAt } from "../helpers/store/cluster-databases.js";
import { grownContent } from "../helpers/store/growing-index.js";
import { haveCitus, startCluster } from "../helpers/store/local-cluster.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { until } from "../helpers/until.js";

const account = `0:${"5A".repeat(32)}`;

function as(url: string, user: string): string {
  const changed = new URL(url);
  changed.username = user;
  return changed.href;
}

test.runIf(haveCitus())(
  "A cluster has a writer and a reader with the rights that the README grants, and they need no others",
  { timeout: 600_000 },
  async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const all = [cluster.url, ...cluster.nodes];
    const [create, grant] = examplesIn("server/README.md", "sql");
    // Nodes have the database.
    const onCoordinator = create!.replace("create database tonwire owner", "alter database tonwire owner to");
    for (const statement of `${onCoordinator}${grant}`.split(";").filter((each) => each.trim() !== ""))
      await askOnce(cluster.url, statement);
    for (const url of all)
      expect(
        await askOnce(
          url,
          `select rolname, rolsuper, pg_get_userbyid(datdba) as owner from pg_roles, pg_database
          where rolname ~ '^tonwire_' and datname = 'tonwire' order by 1`,
        ),
      ).toEqual(
        ["tonwire_reader", "tonwire_writer"].map((rolname) => ({
          rolname,
          rolsuper: false,
          owner: "tonwire_writer",
        })),
      );

    const writer = as(cluster.url, "tonwire_writer");
    await divideAt(writer);
    const database = openPatiently(writer);
    try {
      await grownContent(9, 10).fill(database);
      expect(await mergeOldSlots(database.sql(), { pauseMs: 5 })).toBe(true);
      expect(await emptyIndex(database.sql())).toBe(true);
    } finally {
      await database.close();
    }
    await divideAt(writer);
    // As a node that is added later, one gets the index anew.
    const port = new URL(cluster.nodes[0]!).port;
    await askOnce(cluster.url, `select stop_metadata_sync_to_node('127.0.0.1', ${port})`);
    await askOnce(cluster.url, `select start_metadata_sync_to_node('127.0.0.1', ${port})`);
    await divideAt(writer);

    const { devnet, globalConfig } = await devnetWithGateway();
    const index = await startIndex({ databaseUrl: writer, globalConfig });
    await until("the index", async () => (await index.health())[0] === 200);
    const reader = as(cluster.url, "tonwire_reader");
    const node = as(cluster.nodes[0]!, "tonwire_reader");
    const apis = [
      await startApi({ databaseUrl: reader, globalConfig }),
      await startApi({ databaseUrl: reader, globalConfig }, "--database-read-urls", node),
    ];
    await devnet.run("devnet.faucet", { address: account });
    const seqno = await devnet.mine();
    for (const api of apis) {
      await until("the block in the index", async () => (await api.lastSeqno()) === seqno);
      for (const list of ["transactions", "messages", "traces", "actions"])
        expect([list, (await api.ask(`/api/v3/${list}?limit=10`))[0]]).toEqual([list, 200]);
      expect(await api.ask(`/api/v3/transactions?account=${account}`)).toMatchObject([
        200,
        { transactions: [{ account }] },
      ]);
      const body = JSON.stringify({ kind: "transactions", accounts: [account], url: "http://127.0.0.1:9/" });
      expect((await api.ask("/api/v3/webhooks/create", { method: "POST", body }))[0]).toBe(200);
      expect((await api.status()).index).toMatchObject({ role: "reader", failure: null });
    }
    const { standbys } = (await apis[1]!.status()).index as unknown as { standbys: { state: string }[] };
    expect(standbys.map(({ state }) => state)).toEqual(["used"]);
    await until("sizes of tables", async () =>
      /^tonwire_database_node_bytes\{.*table="transactions".*\} [1-9]/m.test(await index.metrics()),
    );

    const changeRights = (text: string) =>
      askOnce(
        cluster.nodes[0]!,
        `set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on; ${text}`,
      );
    // Answers to the same question are kept.
    let limit = 100;
    const listed = () => apis[0]!.ask(`/api/v3/transactions?limit=${++limit}`);
    const isForbidden = async (value: 0 | 1) =>
      (await apis[0]!.metrics()).includes(`\ntonwire_database_forbidden ${value}\n`);
    await changeRights("revoke select on all tables in schema public from tonwire_reader");
    await until("the refusal", async () => (await listed())[0] !== 200);
    expect(await listed()).toMatchObject([503, { error: "database permissions are missing" }]);
    // Between answers that are refused, the index is looked at anew.
    await until("the reason", async () => {
      await listed();
      return /permission denied for table transactions_\d+/.test(JSON.stringify(await apis[0]!.health()));
    });
    await until("the number", async () => {
      await listed();
      return isForbidden(1);
    });
    await changeRights("grant select on all tables in schema public to tonwire_reader");
    await until("the answers", async () => (await listed())[0] === 200);
    await until("the other number", () => isForbidden(0));

    for (const url of all)
      for (const text of ["delete from transactions", "drop table blocks", "create table mine (id integer)"])
        await expect(askOnce(as(url, "tonwire_reader"), text)).rejects.toThrow(
          /permission denied|must be owner/,
        );
  },
);
