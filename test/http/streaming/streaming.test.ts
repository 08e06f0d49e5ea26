import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { Message, normalizeExternal } from "../../../shared/ton/tlb/message.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { TestWallet, ton } from "../../helpers/chain/devnet.js";
import { RawEventStream, type StreamRequest } from "../../helpers/http/event-stream.js";
import { openSocket } from "../../helpers/http/socket.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { until } from "../../helpers/until.js";

type Event = Record<string, unknown>;
const sse = "/api/streaming/v2/sse";
const ws = "/api/streaming/v2/ws";
const someone = `0:${"5A".repeat(32)}`;
const watching = { types: ["transactions"], addresses: [someone] };
const hash = Buffer.alloc(32, 7).toString("base64");

describe("TON Center's streaming protocol", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("indexed");
    await streamsReady(service);
  });
  afterAll(() => service?.close());

  const stream = (body: unknown, request: StreamRequest = {}) => {
    const opened = RawEventStream.open(service.url, body, { key: service.key, ...request });
    onTestFinished(() => opened.close());
    return opened;
  };
  const socket = async (path = `${ws}?api_key=${service.key}`) => {
    const opened = await openSocket(service.url, { path });
    onTestFinished(() => opened.close());
    return {
      ...opened,
      ask: async (request: unknown) => {
        opened.send(request);
        return opened.next();
      },
    };
  };
  const pay = async (address = someone) => {
    await service.run("devnet.faucet", { address });
    return service.mine(2);
  };

  it("sends frames of server-sent events, byte for byte", async () => {
    const opened = stream({ id: "1", ...watching });
    expect((await opened.head()).split("\r\n")).toEqual(
      expect.arrayContaining([
        "HTTP/1.1 200 OK",
        "Content-Type: text/event-stream",
        "Cache-Control: no-cache",
        "Connection: keep-alive",
        "X-Accel-Buffering: no",
        "Access-Control-Allow-Origin: *",
      ]),
    );
    await until("the first frame", () => opened.frames.length === 1);
    expect(opened.frames).toEqual(['event: connected\ndata: {"id":"1","status":"subscribed"}']);
    await pay();
    await until("an event", () => opened.frames.length === 2);
    expect(opened.frames[1]).toMatch(
      /^event: event\nid: [A-Za-z0-9_-]+\ndata: \{"type":"transactions",.*\}$/,
    );
    const { transactions, ...rest } = opened.events[1]!;
    expect(rest).toEqual({
      type: "transactions",
      finality: "finalized",
      trace_external_hash_norm: expect.any(String),
    });
    const listed = await service.get(`/api/v3/transactions?account=${someone}`);
    expect(transactions).toEqual((listed.json as { transactions: unknown }).transactions);
  });

  it("goes on after the event that the client names", async () => {
    const address = `0:${"5B".repeat(32)}`;
    const body = { types: ["transactions", "account_state_change"], addresses: [address] };
    const first = stream(body);
    await first.event("the start", ({ status }) => status === "subscribed");
    await pay(address);
    await until("its events", () => first.frames.length === 3);
    first.close();
    await pay(address);
    const id = /^id: (.*)$/m.exec(first.frames[1]!)![1]!;
    const second = stream(body, { headers: { "Last-Event-ID": id } });
    await until("the rest", () => second.frames.length === 4);
    expect(second.events[1]).toEqual(first.events[2]);
    expect(second.events.map(({ type }) => type)).toEqual([
      undefined,
      "account_state_change",
      "transactions",
      "account_state_change",
    ]);
    for (const bad of ["x", Buffer.from("c1.1.1.1.a.00000000").toString("base64url")]) {
      const answer = await service.post(sse, body, { headers: { "Last-Event-ID": bad } });
      expect([answer.status, answer.json]).toEqual([400, { error: "invalid Last-Event-ID" }]);
    }
  });

  it("serves the paths of TonAPI, a key in the query, and any content type", async () => {
    const opened = stream(watching, {
      path: `/streaming/v2/sse?api_key=${service.key}`,
      key: undefined,
      headers: { "Content-Type": "text/plain" },
    });
    await until("the first frame", () => opened.frames.length === 1);
    expect(opened.frames).toEqual(['event: connected\ndata: {"status":"subscribed"}']);
    const other = await socket(`/streaming/v2/ws?api_key=${service.key}`);
    expect(await other.ask({ operation: "ping" })).toEqual({ status: "pong" });
  });

  it.each([
    [{ id: "7" }, { id: "7", error: "types are required for subscription" }],
    [{ types: ["blocks"] }, { error: "invalid event type: blocks" }],
    [{ types: ["actions"] }, { error: "addresses are required for subscription" }],
    [
      { types: ["trace"], trace_external_hash_norms: ["x"] },
      { error: "trace_external_hash_norms contains empty value" },
    ],
    [
      { types: ["actions"], addresses: [someone], trace_external_hash_norms: [hash] },
      { error: 'trace_external_hash_norms requires type "trace"' },
    ],
    [{ types: ["trace"] }, { error: "trace_external_hash_norms are required for trace subscription" }],
    [{ id: 7 }, { error: "invalid subscription request: id must be a string" }],
    [
      { ...watching, min_finality: "soon" },
      { error: "invalid subscription request: unknown finality state: soon" },
    ],
    [{ ...watching, addresses: ["addr_none"] }, { error: "address is not standard" }],
  ])("refuses a stream with status 400: %j", async (request, body) => {
    const answer = await service.post(sse, request);
    expect([answer.status, answer.json]).toEqual([400, body]);
  });

  it("refuses with the errors of v3 before that", async () => {
    const status = async (answer: Promise<{ status: number; json: unknown }>) => {
      const { status, json } = await answer;
      return [status, json];
    };
    expect(await status(service.post(sse, watching, { key: "unknown" }))).toEqual([
      401,
      { error: "API key does not exist" },
    ]);
    expect(await status(service.get("/api/streaming/v1/ws"))).toEqual([
      404,
      { error: "Cannot GET /api/streaming/v1/ws" },
    ]);
    const upgrade = await service.get(ws);
    expect([upgrade.status, upgrade.headers.get("upgrade")]).toEqual([426, "websocket"]);
    expect((await service.get(sse)).status).toBe(405);
    const preflight = await fetch(service.url + sse, { method: "OPTIONS" });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([
      204,
      "GET, POST, OPTIONS",
    ]);
    expect((await service.post(sse, "{")).text).toMatch(/^\{"error":"invalid subscription request: /);
  });

  it("limits connections and accounts without a key, and frees them at once", async () => {
    const [first, second] = [stream(watching, { key: undefined }), stream(watching, { key: undefined })];
    for (const each of [first, second]) await until("a stream", () => each.frames.length === 1);
    const third = () => service.post(sse, { id: "a", ...watching }, { key: null });
    const refused = await third();
    expect([refused.status, refused.json]).toEqual([
      429,
      { id: "a", error: "connection limit reached: 2 active connections" },
    ]);
    const late = await openSocket(service.url, { path: ws });
    expect(await late.next()).toEqual({ error: "connection limit reached: 2 active connections" });
    expect((await late.closed).code).toBe(1013);
    first.close();
    const addresses = Array.from({ length: 100 }, (_, i) => `0:${i.toString(16).padStart(64, "0")}`);
    const tooMany = { types: ["transactions"], addresses };
    await until("the place to be free", async () => {
      const answer = await service.post(sse, tooMany, { key: null });
      if (answer.status === 429) return false;
      expect([answer.status, answer.json]).toEqual([400, { error: "too many addresses: 101 > max 100" }]);
      return true;
    });
    const open = await openSocket(service.url, { path: ws });
    open.send({ operation: "subscribe", ...tooMany });
    expect(await open.next()).toEqual({ error: "address limit exceeded: current 1 + new 100 > max 100" });
    open.close();
  });

  it("answers requests over WebSocket, and errors without closing", async () => {
    const { ask } = await socket();
    const errors: [request: unknown, error: unknown][] = [
      ["{", expect.stringMatching(/^invalid request envelope: /)],
      [{ operation: 1 }, "invalid request envelope: operation must be a string"],
      [{ operation: "leave" }, "unknown operation: leave"],
      [{ operation: "subscribe" }, "types are required"],
      [{ operation: "subscribe", types: 1 }, "invalid subscribe request: types must be a list of strings"],
      [{ operation: "subscribe", types: ["transactions"] }, "addresses are required"],
      [{ operation: "subscribe", types: ["transactions"], addresses: ["null"] }, "address is not standard"],
      [
        { operation: "subscribe", types: ["trace"] },
        "trace_external_hash_norms are required for trace subscription",
      ],
      [
        { operation: "unsubscribe", addresses: "x" },
        "invalid unsubscribe request: addresses must be a list of strings",
      ],
      [{ operation: "unsubscribe" }, "addresses or trace_external_hash_norms are required"],
    ];
    for (const [request, error] of errors) expect(await ask(request)).toEqual({ error });
    expect(await ask({ operation: "subscribe", id: "a" })).toEqual({ id: "a", error: "types are required" });
    expect(await ask({ operation: "ping", id: "b" })).toEqual({ id: "b", status: "pong" });
    expect(await ask({ operation: "subscribe", id: "c", ...watching })).toEqual({
      id: "c",
      status: "subscribed",
    });
    expect(await ask({ operation: "unsubscribe", addresses: [`0:${"00".repeat(32)}`] })).toEqual({
      status: "unsubscribed",
    });
  });

  it("replaces the watched accounts, and stops on request", async () => {
    const { ask, next } = await socket();
    const [a, b] = [`0:${"A1".repeat(32)}`, `0:${"B1".repeat(32)}`];
    await ask({
      operation: "subscribe",
      types: ["transactions"],
      addresses: [a],
      include_address_book: true,
    });
    await pay(a);
    expect(await next()).toMatchObject({
      transactions: [{ account: a }],
      address_book: { [a]: { interfaces: [] } },
    });
    await ask({ operation: "subscribe", types: ["account_state_change"], addresses: [b] });
    await pay(a);
    await pay(b);
    expect(await next()).toMatchObject({ type: "account_state_change", account: b });
    await ask({ operation: "unsubscribe", addresses: [b] });
    await ask({ operation: "subscribe", types: ["transactions"], addresses: [a] });
    await pay(b);
    await pay(a);
    // The flag is unchanged.
    expect(await next()).toMatchObject({ transactions: [{ account: a }], address_book: expect.anything() });
  });

  it("sends a message by its hash, pending first, then in a block, then finalized", async () => {
    const wallet = new TestWallet("streaming", "v4r2");
    await pay(wallet.address.toRaw());
    const message = wallet.pay({ to: wallet.address, value: ton, bounce: false });
    const boc = Buffer.from(message).toString("base64");
    const normalized = normalizeExternal(decode(Message, parseBocRoot(message)));
    const hashNorm = bytesToBase64(encode(Message, normalized).hash());
    const sender = await socket();
    const own = wallet.address.toRawUpper();
    await sender.ask({
      operation: "subscribe",
      types: ["actions", "account_state_change"],
      addresses: [own],
      min_finality: "pending",
      action_types: ["ton_transfer"],
    });
    const watcher = stream({
      types: ["trace"],
      trace_external_hash_norms: [hashNorm],
      min_finality: "pending",
      include_metadata: true,
    });
    await watcher.event("the start", ({ status }) => status === "subscribed");
    await service.run("sendBoc", { boc });
    let expected = (await sender.next()) as Event;
    // An event of the block that funded the wallet may still come.
    const isAboutIt = (event: Event) =>
      event["type"] === "actions" && event["trace_external_hash_norm"] === hashNorm;
    while (!isAboutIt(expected)) expected = (await sender.next()) as Event;
    expect(expected).toMatchObject({
      type: "actions",
      finality: "pending",
      trace_external_hash_norm: hashNorm,
      actions: [{ type: "ton_transfer", accounts: expect.arrayContaining([own]) }],
    });
    const isAt = (level: string) => (event: Event) => event["finality"] === level;
    await watcher.event("the expected trace", isAt("pending"));
    await service.mine(2);
    const trace = await watcher.event("the final trace", isAt("finalized"));
    const levels = watcher.events.slice(1).map(({ finality }) => finality);
    // A machine that stood still may have missed the time between a block and its index.
    expect(["pending,finalized", "pending,confirmed,finalized"]).toContain(levels.join());
    const root = trace["trace"] as { tx_hash: string; children: unknown[] };
    expect(root.children).toHaveLength(1);
    expect(Object.keys(trace["transactions"] as object)).toContain(root.tx_hash);
    expect(trace).toMatchObject({ actions: expect.any(Array), metadata: {} });
    expect(trace).not.toHaveProperty("address_book");
    const rest: string[] = [];
    while (rest.at(-1) !== "actions finalized") {
      const { type, finality } = (await sender.next()) as Event;
      rest.push(`${type} ${finality}`);
    }
    const confirmed = ["account_state_change confirmed", "actions confirmed"];
    const finalized = ["account_state_change finalized", "actions finalized"];
    expect(rest.filter((each) => !confirmed.includes(each))).toEqual(finalized);
    expect(rest.slice(-2)).toEqual(finalized);
  });

  it("closes a socket with frames that are compressed, no UTF-8, or too long", async () => {
    const bytes = await socket();
    bytes.send(Buffer.from([0x7b, 0xff]));
    expect((await bytes.closed).code).toBe(1007);
    const long = await socket();
    long.send("x".repeat(2 ** 20 + 1));
    expect((await long.closed).code).toBe(1009);
  });
});

it("a service has no streams without an index", async () => {
  const service = await sharedService("empty");
  onTestFinished(() => service.close());
  expect((await service.post(sse, watching)).status).toBe(404);
});
