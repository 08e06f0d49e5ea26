import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { createClient, fallback, type Transaction, webSocket } from "../../client/index.js";
import { type Reset, type Watch, type WatchedTransaction, watch } from "../../client/watch/index.js";
import { isLong } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { RawEventStream } from "../helpers/http/event-stream.js";
import { pseudoRandom } from "../helpers/pseudo-random.js";
import { devnetWithGateway, here, key, startApi, startIndex } from "../helpers/services/role-processes.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { until } from "../helpers/until.js";

const accounts = ["5A", "5B", "5C"].map((byte) => `0:${byte.repeat(32)}`) as [string, string, string];
const [address] = accounts;
const watching = { types: ["transactions", "account_state_change", "actions"], addresses: [address] };

describeServers("streams of several processes over one database", (_fresh, server) => {
  test("send the same, and each continues where another one stopped", { timeout: 600_000 }, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const place = { databaseUrl: await server().database(), globalConfig };
    await here.startIndex(place);
    const [first, second] = [await here.startApi(place), await here.startApi(place)];
    const stream = async (api: typeof first, headers = {}) => {
      const isReady = async () => (await api.ask("/api/streaming/healthz"))[0] === 200;
      await until("the streams", isReady);
      const opened = RawEventStream.open(api.url, watching, { key, headers });
      onTestFinished(() => opened.close());
      await until("the stream", () => opened.frames.length > 0);
      return opened;
    };
    const both = [await stream(first), await stream(second)] as const;
    const rounds = 3;
    for (let round = 0; round < rounds; round++) {
      await devnet.run("devnet.faucet", { address });
      await devnet.mine(2);
    }
    for (const each of both) await until("all events", () => each.frames.length > 3 * rounds);
    expect(both[0].frames).toEqual(both[1].frames);
    const types = both[0].events.slice(1).map(({ type }) => type);
    expect(types).toEqual(Array(rounds).fill(["transactions", "account_state_change", "actions"]).flat());

    // The process is gone; its client continues at the other one.
    const last = /^id: (.*)$/m.exec(both[0].frames[4]!)![1]!;
    first.process.send("SIGTERM");
    await first.process.ended;
    const resumed = await stream(second, { "Last-Event-ID": last });
    await until("the rest", () => resumed.frames.length === 3 * rounds - 3);
    expect(resumed.frames.slice(1)).toEqual(both[0].frames.slice(5));
  });

  test.runIf(isLong)(
    "are watched without loss or repetition over cuts, dead processes and reverts",
    {
      timeout: 600_000,
    },
    async () => {
      const { devnet, globalConfig } = await devnetWithGateway();
      const place = { databaseUrl: await server().database(), globalConfig };
      const ports = [String(await freePort()), String(await freePort())] as const;
      await startIndex(place);
      const start = async (port: string) => {
        const api = await startApi(place, "--port", port);
        await until("the streams", async () => (await api.ask("/api/streaming/healthz"))[0] === 200);
        return api;
      };
      let [first, second] = await Promise.all([start(ports[0]), start(ports[1])]);
      const numbers = pseudoRandom(16);
      const random = () => numbers.next().value;
      const chosen = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)]!;

      const sockets = new Set<WebSocket>();
      let connections = 0;
      class NotedSocket extends WebSocket {
        constructor(url: string) {
          super(url);
          connections++;
          sockets.add(this);
          this.on("close", () => sockets.delete(this));
        }
      }
      /** A client that prefers the first port. */
      const watching = (...preferred: readonly string[]) => {
        const quick = { baseMs: 1, maxMs: 1 };
        const transports = preferred.map((port) =>
          webSocket(`http://127.0.0.1:${port}/jsonRPC`, { WebSocket: NotedSocket, reconnect: quick }),
        );
        const client = createClient({ transport: fallback(transports, { rest: quick }), apiKey: key });
        onTestFinished(() => client.close());
        return watch(client, { random: () => 0, window: 5 });
      };
      /** Collects events, and drops those that a revert makes void. */
      const follow = (live: Watch) => {
        const reader = { isLive: false, kept: [] as WatchedTransaction[], all: [] as WatchedTransaction[] };
        const stream = live.transactions({
          accounts,
          onReset: (reset) => {
            if (reset.type !== "reverted") return;
            reader.kept = reader.kept.filter(
              ({ transaction }) => transaction.mc_block_seqno! <= reset.mc_seqno,
            );
          },
          onStatus: (status) => {
            reader.isLive ||= status === "live";
          },
        });
        const done = (async () => {
          for await (const event of stream) {
            reader.kept.push(event);
            reader.all.push(event);
          }
        })();
        // The code that awaits it reports its failure.
        done.catch(() => {});
        return Object.assign(reader, { stream, done });
      };
      const readers = [follow(watching(...ports)), follow(watching(ports[1], ports[0]))];
      await until("the subscriptions", () => readers.every(({ isLive }) => isLive));

      const rounds = 27;
      let snapshot: { id: string } | undefined;
      let snapshotHead = 0;
      let head = 0;
      let cuts = 0;
      const openSockets = () => [...sockets].filter(({ readyState }) => readyState === WebSocket.OPEN);
      for (let round = 0; round < rounds; round++) {
        if (random() < 0.4) {
          await until("connections to cut", () => openSockets().length >= readers.length);
          chosen(openSockets()).terminate();
          cuts++;
        }
        if (round % 9 === 2) {
          snapshot = await devnet.run<{ id: string }>("devnet.snapshot");
          snapshotHead = head;
        }
        if (round % 9 === 6) {
          const isVoid = ({ transaction }: WatchedTransaction) => transaction.mc_block_seqno! > snapshotHead;
          await until("what is about to be void", () => readers[0]!.kept.some(isVoid));
          await devnet.run("devnet.revert", { id: snapshot!.id });
        }
        if (round === rounds / 3 || round === (rounds * 2) / 3) {
          // The killed process is back before the other one is.
          const [killed, port] =
            round === rounds / 3 ? ([first, ports[0]] as const) : ([second, ports[1]] as const);
          killed.process.send("SIGKILL");
          await killed.process.ended;
          if (killed === first) first = await start(port);
          else second = await start(port);
        }
        await devnet.run("devnet.faucet", { address: chosen(accounts) });
        head = await devnet.mine(random() < 0.5 ? 1 : 2);
      }
      head = await devnet.mine(8);
      await until("the index", async () => (await first.lastSeqno()) === head);
      const query = `${accounts.map((account) => `account=${account}`).join("&")}&sort=asc&limit=1000`;
      const [, { transactions }] = (await first.ask(`/api/v3/transactions?${query}`)) as [
        number,
        { transactions: Transaction[] },
      ];
      expect(transactions.length).toBeGreaterThan(rounds / 2);
      const shown = (events: readonly WatchedTransaction[]) => events.map(({ transaction }) => transaction);
      const lastOf = (events: readonly { hash: string }[]) => events.at(-1)?.hash;
      for (const reader of readers) {
        // A revert that comes late replaces the list.
        const isThere = until(
          "the last transaction",
          () => lastOf(shown(reader.kept)) === lastOf(transactions),
        );
        await Promise.race([isThere, reader.done]);
        expect(shown(reader.kept)).toEqual(transactions);
        await reader.stream.return();
        await reader.done;
      }
      expect(cuts).toBeGreaterThan(rounds / 4);
      expect(connections).toBeGreaterThan(cuts);
      expect(readers[0]!.all.length).toBeGreaterThan(transactions.length);

      // From each cursor, also of blocks that are void, what comes after it.
      const again = watching(...ports);
      const { all, kept } = readers[0]!;
      for (const each of all) {
        const { cursor, transaction } = each;
        let base = Number.POSITIVE_INFINITY;
        const onReset = (reset: Reset) => {
          if (reset.type === "reverted") base = reset.mc_seqno;
        };
        const rest: WatchedTransaction[] = [];
        for await (const event of again.transactions({ accounts, from: cursor!, to: head, onReset }))
          rest.push(event);
        const at = transactions.findIndex(({ hash }) => hash === transaction.hash);
        const isReset = base < Number.POSITIVE_INFINITY;
        // A transaction may have been made again after a revert, in the same block or in another one.
        if (at < 0 || kept.includes(each))
          expect([transaction.hash, isReset]).toEqual([transaction.hash, at < 0]);
        const isAfter = ({ mc_block_seqno: seqno }: Transaction) => seqno! > base;
        expect(shown(rest)).toEqual(isReset ? transactions.filter(isAfter) : transactions.slice(at + 1));
      }
    },
  );
});
