import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket as NodeWebSocket, type WebSocket } from "ws";
import {
  webSocket as browserSocket,
  type Client,
  type ClientOptions,
  createClient,
  type WebSocketOptions,
} from "../../client/index.js";
import { webSocket } from "../../client/node.js";
import { freePort } from "../helpers/free-port.js";
import { echo, outcomes, type RpcRequest } from "../helpers/peers/rpc-server.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { until } from "../helpers/until.js";
import { FakeClock } from "./helpers/fake-clock.js";
import { answerAll, send, serveSockets } from "./helpers/sockets.js";

function clientOf(
  url: string,
  { socket = {}, ...options }: Partial<ClientOptions> & { socket?: WebSocketOptions } = {},
): Client {
  const client = createClient({ transport: webSocket(url, socket), retry: false, ...options });
  onTestFinished(() => client.close());
  return client;
}

const pack = (client: Client, n: number) => client.packAddress({ address: `${n}` });
const packed = (n: number) => ({ method: "packAddress", params: { address: `${n}` } });

describe("over a WebSocket of the service", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("empty");
  });
  afterAll(() => service.close());

  it("a hundred calls are two messages on one connection", async () => {
    let opened = 0;
    let sent = 0;
    class CountedSocket extends NodeWebSocket {
      constructor(url: string) {
        super(url);
        opened++;
      }
      override send(text: string): void {
        sent++;
        super.send(text);
      }
    }
    const socket = { WebSocket: CountedSocket };
    const client = clientOf(`${service.url}/jsonRPC`, { apiKey: service.key, socket });
    const raw = (n: number) => `0:${String(n).padStart(64, "0")}`;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => client.packAddress({ address: raw(n) })),
    );
    expect([opened, sent]).toEqual([1, 2]);
    expect(await Promise.all(answers.map((address) => client.unpackAddress({ address })))).toEqual(
      answers.map((_, n) => raw(n)),
    );
    await expect(client.detectHash({ hash: "no hash" })).rejects.toMatchObject({
      code: "invalid-params",
      rpcCode: -32602,
      status: 422,
    });
  });

  it("a wrong key is an answer, not a loss, also with a class that hides the reason of a refusal", async () => {
    const url = `${service.url}/jsonRPC`;
    const silent = createClient({
      transport: browserSocket(url, { WebSocket: NodeWebSocket }),
      apiKey: "nobody's",
    });
    for (const client of [clientOf(url, { apiKey: "nobody's" }), silent]) {
      const error = await client.rpc.ping().catch((thrown) => thrown);
      expect(error).toMatchObject({ code: "unknown-key", status: 401, retryable: false, endpoint: url });
      expect(error.message).not.toContain("nobody");
    }
    silent.close();
  });

  it("a browser's class sends the key in the URL", async () => {
    const transport = browserSocket(`${service.url}/jsonRPC`, { WebSocket: NodeWebSocket });
    const client = createClient({ transport, apiKey: service.key });
    expect(await client.rpc.ping()).toBe("pong");
    client.close();
  });
});

/** A value that throws when converted to a string. */
const untextual = { toString: 1 };

