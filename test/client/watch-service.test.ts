import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import {
  type Client,
  type ClientOptions,
  createClient,
  sendAndWait as sendAndPoll,
  type Transaction,
  webSocket,
} from "../../client/index.js";
import {
  type Reset,
  sendAndWait,
  type WatchedTransaction,
  type WatchSettings,
  type WatchStatus,
  watch,
} from "../../client/watch/index.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { isLong, sized } from "../helpers/effort.js";
import { pseudoRandom } from "../helpers/pseudo-random.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { until } from "../helpers/until.js";
import { FakeClock } from "./helpers/fake-clock.js";

// `watch` at a whole service with a devnet.

const accounts = ["6A", "6B", "6C"].map((byte) => `0:${byte.repeat(32)}`) as [string, string, string];

describe("watch at a service", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("indexed");
    await streamsReady(service);
  });
  afterAll(() => service?.close());

  /** Connections of clients, to be cut, and what they received. */
  let sockets: WebSocket[] = [];
  let received: string[] = [];
  class NotedSocket extends WebSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
      this.on("message", (data) => received.push(String(data)));
    }
  }
  const clients: Client[] = [];
  let client: Client;
  beforeEach(() => {
    sockets = [];
    received = [];
    client = newClient();
  });
  afterEach(() => {
    for (const each of clients.splice(0)) each.close();
  });

  const newClient = (options: Partial<ClientOptions> = {}) => {
    const transport = webSocket(`${service.url}/jsonRPC`, {
      WebSocket: NotedSocket,
      reconnect: { baseMs: 1, maxMs: 1 },
    });
    const made = createClient({ transport, apiKey: service.key, ...options });
    clients.push(made);
    return made;
  };
  const watched = (settings: WatchSettings = {}, of = client) => watch(of, { random: () => 0, ...settings });
  const pay = async (address: string, blocks = 2) => {
    await service.run("devnet.faucet", { address });
    await service.mine(blocks);
  };
  const listed = async (): Promise<Transaction[]> => {
    const parameters = accounts.map((account) => `account=${account}`).join("&");
    const { json } = await service.get(`/api/v3/transactions?${parameters}&sort=asc&limit=1000`);
    return (json as { transactions: Transaction[] }).transactions;
  };
  /** A clock that stands still: what is sent with it ends by news, not by polling. */
  const told = () => ({ clock: new FakeClock() });
  const untilPending = (boc: string) =>
    until("the message", async () => {
      const { status } = await service.run<{ status: string }>("v3.messageStatus", { boc });
      return status === "pending";
    });
  /** Reads in the background. */
  const read = <T>(stream: AsyncIterableIterator<T>) => {
    const seen: T[] = [];
    const done = (async () => {
      for await (const event of stream) seen.push(event);
    })();
    return { seen, done };
  };

  it("yields each transaction once, in order, despite cuts, and again from every cursor", async () => {
    const numbers = pseudoRandom(7);
    const random = () => numbers.next().value;
    const before = await listed();
    const statuses: WatchStatus[] = [];
    const stream = watched({ window: 4 }).transactions({ accounts, onStatus: (each) => statuses.push(each) });
    const { seen, done } = read(stream);
    await until("the subscription", () => statuses.includes("live"));
    const payments = sized(3, 30);
    for (let i = 0; i < payments; i++) {
      if (i === 1 || i === 2 || random() < 0.4) sockets.at(-1)!.terminate();
      await pay(accounts[i % 3]!, random() < 0.5 ? 1 : 2);
    }
    await service.mine(2);
    await until("all of them", () => seen.length === payments);
    const all = (await listed()).slice(before.length);
    expect(seen.map(({ transaction }) => transaction)).toEqual(all);
    expect(sockets.length).toBeGreaterThan(2);
    await stream.return();
    await done;
    for (const [at, { cursor }] of [...seen.entries()].filter(([n]) => n % 5 === 1)) {
      const other = newClient();
      const rest: WatchedTransaction[] = [];
      const again = watched({}, other).transactions({ accounts, from: cursor! });
      const left = payments - 1 - at;
      if (left > 0) for await (const event of again) if (rest.push(event) === left) break;
      expect(rest).toEqual(seen.slice(at + 1));
      other.close();
    }
  });

  it("follows a message from expected to final, and its trace to the end", async () => {
    const wallet = new TestWallet("watching", "v4r2");
    const own = wallet.address.toRawUpper();
    await pay(own);
    const live = watched();
    const { seen, done } = read(live.transactions({ accounts: [own], finality: "pending" }));
    await until("the subscription", () => received.some((text) => text.includes('"cursor"')));
    const boc = Buffer.from(wallet.pay({ to: wallet.address, value: ton, bounce: false })).toString("base64");
    const sending = sendAndWait(client, boc, { until: "transaction", ...told() });
    await until("what is expected", () => seen.some(({ finality }) => finality === "pending"));
    await service.mine(4);
    const sent = await sending;
    expect(sent.from).toBe("v3");
    await until("what is final", () => {
      const final = seen.filter(({ finality }) => finality === "finalized");
      return final.some(({ transaction }) => transaction.hash === (sent.transaction as Transaction).hash);
    });
    const traces: unknown[] = [];
    for await (const { trace } of live.trace(sent)) traces.push(trace.trace_info.trace_state);
    expect(traces.at(-1)).toBe("complete");
    void done.catch(() => {});
  });

  it.each([
    ["watches", sendAndWait, told],
    ["polls", sendAndPoll, () => ({})],
  ] as const)("follows a message to its final status if one %s", async (how, send, options) => {
    const wallet = new TestWallet(`status, ${how}`, "v4r2");
    await pay(wallet.address.toRawUpper());
    const more = wallet.pay({ to: wallet.address, value: 10n ** 6n * ton, bounce: false });
    const boc = Buffer.from(more).toString("base64");
    const sending = send(client, boc, options());
    await untilPending(boc);
    await service.mine(4);
    const sent = await sending;
    expect(sent).toMatchObject({
      success: false,
      status: { status: "completed", text: expect.any(String) },
    });
    expect(sent.status).toMatchObject({
      failure: { phase: "action", skipped_actions: 1 },
    });
    // Its wallet would refuse it now.
    expect(await send(client, boc)).toEqual(sent);
  });

  it("reports the other message that took the place of one that expired", async () => {
    const wallet = new TestWallet("replaced", "v4r2");
    const address = wallet.address.toRawUpper();
    await pay(address);
    const { now } = await service.run<{ now: number }>("devnet.info");
    const order = (value: bigint, validUntil: number) => {
      const payments = [{ to: wallet.address, value, bounce: false }];
      const message = wallet.wallet.order({ seqno: 0, validUntil, payments });
      return Buffer.from(serializeBoc(message)).toString("base64");
    };
    const boc = order(ton, now + 5);
    const following = sendAndWait(client, boc, told());
    await untilPending(boc);
    await service.run("devnet.advanceTime", { seconds: 60 });
    const other = order(2n * ton, now + 1000);
    const { hash } = await service.run<{ hash: string }>("sendBocReturnHash", { boc: other });
    await service.mine(4);
    expect((await following).status).toMatchObject({
      ...{ status: "expired", reason: "seqno", wallet: { seqno: 0, next_seqno: 1 } },
      replaced_by: { message_hash: hash },
    });
  });

  it.runIf(isLong)("never goes back: neither in finality nor, once final, in time", async () => {
    const wallets = ["a", "b", "c"].map((name) => new TestWallet(`in order ${name}`, "v4r2"));
    const own = wallets.map(({ address }) => address.toRawUpper());
    for (const address of own) await service.run("devnet.faucet", { address });
    await service.mine(2);
    const live = watched();
    const options = { accounts: own, finality: "pending" } as const;
    const streams = [live.transactions(options), live.traces(options)] as const;
    const [transactions, traces] = [read(streams[0]), read(streams[1])];
    await until(
      "the subscriptions",
      () => received.filter((text) => text.includes('"subscription":"')).length >= 2,
    );
    const isPending = ({ finality }: { finality: string }) => finality === "pending";
    const numbers = pseudoRandom(5);
    const chosen = () => wallets[Math.floor(numbers.next().value * wallets.length)]!;
    const sent = new Set<string>();
    for (let round = 0; round < 8; round++) {
      for (const wallet of wallets) {
        if (numbers.next().value < 0.3) continue;
        const payment = { to: chosen().address, value: ton / 100n, bounce: false };
        const boc = Buffer.from(wallet.pay(payment, payment)).toString("base64");
        sent.add((await service.run<{ hash: string }>("sendBocReturnHash", { boc })).hash);
      }
      // Some arrive before they are in a block, even on a slow machine.
      if (round === 0) await until("a pending trace", () => traces.seen.some(isPending));
      await service.mine(numbers.next().value < 0.5 ? 1 : 3);
    }
    await service.mine(4);
    const isFinal = ({ finality }: { finality: string }) => finality === "finalized";
    const ended = () => traces.seen.filter(isFinal).map(({ trace }) => trace.external_hash);
    await until(
      () => `all of ${[...sent]}: ${ended()}`,
      () => [...sent].every((hash) => ended().includes(hash)),
    );
    await until("their transactions", () => transactions.seen.filter(isFinal).length >= 3 * sent.size);
    expect(new Set(ended()).size).toBe(ended().length);
    const levels = ["pending", "confirmed", "finalized"];
    /** Each record under all of its ids. */
    const expectRising = (events: readonly { id?: string; replaces?: string; finality: string }[]) => {
      const last = new Map<string, number>();
      for (const { id, replaces, finality } of events) {
        const level = levels.indexOf(finality);
        expect(level).toBeGreaterThanOrEqual(Math.max(last.get(id!) ?? 0, last.get(replaces ?? "") ?? 0));
        last.set(id!, level);
      }
    };
    expectRising(transactions.seen as never);
    expectRising(traces.seen.map(({ trace, finality }) => ({ id: trace.external_hash!, finality })));
    const times = transactions.seen.filter(isFinal).map(({ transaction }) => BigInt(transaction.lt));
    for (const [at, lt] of times.entries()) if (at > 0) expect(lt >= times[at - 1]!).toBe(true);
    for (const stream of streams) await stream.return();
    await Promise.all([transactions.done, traces.done]);
  });

  it("yields a revert, and the blocks after it", async () => {
    const { id } = await service.run<{ id: string }>("devnet.snapshot");
    const resets: Reset[] = [];
    const stream = watched().transactions({ accounts, onReset: (reset) => resets.push(reset) });
    const { seen, done } = read(stream);
    await until("the subscription", () => received.some((text) => text.includes('"cursor"')));
    await pay(accounts[0]);
    await until("a transaction", () => seen.length === 1);
    await service.run("devnet.revert", { id });
    await pay(accounts[1]);
    await until("the other transaction", () => seen.length === 2);
    expect(seen.map(({ transaction }) => transaction.account)).toEqual(accounts.slice(0, 2));
    expect(resets).toEqual([{ type: "reverted", mc_seqno: expect.any(Number) }]);
    await stream.return();
    await done;
  });
});
