import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ServerAddress } from "../../server/chain/adnl/client.js";
import { serveQuery } from "../../server/chain/gateway/serve-query.js";
import type { Liteservers } from "../../server/chain/liteservers/liteservers.js";
import { updateHashes } from "../../shared/ton/cells/merkle/merkle-update.js";
import { type LiteApi, LiteError } from "../../shared/ton/lite/lite-api.js";
import { invokerOf, type LiteMethod, liteApiFrom } from "../../shared/ton/lite/lite-methods.js";
import { verifyHeader } from "../../shared/ton/proofs/verify/headers.js";
import { liteMethods } from "../../shared/ton/tl/lite-functions.js";
import { type BlockId, wholeShard } from "../../shared/ton/tlb/block-id.js";
import { systemTimers } from "../../shared/values/timers.js";
import { type ChainApp, firstBlocks, startChainApp } from "../helpers/http/chain-app.js";
import type { Peer } from "../helpers/peers/adnl-peer.js";
import { FakeServer } from "../helpers/peers/fake-server.js";
import { type Fault, FaultyProxy } from "../helpers/peers/faulty-proxy.js";
import { openGateway } from "../helpers/peers/gateway-line.js";
import { liesAbout } from "../helpers/peers/lies.js";
import { openLiteserversForTest, verifierFor } from "../helpers/peers/open-liteservers.js";
import { describeWithChain } from "../helpers/test-data.js";
import { until } from "../helpers/until.js";

const masterchain = `workchain=-1&shard=-${wholeShard}`;
const elector = `-1:${"3".repeat(64)}`;
/** One call of each kind that reads a chain, and one for a block that does not exist. */
const callsTo = (newest: number) => [
  "getMasterchainInfo",
  `lookupBlock?${masterchain}&seqno=50`,
  `lookupBlock?workchain=0&shard=-${wholeShard}&seqno=40`,
  `getBlockHeader?${masterchain}&seqno=60`,
  "shards?seqno=70",
  `getAddressInformation?address=${elector}&seqno=80`,
  `getAddressBalance?address=0:${"1".repeat(64)}`,
  `getTransactions?address=${elector}&limit=20`,
  `getBlockTransactions?${masterchain}&seqno=98`,
  `getBlockTransactionsExt?${masterchain}&seqno=97&count=5`,
  "getConfigParam?config_id=34",
  "getMasterchainBlockSignatures?seqno=30",
  `getShardBlockProof?workchain=0&shard=-${wholeShard}&seqno=45`,
  `lookupBlock?${masterchain}&seqno=${newest + 900}`,
];