describe("a WebSocket", () => {
  it("is opened by the first call, with the key, and carries calls of a moment as one message", async () => {
    const { url, messages, connections } = await serveSockets(answerAll);
    const client = clientOf(url, { apiKey: "key" });
    expect(connections).toEqual([]);
    expect(await Promise.all([pack(client, 1), pack(client, 2)])).toEqual([packed(1), packed(2)]);
    expect(await pack(client, 3)).toEqual(packed(3));
    expect(messages.map((message) => [message].flat().length)).toEqual([2, 1]);
    expect(
      connections.map(({ headers, url: path, protocols }) => [headers["x-api-key"], path, protocols]),
    ).toEqual([["key", "/jsonRPC", ""]]);
  });

  it("gives each call its own answer, in any order and grouping", async () => {
    const { url } = await serveSockets((message, socket) => {
      const [first, second, third] = (message as RpcRequest[]).map(echo);
      send(socket, { ...third, id: String(third!.id) });
      send(socket, [{ jsonrpc: "2.0", id: 99, result: "stray" }, null, second]);
      send(socket, { jsonrpc: "2.0", id: null, result: "whose?" });
      socket.send(Buffer.from(JSON.stringify(first)));
      send(socket, { ...first, result: "again" });
    });
    const client = clientOf(url);
    expect(await Promise.all([1, 2, 3].map((n) => pack(client, n)))).toEqual([1, 2, 3].map(packed));
  });

  it("that refuses without saying whom refuses all that is under way", async () => {
    const error = { code: -32000, message: "Service is stopping", data: { code: 503, kind: "unavailable" } };
    const { url } = await serveSockets((_, socket) =>
      send(socket, { jsonrpc: "2.0", id: null, ok: false, error }),
    );
    const client = clientOf(url);
    expect(await outcomes([pack(client, 1), pack(client, 2)])).toEqual(["unavailable", "unavailable"]);
  });

  it("that breaks repeats reads on the next connection, and rejects calls with side effects", async () => {
    let broken = false;
    const { url, connections, messages } = await serveSockets((message, socket) => {
      const effect = !Array.isArray(message) && message.method === "sendBoc";
      if (!broken && effect) {
        broken = true;
        socket.terminate();
      } else if (broken) answerAll(message, socket);
    });
    const clock = new FakeClock();
    const client = clientOf(url, { clock, random: () => 0, retry: {}, timeoutMs: 0 });
    const reads = [pack(client, 1), pack(client, 2)];
    const sent = outcomes([client.sendBoc({ boc: "x" })]);
    expect(await sent).toEqual(["closed"]);
    expect(await Promise.all(reads)).toEqual([packed(1), packed(2)]);
    expect(connections).toHaveLength(2);
    expect(messages.flat().filter(({ method }) => method === "sendBoc")).toHaveLength(1);
  });

  it("waits longer and longer before it reconnects, and reports that nothing was sent", async () => {
    const port = await freePort();
    const { url, close } = await serveSockets(answerAll, port);
    const clock = new FakeClock();
    const client = clientOf(url, { clock, random: () => 1, timeoutMs: 0 });
    expect(await pack(client, 0)).toEqual(packed(0));
    const heartbeat = clock.waits;
    await close();
    await until("the loss", () => clock.waits.length === 0);
    expect(heartbeat).toEqual([20_000]);
    for (const wait of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      const call = client.sendBoc({ boc: `${wait}` }).catch((error) => error);
      await until("the wait", () => clock.waits.length === 1);
      expect(clock.waits).toEqual([wait]);
      clock.advance(wait);
      expect(await call).toMatchObject({ code: "network", unsent: true, retryable: true });
    }
    await serveSockets(answerAll, port);
    const call = pack(client, 1);
    await until("the last wait", () => clock.waits.length === 1);
    clock.advance(30_000);
    expect(await call).toEqual(packed(1));
  });

  it("asks after a silence whether the service is there, and leaves it when it is not", async () => {
    let deaf = false;
    const { url, messages, connections } = await serveSockets(
      (message, socket) => deaf || answerAll(message, socket),
    );
    const clock = new FakeClock();
    const client = clientOf(url, { clock, random: () => 0, timeoutMs: 0 });
    await pack(client, 1);
    clock.advance(10_000);
    await pack(client, 2);
    clock.advance(19_999);
    expect(messages).toHaveLength(2);
    clock.advance(1);
    await until("the question", () => messages.length === 3);
    expect(messages[2]).toEqual({ jsonrpc: "2.0", id: expect.any(Number), method: "rpc.ping" });
    deaf = true;
    await until("the answer to have been heard", async () => {
      clock.advance(1000);
      return messages.length === 4;
    });
    const pending = outcomes([pack(client, 3)]);
    await until("the call", () => messages.length === 5);
    clock.advance(20_000);
    expect(await pending).toEqual(["closed"]);
    deaf = false;
    expect(await pack(client, 4)).toEqual(packed(4));
    expect(connections).toHaveLength(2);
  });

  it("forgets abandoned calls", async () => {
    const late: (() => void)[] = [];
    const { url } = await serveSockets((message, socket) => {
      late.push(() => answerAll(message, socket));
    });
    const client = clientOf(url);
    const controller = new AbortController();
    const left = outcomes([client.packAddress({ address: "1" }, { signal: controller.signal })]);
    await until("the message", () => late.length === 1);
    controller.abort();
    expect(await left).toEqual(["aborted"]);
    const next = pack(client, 2);
    await until("the next message", () => late.length === 2);
    for (const answer of late) answer();
    expect(await next).toEqual(packed(2));
  });

  it.each([
    ["no JSON", (socket: WebSocket) => socket.send("{half"), "bad-answer"],
    ["an id that is no text", (socket: WebSocket) => send(socket, { id: untextual }), "bad-answer"],
    [
      "an error that is no text",
      (socket: WebSocket) => send(socket, { id: 1, error: { message: untextual, data: { reason: "why" } } }),
      "bad-answer",
    ],
    ["too much", (socket: WebSocket) => socket.send(`"${"x".repeat(2000)}"`), "closed"],
    ["a goodbye", (socket: WebSocket) => socket.close(1008, "API key does not exist"), "closed"],
  ])("that sends %s is closed", async (_, misbehave, code) => {
    let behaves = false;
    const { url, connections } = await serveSockets((message, socket) =>
      behaves ? answerAll(message, socket) : misbehave(socket),
    );
    const client = clientOf(url, { maxAnswerBytes: 1000, random: () => 0 });
    expect(await outcomes([pack(client, 1)])).toEqual([code]);
    behaves = true;
    expect(await pack(client, 2)).toEqual(packed(2));
    expect(connections).toHaveLength(2);
  });

  it("that sends too much through a browser's class is closed, too", async () => {
    const { url } = await serveSockets((_, socket) => socket.send(`"${"x".repeat(2000)}"`));
    const transport = browserSocket(url, { WebSocket: NodeWebSocket });
    const client = createClient({ transport, maxAnswerBytes: 1000, retry: false });
    expect(await outcomes([pack(client, 1)])).toEqual(["answer-too-large"]);
    client.close();
  });

  it("that is closed by its client rejects the calls in flight and leaves nothing running", async () => {
    const { url, messages, server } = await serveSockets(() => {});
    const clock = new FakeClock();
    const client = clientOf(url, { clock });
    const calls = outcomes([pack(client, 1)]);
    await until("the message", () => messages.length === 1);
    client.close();
    expect(await calls).toEqual(["closed"]);
    await until("the end", () => server.clients.size === 0);
    expect(clock.waits).toEqual([]);
  });

  it("that is closed while it opens is not opened", async () => {
    const { url, connections } = await serveSockets(answerAll);
    const sockets: NodeWebSocket[] = [];
    class NotedSocket extends NodeWebSocket {
      constructor(target: string) {
        super(target);
        sockets.push(this);
      }
    }
    // The clock flushes in the next macrotask, before any connection can be opened.
    const client = clientOf(url, { clock: new FakeClock(), socket: { WebSocket: NotedSocket } });
    const calls = outcomes([pack(client, 1)]);
    await new Promise(setImmediate);
    expect(sockets.map(({ readyState }) => readyState)).toEqual([NodeWebSocket.CONNECTING]);
    client.close();
    expect(await calls).toEqual(["closed"]);
    await until("the end", () => sockets[0]!.readyState === NodeWebSocket.CLOSED);
    expect(connections).toEqual([]);
  });

  it("that does not open is dropped, so that later calls open another", async () => {
    const connections: Socket[] = [];
    const deaf = createServer((socket) => connections.push(socket.on("error", () => {})));
    deaf.listen(0, "127.0.0.1");
    await once(deaf, "listening");
    onTestFinished(() => {
      for (const socket of connections) socket.destroy();
      deaf.close();
    });
    const clock = new FakeClock();
    const url = `ws://127.0.0.1:${(deaf.address() as AddressInfo).port}/`;
    const client = clientOf(url, { clock, random: () => 0, timeoutMs: 0 });
    for (const tries of [1, 2]) {
      const call = client.sendBoc({ boc: "x" }).catch((error) => error);
      await until("a connection", () => connections.length === tries);
      clock.advance(20_000);
      expect(await call).toMatchObject({ code: "network", unsent: true, retryable: true });
      expect(clock.waits).toEqual([]);
    }
  });

  const tooMany = (data: object) => ({
    ok: false,
    error: { code: -32600, message: "batch is too large", data: { code: 413, kind: "too-large", ...data } },
  });

  it.each([
    ["with one answer", () => ({ jsonrpc: "2.0", id: null, ...tooMany({}) })],
    [
      "with an answer to each",
      (calls: RpcRequest[]) =>
        calls.map(({ id }) => ({ jsonrpc: "2.0", id, ...tooMany({ limit: "batch" }) })),
    ],
  ])("of a service that refuses many calls at once %s sends halves until they fit", async (_, refuse) => {
    const { url, messages } = await serveSockets((message, socket) => {
      if (Array.isArray(message) && message.length > 6) send(socket, refuse(message));
      else answerAll(message, socket);
    });
    const client = clientOf(url);
    const ask = async (count: number) => {
      const numbers = Array.from({ length: count }, (_, n) => n);
      expect(await Promise.all(numbers.map((n) => pack(client, n)))).toEqual(numbers.map(packed));
      return messages.splice(0).map((message) => [message].flat().length);
    };
    // Three messages, all too large: each gets its own refusal.
    const sizes = await ask(120);
    expect(sizes.slice(0, 3)).toEqual([50, 50, 20]);
    expect(sizes.filter((size) => size <= 6).reduce((sum, size) => sum + size)).toBe(120);
    expect(Math.max(...(await ask(20)))).toBeLessThanOrEqual(6);
  });

  it("that refuses one call as if it were many is not asked again", async () => {
    const { url, messages } = await serveSockets((message, socket) => {
      for (const { id } of [message].flat())
        send(socket, { jsonrpc: "2.0", id, ...tooMany({ limit: "batch" }) });
    });
    const client = clientOf(url);
    expect(await outcomes([pack(client, 1)])).toEqual(["too-large"]);
    expect(await outcomes([1, 2, 3].map((n) => pack(client, n)))).toEqual(Array(3).fill("too-large"));
    expect(messages.length).toBeLessThan(10);
  });

  it("whose single answers are too long gives each call of a batch its own error", async () => {
    const { url, messages } = await serveSockets((message, socket) =>
      send(
        socket,
        (message as RpcRequest[]).map(({ id }) => ({ jsonrpc: "2.0", id, ...tooMany({ max: 9 }) })),
      ),
    );
    const client = clientOf(url);
    expect(await outcomes([1, 2, 3].map((n) => pack(client, n)))).toEqual(Array(3).fill("too-large"));
    expect(messages).toHaveLength(1);
  });

  it("requires a class on platforms without one", async () => {
    const { url } = await serveSockets(answerAll);
    const global = globalThis as { WebSocket?: unknown };
    const own = global.WebSocket;
    global.WebSocket = undefined;
    const client = createClient({ transport: browserSocket(url), retry: false });
    const error = await client.rpc.ping().catch((thrown) => thrown);
    global.WebSocket = own;
    expect(error).toMatchObject({ code: "network", unsent: true });
    expect(error.message).toContain("no WebSocket class");
    client.close();
  });
});
