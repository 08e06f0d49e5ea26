import { describe, expect, test } from "vitest";
import { haveRedis, TestRedis } from "../helpers/peers/redis.js";
import { devnetWithGateway, here } from "../helpers/services/role-processes.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { until } from "../helpers/until.js";
import { eventSource, socketSubscriber } from "./stream-subscribers.js";

const { startApi, startIndex } = here;
const address = `0:${"EF".repeat(32)}`;

describe.skipIf(!(await haveRedis()))("Streams that Redis wakes", () => {
  describeServers("of processes with one index", (_, server) => {
    test("lose nothing while Redis is away, and come back to it", { timeout: 600_000 }, async () => {
      const redis = await TestRedis.start();
      const databaseUrl = await server().database();
      const { devnet, globalConfig } = await devnetWithGateway();
      const bus = ["--bus", "redis", "--redis-url", redis.url];
      const index = await startIndex({ databaseUrl, globalConfig }, ...bus);
      await until("the index", async () => (await index.health())[0] === 200);
      const api = await startApi({ databaseUrl, globalConfig }, ...bus);
      await until("the api", async () => (await api.health())[0] === 200);

      const params = { kind: "transactions", accounts: [address], from: { mc_seqno: 1 } } as const;
      const streams = [socketSubscriber(() => api.url, params), eventSource(() => api.url, params)];
      let given = 0;
      const give = async () => {
        for (let gift = 0; gift < 3; gift++, given++) {
          await devnet.run("devnet.faucet", { address });
          await devnet.mine();
        }
        await until(
          () => `${given} in ${streams.map(({ ledger }) => ledger.kept.length).join(", ")}`,
          () => streams.every(({ ledger }) => ledger.kept.length >= given),
        );
      };
      await give();
      await redis.stop();
      await until("the loss in health and metrics", async () => {
        const [status, text] = await api.health();
        return status === 503 && text.includes("connection lost");
      });
      expect(await api.metrics()).toMatch(/^tonwire_bus_connected 0$/m);
      await give();
      await redis.start();
      await until("the return", async () => (await api.health())[0] === 200);
      expect(await api.metrics()).toMatch(/^tonwire_bus_connected 1$/m);
      await give();

      const [status, answer] = await api.ask(`/api/v3/transactions?account=${address}&limit=1000&sort=asc`);
      expect(status).toBe(200);
      const lts = (answer as { transactions: { lt: string }[] }).transactions.map(({ lt }) => lt);
      expect(lts).toHaveLength(given);
      for (const { ledger } of streams) {
        expect(ledger.disorder).toEqual([]);
        const sent = ledger.kept.map(
          ({ event }) => (event as { transaction: { lt: string } }).transaction.lt,
        );
        expect(sent).toEqual(lts);
      }
    });
  });
});
