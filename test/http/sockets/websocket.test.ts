import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../../server/errors.js";
import type { WebSocketLimits } from "../../../server/http/sockets/websocket.js";
import { Health } from "../../../server/observe/health.js";
import { defineMethod } from "../../../shared/methods/define.js";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../../helpers/http/app.js";
import { openSocket, refusedHandshake } from "../../helpers/http/socket.js";
import { until } from "../../helpers/until.js";

const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const pack = (id: unknown) => ({ jsonrpc: "2.0", id, method: "packAddress", params: { address: raw } });
const packed = (id: unknown) => ({ jsonrpc: "2.0", id, ok: true, result: friendly });

const held = defineMethod({
  summary: "Waits until the test lets it go.",
  group: "Test",
  params: z.object({ name: z.string() }),
  result: z.string(),
  verbs: [],
  freshness: { kind: "none" },
  examples: [{ params: { name: "a" }, result: "a" }],
});
const large = defineMethod({
  ...held,
  summary: "A long answer.",
  params: z.object({ name: z.string(), padding: z.string().optional() }),
});
const heldCall = (id: number) => ({ jsonrpc: "2.0", id, method: "held", params: { name: String(id) } });

/** Pending calls of the method `held`. */
class Gate {
  readonly running = new Map<string, { open: () => void; signal: AbortSignal }>();
  readonly run = (name: string, signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      this.running.set(name, { open: () => resolve(name), signal });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  open(name: string) {
    this.running.get(name)!.open();
    this.running.delete(name);
  }
}

let app: TestApp | undefined;
afterEach(async () => {
  await app?.close(0);
  app = undefined;
});

async function start(options: Partial<Parameters<typeof startApp>[0]> = {}) {
  const gate = new Gate();
  app = await startApp({
    registry: { ...plainRegistry, held, large },
    implementations: {
      ...plainImplementations,
      held: ({ name }: { name: string }, { signal }: { signal: unknown }) =>
        gate.run(name, signal as AbortSignal),
      large: () => "x".repeat(400_000),
    },
    ...options,
  } as Parameters<typeof startApp>[0]);
  return { app, gate, url: app.url };
}

describe("a WebSocket", () => {
  it("answers calls on both JSON-RPC paths in the strict dialect", async () => {
    const { url } = await start();
    for (const path of ["/jsonRPC", "/api/v2/jsonRPC", "/jsonRPC/"]) {
      const socket = await openSocket(url, { path });
      socket.send(pack(7));
      expect(await socket.next()).toEqual(packed(7));
      socket.send({ jsonrpc: "2.0", id: "p", method: "rpc.ping" });
      expect(await socket.next()).toEqual({ jsonrpc: "2.0", id: "p", ok: true, result: "pong" });
      socket.close();
    }
  });

  it("takes binary frames that hold JSON, and closes with 1007 where they are not UTF-8", async () => {
    const { url } = await start();
    const socket = await openSocket(url);
    socket.send(Buffer.from(JSON.stringify(pack(1))));
    expect(await socket.next()).toEqual(packed(1));
    socket.send(Buffer.from([0x7b, 0xff, 0xfe]));
    expect((await socket.closed).code).toBe(1007);
  });

  it("reports invalid messages and continues", async () => {
    const { url } = await start();
    const socket = await openSocket(url);
    socket.send("{");
    expect(await socket.next()).toMatchObject({ id: null, ok: false, error: { code: -32700 } });
    socket.send("[]");
    expect(await socket.next()).toMatchObject({ id: null, error: { code: -32600 } });
    socket.send(`${"[".repeat(5000)}${"]".repeat(5000)}`);
    expect(await socket.next()).toMatchObject({ id: null, error: { data: { kind: "too-large" } } });
    socket.send({ jsonrpc: "2.0", id: 1, method: "toString" });
    expect(await socket.next()).toMatchObject({ id: 1, error: { code: -32601 } });
    socket.send(pack(2));
    expect(await socket.next()).toEqual(packed(2));
  });

  it("closes with 1009 on a message above the cap", async () => {
    const { url } = await start({ maxBodyBytes: 2000 });
    const socket = await openSocket(url);
    socket.send("x".repeat(2001));
    expect((await socket.closed).code).toBe(1009);
  });

  it("confirms the subprotocol it knows and needs none", async () => {
    const { url } = await start();
    expect((await openSocket(url, { protocols: ["other", "jsonrpc"] })).raw.protocol).toBe("jsonrpc");
    expect((await openSocket(url)).raw.protocol).toBe("");
  });

  it("answers in the order calls finish", async () => {
    const { url, gate } = await start();
    const socket = await openSocket(url);
    socket.send(heldCall(1));
    socket.send(heldCall(2));
    await until("both calls run", () => gate.running.size === 2);
    gate.open("2");
    expect(await socket.next()).toMatchObject({ id: 2 });
    gate.open("1");
    expect(await socket.next()).toMatchObject({ id: 1 });
  });

  it("runs no more calls at once than its limit, and all of them in the end", async () => {
    const { url, gate } = await start({ sockets: { maxRunning: 4 } });
    const socket = await openSocket(url);
    for (let id = 1; id <= 50; id++) socket.send(heldCall(id));
    const answered = new Set<unknown>();
    while (answered.size < 50) {
      await until("calls run", () => gate.running.size > 0);
      expect(gate.running.size).toBeLessThanOrEqual(4);
      for (const name of [...gate.running.keys()]) {
        gate.open(name);
        answered.add(((await socket.next()) as { id: unknown }).id);
      }
    }
  });

  it("aborts calls without a waiting caller", async () => {
    const { url, gate } = await start();
    const socket = await openSocket(url);
    socket.send(heldCall(1));
    const { signal } = await until("the call runs", () => gate.running.get("1"));
    socket.raw.terminate();
    await until("the call is aborted", () => signal.aborted);
  });
});

describe("a WebSocket's points", () => {
  it("are not charged for a ping, but for an unreadable message", async () => {
    const { url } = await start({ spend: () => ({ granted: 0, retryAfterSec: 1, headers: {} }) });
    const socket = await openSocket(url);
    socket.send({ jsonrpc: "2.0", id: 1, method: "rpc.ping" });
    expect(await socket.next()).toMatchObject({ result: "pong" });
    socket.send("{");
    expect(await socket.next()).toMatchObject({ id: null, error: { data: { kind: "rate-limited" } } });
  });
});

describe("a WebSocket that floods", () => {
  /** A service without points, whose clock stands still between steps of the test. */
  async function startDry(sockets: Partial<WebSocketLimits>) {
    let time = 0;
    let looks = 0;
    const spent: number[] = [];
    const { url } = await start({
      sockets: { maxRunning: 1, pongMs: 5, ...sockets },
      monotonicNow: () => {
        looks++;
        return time;
      },
      spend: (points) => {
        spent.push(points);
        return { granted: 0, retryAfterSec: 3, headers: {} };
      },
    });
    const socket = await openSocket(url);
    return {
      socket,
      spent,
      pass: (ms: number) => {
        time += ms;
      },
      settled: async () => {
        const before = looks;
        await until("the server looks at its connections", () => looks > before + 5);
      },
    };
  }
  const refused = (id: number) => ({ id, error: { data: { kind: "rate-limited" } } });

  it("is not read until the window of its caller opens, then goes on", async () => {
    const { socket, spent, pass, settled } = await startDry({ maxRefusals: 2 });
    for (let id = 1; id <= 5; id++) socket.send(pack(id));
    for (const ids of [[1, 2], [3, 4], [5]]) {
      for (const id of ids) expect(await socket.next()).toMatchObject(refused(id));
      await settled();
      expect(spent).toHaveLength(ids.at(-1)!);
      pass(2_999);
      await settled();
      expect(spent).toHaveLength(ids.at(-1)!);
      pass(1);
    }
  });

  it("is closed with 1008 when it goes on in several windows", async () => {
    const { socket, spent, pass } = await startDry({ maxRefusals: 2, maxPauses: 3 });
    for (let id = 1; id <= 20; id++) socket.send(pack(id));
    for (let id = 1; id <= 5; id++) {
      expect(await socket.next()).toMatchObject(refused(id));
      if (id % 2 === 0) pass(3_000);
    }
    expect(await socket.closed).toEqual({ code: 1008, reason: "rate limit exceeded" });
    expect(spent).toHaveLength(6);
  });

  it("stays open when its floods are far apart", async () => {
    const { socket, pass } = await startDry({ maxRefusals: 1, maxPauses: 2 });
    for (let id = 1; id <= 4; id++) {
      socket.send(pack(id));
      expect(await socket.next()).toMatchObject(refused(id));
      pass(20_000);
    }
  });

  it("is charged for pings beyond the rate of a heartbeat, and gets no pong without a point", async () => {
    const { socket, spent, pass } = await startDry({ maxPings: 3 });
    let pongs = 0;
    socket.raw.on("pong", () => pongs++);
    for (let i = 0; i < 10; i++) socket.raw.ping();
    await until("all pings are charged", () => spent.reduce((sum, points) => sum + points, 0) === 7);
    socket.send({ jsonrpc: "2.0", id: 1, method: "rpc.ping" });
    expect(await socket.next()).toMatchObject(refused(1));
    expect(pongs).toBe(3);
    pass(30_000);
    socket.send({ jsonrpc: "2.0", id: 2, method: "rpc.ping" });
    expect(await socket.next()).toMatchObject({ id: 2, result: "pong" });
  });

  it("is charged for unsolicited pongs", async () => {
    const { socket, spent } = await startDry({ maxPings: 3 });
    for (let i = 0; i < 10; i++) socket.raw.pong();
    await until("all pongs are charged", () => spent.reduce((sum, points) => sum + points, 0) === 7);
  });
});

describe("a handshake", () => {
  it("is refused over HTTP in the form of its path", async () => {
    const { url } = await start({
      identify: () => {
        throw new ServiceError("unknown-key");
      },
    });
    const strict = await refusedHandshake(url, { headers: { "X-API-Key": "nobody's" } });
    expect(strict.status).toBe(401);
    expect(strict.body).toEqual({
      jsonrpc: "2.0",
      id: null,
      ok: false,
      error: { code: -32000, message: "API key does not exist", data: { code: 401, kind: "unknown-key" } },
    });
    expect(strict.headers["access-control-allow-origin"]).toBe("*");
    const tonCenter = await refusedHandshake(url, { path: "/api/v2/jsonRPC?api_key=x" });
    expect(tonCenter).toMatchObject({
      status: 401,
      body: { ok: false, error: "API key does not exist", code: 401 },
    });
  });

  it("reads the key from the header or the query", async () => {
    const keys: (string | undefined)[] = [];
    const { url } = await start({
      identify: ({ key }) => {
        keys.push(key);
        return { id: "k", plan: { name: "unlimited", limit: undefined } };
      },
    });
    (await openSocket(url, { headers: { "X-API-Key": "in header" } })).close();
    (await openSocket(url, { path: "/jsonRPC?api_key=in%20query" })).close();
    (await openSocket(url)).close();
    expect(keys).toEqual(["in header", "in query", undefined]);
  });

  it("is refused on other paths, while not ready, and above the connection caps", async () => {
    const { url } = await start({ sockets: { maxPerCaller: 2 } });
    expect((await refusedHandshake(url, { path: "/api/v2/getMasterchainInfo" })).status).toBe(404);
    const first = await openSocket(url);
    await openSocket(url);
    const third = await refusedHandshake(url);
    expect(third).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    first.close();
    await first.closed;
    await until("room for another", () => openSocket(url).catch(() => undefined));
    await app!.close(0);
    const starting = await start({ health: new Health() });
    expect(await refusedHandshake(starting.url)).toMatchObject({
      status: 503,
      body: { error: { message: "Service is starting" } },
    });
  });

  it("survives clients that disconnect, and refuses nonsense", async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    const broken = connect(port, "127.0.0.1");
    broken.write("GET /jsonRPC HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    const [answer] = await once(broken, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
    broken.destroy();
    const socket = await openSocket(url);
    socket.send(pack(1));
    expect(await socket.next()).toEqual(packed(1));
  });
});

describe("a connection ends", () => {
  it("with 1008 when its key is revoked", async () => {
    let revoke = (_keyId: string) => {};
    const { url } = await start({
      identify: () => ({ id: "k1", keyId: "k1", plan: { name: "standard", limit: undefined } }),
      onRevoked: (listener) => {
        revoke = listener;
        return () => {};
      },
    });
    const socket = await openSocket(url);
    revoke("another");
    socket.send(pack(1));
    expect(await socket.next()).toEqual(packed(1));
    revoke("k1");
    expect(await socket.closed).toEqual({ code: 1008, reason: "API key does not exist" });
  });

  it("with 1001 at shutdown, once calls in flight are answered; new ones are refused", async () => {
    const { url, gate, app: running } = await start();
    const socket = await openSocket(url);
    socket.send(heldCall(1));
    await until("the call runs", () => gate.running.size === 1);
    const closing = running.close(60_000);
    socket.send([pack(2), pack(undefined)]);
    expect(await socket.next()).toEqual([
      {
        jsonrpc: "2.0",
        id: 2,
        ok: false,
        error: {
          code: -32000,
          message: "Service is stopping",
          data: { code: 503, kind: "unavailable", retry_after: 1 },
        },
      },
    ]);
    gate.open("1");
    expect(await socket.next()).toMatchObject({ id: 1, result: "1" });
    expect((await socket.closed).code).toBe(1001);
    await closing;
  });

  it("when a ping is not answered", async () => {
    const { url } = await start({ sockets: { silenceMs: 20, pongMs: 20 } });
    const silent = await openSocket(url, { autoPong: false });
    expect((await silent.closed).code).toBe(1006);
  });

  it("not while pings are answered", async () => {
    const { url } = await start({ sockets: { silenceMs: 20, pongMs: 60_000 } });
    const socket = await openSocket(url);
    for (let seen = 0; seen < 3; seen++) await once(socket.raw, "ping");
    socket.send(pack(1));
    expect(await socket.next()).toEqual(packed(1));
  });

  it("with 1008 when its answers are not read for too long; reading stops before that", async () => {
    let time = 0;
    let looks = 0;
    const monotonicNow = () => {
      looks++;
      return time;
    };
    const limits = { maxUnsentBytes: 100_000, slowReaderMs: 30_000, maxRunning: 1000, pongMs: 5 };
    const { url, app: running } = await start({ sockets: limits, monotonicNow });
    const socket = await openSocket(url);
    const calls = 400;
    // Up to 64 KB may be read in one piece before the pause; calls already read are answered.
    const padding = "x".repeat(1000);
    socket.raw.pause();
    for (let id = 1; id <= calls; id++) {
      socket.send({ jsonrpc: "2.0", id, method: "large", params: { name: String(id), padding } });
    }
    const answered = () => running.reports.filter(({ method }) => method === "large").length;
    const looksAgain = async () => {
      const before = looks;
      await until("the server looks at its connections", () => looks > before + 3);
    };
    await until("answers pile up", () => answered() > 1);
    await looksAgain();
    time += 30_000;
    await looksAgain();
    // The close frame is queued behind the answers, so the client must read them first.
    socket.raw.resume();
    expect((await socket.closed).code).toBe(1008);
    expect(answered()).toBeLessThan(calls);
  });
});