describeWithChain(
  "with two bad liteservers of five, every call of v2 is answered, and answered correctly,",
  (data) => {
    const calls = callsTo(data.newest);
    let lite: LiteApi;
    let truth: unknown[];
    beforeAll(async () => {
      lite = firstBlocks(data);
      const app = await startChainApp(lite);
      truth = await answersOf(app, calls);
      await app.close();
      expect(truth).toHaveLength(calls.length);
    });

    /** A pool over these servers and three good ones; resolves once the good ones are alive. */
    async function poolWith(bad: readonly ServerAddress[]): Promise<Liteservers> {
      const addresses = [...bad, ...(await Promise.all([lite, lite, lite].map(gatewayOf)))];
      const pool = await openLiteserversForTest(lite, addresses, { verify: await verifierFor(lite) });
      await until("the good ones", () =>
        pool
          .status()
          .slice(2)
          .every(({ state }) => state === "alive"),
      );
      return pool;
    }

    /** Sends all calls concurrently to an app with an empty cache. */
    async function expectTruth(pool: Liteservers): Promise<void> {
      const app = await startChainApp(pool.api);
      expect(await answersOf(app, calls)).toEqual(truth);
      await app.close();
    }

    /** Two servers whose answers pass through `change`. */
    function gatewaysTo(change: Change): Promise<ServerAddress[]> {
      const api = liteApiFrom(liteMethods, async (method, request, call) =>
        change(method, request, () => invokerOf(lite)(method, request, call)),
      );
      return Promise.all([api, api].map(gatewayOf));
    }

    test.each<Fault>(["hang", "cut", "noise", "refuse"])("when they turn to %j", async (fault) => {
      const proxies: FaultyProxy[] = [];
      for (let i = 0; i < 2; i++) proxies.push(await FaultyProxy.before(await gatewayOf(lite)));
      const pool = await poolWith(proxies.map(({ address }) => address));
      await expectTruth(pool);
      for (const proxy of proxies) proxy.fault = fault;
      await expectTruth(pool);
      await expectTruth(pool);
    });

    test("when they have only the first block", async () => {
      const first = { workchain: -1, shard: wholeShard, seqno: 1 };
      const { id: last } = await lite.lookupBlock({ id: first, bySeqno: true });
      const header = { id: last, stateUpdate: true };
      const { block, info } = verifyHeader(header, await lite.getBlockHeader(header));
      const known = { last, lastUtime: info.genUtime, stateRootHash: updateHashes(block.stateUpdate).to };
      const bad = await gatewaysTo(async (method, request, answer) => {
        const { id } = request as { id?: BlockId };
        if (id && id.seqno > 1)
          throw new LiteError(651, "block is not in db (last known masterchain block: 1)");
        const told = (await answer()) as object;
        return method.startsWith("getMasterchainInfo") ? { ...told, ...known } : told;
      });
      const pool = await poolWith(bad);
      await until("the others", () => pool.status().every(({ lag }) => lag !== undefined));
      expect(pool.status().map(({ lag }) => lag)).toEqual([data.newest - 1, data.newest - 1, 0, 0, 0]);
      await expectTruth(pool);
    });

    test("when they send a thousand unsolicited messages with every answer", async () => {
      const flood = async (peer: Peer) => {
        const invoke = invokerOf(lite);
        peer.channel.send(new Uint8Array(0));
        for (;;) {
          const { queryId, query } = await peer.hear("adnl.message.query");
          for (let i = 0; i < 1000; i++) peer.channel.send(new Uint8Array(0));
          const server = { invoke, timers: systemTimers, onError() {} };
          const answer = await serveQuery(server, query as Uint8Array, new AbortController().signal);
          peer.say("adnl.message.answer", { queryId: queryId!, answer: answer! });
        }
      };
      const servers = [await FakeServer.start(flood), await FakeServer.start(flood)];
      const pool = await poolWith(servers.map(({ address }) => address));
      await expectTruth(pool);
      const bad = () => pool.status().slice(0, 2);
      await until("their ban", () => bad().every(({ state }) => state === "banned"));
      for (const { lastError } of bad())
        expect(lastError).toBe("the server sends too many unsolicited messages");
    });

    describe("when they lie", () => {
      /** The liteserver methods that these calls use. */
      let asked: Set<LiteMethod>;
      beforeAll(async () => {
        asked = new Set();
        const verify = await verifierFor(lite);
        const watched = liteApiFrom(liteMethods, (method, request, call) => {
          asked.add(method);
          return invokerOf(lite)(method, request, call);
        });
        const app = await startChainApp(verify(watched));
        await answersOf(app, calls);
        await app.close();
      });

      // Each lie in each method needs a new pool: about a minute on an idle machine.
      test("in any part of any answer", { timeout: 600_000 }, async () => {
        expect(asked.size).toBeGreaterThan(8);
        for (const method of asked)
          for (let seed = 0; seed < 3; seed++) {
            let told = 0;
            const bad = await gatewaysTo(async (each, _, answer) => {
              const truthful = await answer();
              if (each !== method) return truthful;
              const lies = Array.from(liesAbout(truthful)).filter(({ path }) => !unproven.test(path));
              return lies[(seed * 7 + told++ * 11) % lies.length]!.answer;
            });
            const pool = await poolWith(bad);
            await until(`a lie in ${method}`, async () => {
              await expectTruth(pool);
              return told > 0;
            });
            pool.close();
          }
      });
    });
  },
);

type Change = (method: LiteMethod, request: object, answer: () => Promise<unknown>) => Promise<unknown>;

/** Members that no proof covers. */
const unproven = /^\.(now|version|capabilities)#/;

/** Answers without `@extra`, which has times in it. */
function answersOf(app: ChainApp, calls: readonly string[]): Promise<unknown[]> {
  return Promise.all(
    calls.map(async (path) => {
      const { status, json } = await app.ask(`/api/v2/${path}`);
      const { "@extra": _, ...answer } = json as Record<string, unknown>;
      return { path, status, answer };
    }),
  );
}

async function gatewayOf(api: LiteApi): Promise<ServerAddress> {
  const { gateway, address } = await openGateway(api, { onError: () => {} });
  onTestFinished(() => gateway.close());
  return address;
}
