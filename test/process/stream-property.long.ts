import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SubscribeParams, Transaction } from "../../client/api.js";
import { freePort } from "../helpers/free-port.js";
import { CuttingProxy } from "../helpers/peers/cutting-proxy.js";
import { pseudoRandom } from "../helpers/pseudo-random.js";
import { startDevnetService } from "../helpers/services/devnet-service.js";
import { type Api, startApi, startIndex } from "../helpers/services/role-processes.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { storyEnded } from "../helpers/stories/story.js";
import { copyStoryChain } from "../helpers/stories/story-devnet.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";
import type { Kept, Ledger } from "./stream-ledger.js";
import { FollowedMessages } from "./stream-messages.js";
import {
  eventSource,
  socketSubscriber,
  tonCenterEvents,
  tonCenterSocket,
  watcher,
} from "./stream-subscribers.js";
import { Traffic } from "./stream-traffic.js";

/** `TONWIRE_STREAM_CUTS=5000` and `TONWIRE_STREAM_SEED=7` run more, and other, cuts. */
const wantedCuts = Number(process.env["TONWIRE_STREAM_CUTS"] ?? 120);
const seed = Number(process.env["TONWIRE_STREAM_SEED"] ?? 43);
/** So that there are reverts and kills among them. */
const leastRounds = 48;
/** Largest number of bytes of a connection. */
const longestConnection = 30_000;

describeServers("subscribers", (_fresh, server) => {
  test("have each final event once and in order, over cuts, kills, reverts and pauses", {
    timeout: 60_000 * (10 + wantedCuts / 100),
  }, async () => {
    console.log(`seed ${seed}, ${wantedCuts} cuts`);
    const numbers = pseudoRandom(seed);
    const random = () => numbers.next().value;
    const world = await openWorld(await server().database(), random);
    const { devnet, proxies, traffic, apis } = world;
    const first = (await devnet.mine(1)) + 1;
    await world.indexed(first - 1);

    const { accounts } = traffic;
    const params = (kind: SubscribeParams["kind"], special: Partial<SubscribeParams> = {}) => ({
      kind,
      finality: "finalized" as const,
      from: { mc_seqno: first },
      ...(kind !== "blocks" && { accounts }),
      ...special,
    });
    const urls = proxies.map(({ url }) => url);
    const either = () => urls[Math.floor(random() * 2)]!;
    const subscribers = [
      ...(["blocks", "transactions", "actions", "traces", "accounts", "jettons"] as const).map((kind) =>
        socketSubscriber(either, params(kind)),
      ),
      socketSubscriber(either, params("transactions", { window: 3, finality: "confirmed" })),
      socketSubscriber(either, params("traces", { window: 2 })),
      socketSubscriber(either, params("actions", { finality: "pending" })),
      eventSource(either, params("transactions")),
      eventSource(either, params("actions", { finality: "pending" })),
      watcher(urls, params("transactions", { finality: "pending" })),
      watcher([...urls].reverse(), params("traces")),
      watcher(urls, params("jettons", { window: 4 })),
    ];
    const tonCenter = {
      "events by id": tonCenterEvents(either, accounts),
      WebSocket: await tonCenterSocket(apis[0]!.url, accounts),
    };
    const messages = new FollowedMessages(urls, either);
    const cuts = () => proxies.reduce((sum, each) => sum + each.cuts, 0);

    /** Nothing cuts or holds it: what it has, the streams have sent. */
    const undisturbed = socketSubscriber(() => apis[0]!.url, params("blocks"));
    let snapshot: { id: string } | undefined;
    for (let round = 0; cuts() < wantedCuts || round < leastRounds; round++) {
      messages.follow(await traffic.pay(apis[round % 2]!));
      for (let left = Math.floor(random() * 4); left >= 0; left--)
        messages.follow(await traffic.send(apis[round % 2]!));
      const newest = await devnet.mine(1 + Math.floor(random() * 2));
      await until(
        () => `block ${newest} in the streams`,
        () => undisturbed.ledger.kept.at(-1)?.seqno === newest,
      );
      if (round % 8 === 5) snapshot = await devnet.run<{ id: string }>("devnet.snapshot");
      // Readers are quick enough to hear of the revert. Subscriptions with a window stay below the block it goes to.
      if (round % 8 === 2) for (const proxy of proxies) proxy.hold(false);
      if (round % 16 === 3) for (const proxy of proxies) proxy.holdClients(true);
      if (round % 8 === 6) {
        const { reverts } = undisturbed.ledger;
        const { block } = await devnet.run<{ block: { seqno: number } }>("devnet.revert", {
          id: snapshot!.id,
        });
        messages.reverted(block.seqno);
        await until("the revert in the streams", () => undisturbed.ledger.reverts > reverts);
        // Lagging subscribers lose their connections around the event of the revert.
        for (const proxy of proxies) {
          proxy.cutSoon(() => 1 + Math.floor(random() * 2000));
          proxy.holdClients(false);
        }
      }
      if (round % 40 === 25) await world.restart();
      if (round % 8 < 2 && random() < 0.8) proxies[Math.floor(random() * 2)]!.hold(random() < 0.6);
    }
    for (const proxy of proxies) proxy.calm();
    await traffic.send(apis[0]!);
    await world.indexed(await devnet.mine(1));
    // Records that waited for recognition are sent with the next block.
    await world.recognised();
    const head = await devnet.mine(20);
    await world.indexed(head);

    const counts: Record<string, string> = {};
    for (const subscriber of subscribers) {
      const { name, params, ledger } = subscriber;
      const all = await world.everything(params, head);
      const wanted = all.kept.map(({ cursor }) => cursor);
      // The index has only the newest state of a jetton wallet; subscribers at the head have all states.
      const known = params.kind === "jettons" ? new Set(wanted) : undefined;
      // A process that does not know the blocks of a cursor any more sends everything again, from the first block of the index.
      const isWanted = ({ cursor, seqno }: Kept) => seqno >= first && (known?.has(cursor) ?? true);
      const received = () => ledger.kept.filter(isWanted).map(({ cursor }) => cursor);
      await until(
        () => `${name} to reach the end: ${received().length} of ${wanted.length}`,
        () => received().at(-1) === wanted.at(-1),
      );
      expect([name, received()]).toEqual([name, wanted]);
      expect([name, ledger.disorder]).toEqual([name, []]);
      counts[name] = `${ledger.kept.length} of ${ledger.received}, ${ledger.reverts} reverts`;
    }
    console.table(counts);
    console.log(
      await messages.check(async (hash) => {
        const [, status] = await apis[0]!.ask(`/api/v3/messageStatus?hash=${encodeURIComponent(hash)}`);
        return status;
      }),
    );
    const { kept } = await world.everything(params("transactions"), head);
    const transactions = kept.map(({ event }) => (event as { transaction: Transaction }).transaction);
    for (const [name, { hashes, since }] of Object.entries(tonCenter)) {
      expect([name, since]).toEqual([name, expect.any(Number)]);
      const wanted = transactions.filter(({ mc_block_seqno: seqno }) => seqno! >= since!);
      await until(
        () =>
          `all transactions since ${since} by TON Center's ${name}: ${wanted
            .filter(({ hash }) => !hashes.has(hash))
            .map(({ mc_block_seqno: seqno, trace_id: trace, account }) => `\n${seqno} ${trace} ${account}`)}`,
        () => wanted.every(({ hash }) => hashes.has(hash)),
      );
    }
  });
});

