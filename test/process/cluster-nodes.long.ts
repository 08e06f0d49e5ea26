import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { raiseIndexVersion } from "../../server/store/queries/upkeep/index-version.js";
import { openReadServer } from "../../server/store/wire/postgres.js";
import { handledLater } from "../../shared/values/promises.js";
import { mayFreeze } from "../helpers/frozen.js";
import { startIndexApp } from "../helpers/http/index-app.js";
import { type Api, devnetWithGateway, startApi, startIndex } from "../helpers/services/role-processes.js";
import { divideAt } from "../helpers/store/cluster-databases.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { haveCitus, startCluster } from "../helpers/store/local-cluster.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { startStandby } from "../helpers/store/standby.js";
import { storyIndex } from "../helpers/stories/story-index.js";
import { until } from "../helpers/until.js";

const address = (n: number) => `0:${n.toString(16).padStart(2, "0").repeat(32)}`;
const pages = [
  "transactions?limit=30",
  "transactions?limit=30&sort=asc&offset=5",
  "messages?limit=30",
  "blocks?limit=10",
  `accountStates?address=${address(3)}`,
];

/** Answers by page and by the block that they name: all servers that have that block give the same one. */
class Answers {
  readonly #known = new Map<string, string>();
  readonly others: string[] = [];
  given = 0;
  refused = 0;

  async ask(api: Api, page: string): Promise<void> {
    const answer = await fetch(`${api.url}/api/v3/${page}`, { headers: { "X-API-Key": "k" } });
    const text = await answer.text();
    if (answer.status === 503 || text.includes("query timeout")) {
      this.refused++;
      return;
    }
    if (answer.status !== 200) this.others.push(`${page}: ${answer.status} ${text}`);
    this.given++;
    const key = `${page} at ${answer.headers.get("X-Index-Seqno")}`;
    const known = this.#known.get(key);
    if (known !== undefined && known !== text) this.others.push(`${key}: ${text} is not ${known}`);
    this.#known.set(key, text);
  }
}

describeServers("A cluster whose nodes answer", (_, server) => {
  test.runIf(haveCitus())(
    "gives the answers of one server by all nodes while it is written, and without a node none that is wrong",
    { timeout: 600_000 },
    async () => {
      const cluster = await startCluster();
      onTestFinished(() => cluster.stop());
      await divideAt(cluster.url);
      const { devnet, globalConfig } = await devnetWithGateway();
      const plain = { databaseUrl: await server().database(), globalConfig };
      const onCluster = { databaseUrl: cluster.url, globalConfig };
      const indexes = [await startIndex(plain), await startIndex(onCluster)];
      for (const index of indexes)
        await until(
          () => `the index:\n${index.process.stderr}`,
          async () => (await index.health())[0] === 200,
        );
      const apis = [await startApi(plain), await startApi(onCluster)];
      for (const url of cluster.nodes) apis.push(await startApi(onCluster, "--database-read-urls", url));
      for (const api of apis)
        await until(
          () => `the service:\n${api.process.stderr}`,
          async () => (await api.health())[0] === 200,
        );
      const doors = apis.slice(2).map(async (api) => {
        const { standbys } = (await api.status()).index as unknown as Standbys;
        return standbys.map(({ state }) => state);
      });
      expect(await Promise.all(doors)).toEqual([["used"], ["used"]]);

      const answers = new Answers();
      let isOver = false;
      onTestFinished(() => {
        isOver = true;
      });
      const ask = async () => {
        while (!isOver) for (const page of pages) for (const api of apis) await answers.ask(api, page);
      };
      const asking = handledLater(ask());
      const change = async (n: number) => {
        await devnet.run("devnet.faucet", { address: address(n) });
        return devnet.mine();
      };
      const reach = async (seqno: number) => {
        for (const api of apis) await until(`block ${seqno}`, async () => (await api.lastSeqno()) === seqno);
      };
      for (let n = 1; n <= 4; n++) await reach(await change(n));
      expect(answers.others).toEqual([]);

      cluster.end(2);
      await until("answers without the node", () => answers.refused > 5);
      cluster.start();
      await reach(await change(5));
      if (mayFreeze) {
        const before = answers.refused;
        cluster.freeze(2);
        onTestFinished(() => cluster.thaw(2));
        await until("answers while the node hangs", () => answers.refused > before + 5);
        cluster.thaw(2);
        await reach(await change(6));
      }
      isOver = true;
      await asking;
      expect(answers.others).toEqual([]);
      const last = new Answers();
      for (const api of apis) for (const page of pages) await last.ask(api, page);
      expect([last.others, last.refused]).toEqual([[], 0]);
      expect(last.given).toBe(apis.length * pages.length);
    },
  );
});

test.runIf(haveCitus())(
  "A standby of a node answers once it has the last commit",
  { timeout: 600_000 },
  async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    await divideAt(cluster.url);
    const database = openPatiently(cluster.url);
    onTestFinished(() => database.close());
    await storyIndex.fill(database);
    const sql = database.sql();
    const pay = (fees: number) =>
      sql.transaction(async (transaction) => {
        await transaction.query(SQL`update transactions set total_fees = ${fees}`);
        await raiseIndexVersion(transaction);
      });
    await pay(1);
    for (const url of [cluster.url, cluster.nodes[0]!]) {
      const standby = await startStandby(url);
      onTestFinished(() => standby.stop());
      const door = openReadServer(standby.url, { isPooled: false, commits: database.commits });
      onTestFinished(() => door.close());
      const app = await startIndexApp(database, {
        answers: door.sql({ statementTimeoutMs: 60_000, atOnce: 2 }),
      });
      onTestFinished(() => app.close());
      const fees = async () => {
        const [status, { transactions }] = await app.get<{ transactions?: { total_fees: string }[] }>(
          "transactions?limit=100",
        );
        return [status, ...new Set(transactions?.map(({ total_fees }) => total_fees))];
      };
      await pay(2);
      await until("the replay", async () => (await fees())[0] === 200);
      expect(await fees()).toEqual([200, "2"]);
      await standby.pause();
      await pay(3);
      expect(await fees()).toEqual([503]);
      await standby.resume();
      await until("the replay", async () => (await fees())[0] === 200);
      expect(await fees()).toEqual([200, "3"]);
    }
  },
);

type Standbys = { standbys: { state: string }[] };
