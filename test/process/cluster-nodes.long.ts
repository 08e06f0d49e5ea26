import { expect, onTestFinished, test } from "vitest";
import { handledLater } from "../../shared/values/promises.js";
import { mayFreeze } from "../helpers/frozen.js";
import { type Api, devnetWithGateway, startApi, startIndex } from "../helpers/services/role-processes.js";
import { divideAt } from "../helpers/store/cluster-databases.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { haveCitus, startCluster } from "../helpers/store/local-cluster.js";
import { until } from "../helpers/until.js";

/** A call that a node does not answer ends after this time; on a slow machine, others may, too. */
const timeout = ["--call-timeout-ms", "5000"];
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

  /** Returns whether it was answered. */
  async ask(api: Api, page: string): Promise<boolean> {
    const answer = await fetch(`${api.url}/api/v3/${page}`, { headers: { "X-API-Key": "k" } });
    const text = await answer.text();
    if (answer.status === 503 || text.includes("query timeout")) {
      this.refused++;
      return false;
    }
    if (answer.status !== 200) this.others.push(`${page}: ${answer.status} ${text}`);
    this.given++;
    const key = `${page} at ${answer.headers.get("X-Index-Seqno")}`;
    const known = this.#known.get(key);
    if (known !== undefined && known !== text) this.others.push(`${key}: ${text} is not ${known}`);
    this.#known.set(key, text);
    return true;
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
      const apis = [await startApi(plain, ...timeout), await startApi(onCluster, ...timeout)];
      for (const url of cluster.nodes)
        apis.push(await startApi(onCluster, ...timeout, "--database-read-urls", url));
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
      const ask = async (api: Api) => {
        while (!isOver) for (const page of pages) await answers.ask(api, page);
      };
      const asking = handledLater(Promise.all(apis.map(ask)));
      const change = async (n: number) => {
        await devnet.run("devnet.faucet", { address: address(n) });
        return devnet.mine();
      };
      const reach = async (seqno: number) => {
        for (const api of apis) await until(`block ${seqno}`, async () => (await api.lastSeqno()) === seqno);
      };
      for (let n = 1; n <= 4; n++) {
        const enough = answers.given + apis.length * pages.length;
        await reach(await change(n));
        await until("answers", () => answers.given > enough);
      }
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
      for (const page of pages) for (const api of apis) await until(page, () => last.ask(api, page));
      expect(last.others).toEqual([]);
    },
  );
});

type Standbys = { standbys: { state: string }[] };