/** A devnet with the story, an index, and two processes that serve it behind proxies that cut. */
async function openWorld(databaseUrl: string, random: () => number) {
  const data = temporaryFolder();
  const globalConfig = join(temporaryFolder(), "devnet.json");
  await copyStoryChain(data);
  const devnet = await startDevnetService({
    data,
    story: true,
    liteserverPort: 0,
    liteserverConfig: globalConfig,
  });
  onTestFinished(() => devnet.close());
  await storyEnded(devnet);
  const place = { databaseUrl, globalConfig };
  const index = await startIndex(place);
  const ports = [await freePort(), await freePort()];
  const start = async (port: number) => {
    const api = await startApi(place, "--port", String(port));
    await until("the streams", async () => (await api.ask("/api/streaming/healthz"))[0] === 200);
    return api;
  };
  const apis: Api[] = await Promise.all(ports.map(start));
  const bytesUntilCut = () => 1 + Math.floor(random() * longestConnection);
  const proxies = await Promise.all(ports.map((port) => CuttingProxy.before(port, bytesUntilCut)));
  return {
    devnet,
    proxies,
    apis,
    traffic: await Traffic.on(devnet, random),
    indexed: (seqno: number) =>
      until(
        () => `block ${seqno} in the index: ${index.process.stderr}`,
        async () => (await apis[0]!.lastSeqno()) === seqno,
      ),
    /** No contract waits to be recognised. */
    recognised: () =>
      until("the queue of contracts", async () => (await index.status()).index?.queued_accounts === 0),
    /** Kills one of the processes, and starts it again. */
    async restart() {
      apis[1]!.process.send("SIGKILL");
      await apis[1]!.process.ended;
      apis[1] = await start(ports[1]!);
    },
    /** All final events that match, by one subscription that is not disturbed. */
    async everything({ kind, accounts, from }: SubscribeParams, to: number): Promise<Ledger> {
      const finality = "finalized" as const;
      const given = { kind, from: from!, to, finality, ...(accounts && { accounts }) };
      const { ledger, hasEnded } = socketSubscriber(() => apis[0]!.url, given);
      await until(`all ${kind}`, hasEnded);
      return ledger;
    },
  };
}
