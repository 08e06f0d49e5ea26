import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Client, createClient, http } from "../../client/index.js";
import { type WatchedTransaction, type WatchStatus, watch } from "../../client/watch/index.js";
import { sized } from "../helpers/effort.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { until } from "../helpers/until.js";

// Clients without our subscriptions, at the part of the service that implements TON Center's protocol.

const accounts = ["5A", "5B", "5C"].map((byte) => `0:${byte.repeat(32)}`) as [string, string, string];

describe("a loop over transactions by TON Center's protocol", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("indexed");
    await streamsReady(service);
  });
  afterAll(() => service?.close());

  /** Connections of the client, to be cut. */
  let sockets: WebSocket[] = [];
  class NotedSocket extends WebSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
    }
  }
  let client: Client;
  beforeEach(() => {
    sockets = [];
    client = newClient();
  });
  afterEach(() => client.close());

  const newClient = () => createClient({ transport: http(`${service.url}/jsonRPC`), apiKey: service.key });
  const watched = (of = client) =>
    watch(of, { tonCenter: { WebSocket: NotedSocket, apiKey: service.key }, random: () => 0 });
  const pay = async (address: string) => {
    await service.run("devnet.faucet", { address });
    await service.mine(2);
  };
  const listed = async () => {
    const parameters = accounts.map((account) => `account=${account}`).join("&");
    const { json } = await service.get(`/api/v3/transactions?${parameters}&sort=asc&limit=1000`);
    return (json as { transactions: { hash: string }[] }).transactions;
  };

  it("yields each once, in order, despite cuts, and in another process from the cursor", async () => {
    const statuses: WatchStatus[] = [];
    const first = watched().transactions({ accounts, onStatus: (status) => statuses.push(status) });
    const seen: WatchedTransaction[] = [];
    const reading = (async () => {
      for await (const event of first) seen.push(event);
    })();
    await until("the first connection", () => statuses.includes("live"));
    const before = (await listed()).length;
    const payments = sized(2, 6);
    for (let i = 0; i < payments; i++) {
      if (i % 2 === 1) {
        await until("a connection to cut", () => sockets.at(-1)!.readyState === WebSocket.OPEN);
        sockets.at(-1)!.terminate();
      }
      await pay(accounts[i % 3]!);
    }
    await until("all transactions", () => seen.length === payments);
    // Missed transactions may be read before it.
    await until("the last connection", () => sockets.length >= payments / 2 + 1);
    await first.return();
    await reading;
    await until("the end of the connection", () => sockets.at(-1)!.readyState === WebSocket.CLOSED);
    // Some happen while no stream is open.
    const later = accounts.slice(0, sized(1, 3));
    for (const account of later) await pay(account);
    const other = newClient();
    const second = watched(other).transactions({ accounts, from: seen[payments - 2]!.cursor! });
    const again: WatchedTransaction[] = [];
    for await (const event of second) {
      again.push(event);
      if (again.length === 1 + later.length) break;
    }
    other.close();
    const all = (await listed()).slice(before);
    expect(seen.map(({ transaction }) => transaction)).toEqual(all.slice(0, payments));
    expect(again.map(({ transaction }) => transaction)).toEqual(all.slice(payments - 1));
    for (const { id, finality, transaction } of [...seen, ...again])
      expect([id, finality]).toEqual([`${transaction.lt}.${transaction.hash}`, "finalized"]);
  });

  it("begins at a place in the past", async () => {
    await pay(accounts[0]);
    const all = await listed();
    const newest = all.at(-1) as unknown as { lt: string; now: number; mc_block_seqno: number };
    const starts = [{ mc_seqno: newest.mc_block_seqno }, { lt: newest.lt }, { utime: newest.now }];
    for (const from of starts) {
      const stream = watched().transactions({ accounts, from });
      const { value } = await stream.next();
      await stream.return();
      expect(value.transaction).toEqual(newest);
    }
    const stream = watched().transactions({ accounts, from: { mc_seqno: 0 } });
    const seen: unknown[] = [];
    for await (const { transaction } of stream) if (seen.push(transaction) === all.length) break;
    expect(seen).toEqual(all);
  });

  it("retries after a limit, which only the text of the protocol shows, and not after another refusal", async () => {
    const texts = ["connection limit reached", "invalid address"];
    let asked = 0;
    class Refusing {
      onopen = () => {};
      onmessage: (event: { data: unknown }) => void = () => {};
      constructor() {
        queueMicrotask(() => this.onopen());
      }
      send() {
        this.onmessage({ data: JSON.stringify({ error: texts[asked++] }) });
      }
      close() {}
    }
    const tonCenter = { WebSocket: Refusing as unknown as typeof WebSocket, apiKey: service.key };
    const stream = watch(client, { tonCenter, random: () => 0 }).transactions({ accounts });
    await expect(stream.next()).rejects.toMatchObject({ code: "invalid-params", shortMessage: texts[1] });
    expect(asked).toBe(2);
  });

  it("is no way to anything else", async () => {
    const live = watched();
    const streams = [
      live.blocks(),
      live.actions({ accounts }),
      live.transactions(),
      live.transactions({ accounts, finality: "pending" }),
      live.trace("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
    ];
    for (const stream of streams)
      await expect(stream.next()).rejects.toMatchObject({ code: "unknown-method" });
    const bad = live.transactions({ accounts: ["nobody"] });
    await expect(bad.next()).rejects.toMatchObject({ code: "invalid-params" });
    const other = newClient();
    const stranger = watch(other, { tonCenter: { WebSocket: NotedSocket, apiKey: "nobody's" } });
    await expect(stranger.transactions({ accounts }).next()).rejects.toMatchObject({ code: "unknown-key" });
    other.close();
    const lost = live.transactions({ accounts, from: "nowhere" });
    await expect(lost.next()).rejects.toMatchObject({ code: "invalid-params" });
  });
});
