import { describe, expect, it, onTestFinished } from "vitest";
import { UnavailableError } from "../../../server/chain/unavailable-error.js";
import { maxLiteQuery } from "../../../shared/methods/lite.js";
import { liteApiFrom } from "../../../shared/ton/lite/lite-methods.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { encodeQuery, liteMethods, queryOf } from "../../../shared/ton/tl/lite-functions.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { byJsonRpc, startLiteApp } from "../../helpers/http/lite-app.js";
import { byFrames, openLiteSocket } from "../../helpers/http/lite-frames.js";
import { openSocket } from "../../helpers/http/socket.js";
import { until } from "../../helpers/until.js";

const hash = new Uint8Array(32).fill(5);
const block = { workchain: -1, shard: wholeShard, seqno: 7, rootHash: hash, fileHash: hash };
const head = { last: block, stateRootHash: hash, init: { workchain: -1, rootHash: hash, fileHash: hash } };
const getTime = encodeQuery(queryOf("getTime", {}));
const getBlock = encodeQuery(queryOf("getBlock", { id: block }));
const octets = { "Content-Type": "application/octet-stream" };

async function start(options: Parameters<typeof startLiteApp>[1] & { blockBytes?: number } = {}) {
  const { blockBytes = 10, ...appOptions } = options;
  const data = Uint8Array.from({ length: blockBytes }, (_, index) => (index * index) >> 3);
  const gates: (() => void)[] = [];
  const lite = liteApiFrom(liteMethods, async (method) => {
    if (method === "getMasterchainInfo") return head;
    if (method === "getTime") return { now: 7 };
    if (method === "getBlock") return { id: block, data };
    if (method === "getVersion") throw new UnavailableError();
    await new Promise<void>((resolve) => gates.push(resolve));
    return { shards: [], extMsgQueueSizeLimit: 1 };
  });
  const app = await startLiteApp(lite, appOptions);
  onTestFinished(() => app.close());
  const socket = await openLiteSocket(app.url);
  onTestFinished(() => socket.close());
  const post = async (body: Uint8Array, headers: Record<string, string> = octets) => {
    const answer = await fetch(`${app.url}/api/lite/v1`, { method: "POST", body: body as BodyInit, headers });
    return {
      status: answer.status,
      headers: answer.headers,
      bytes: new Uint8Array(await answer.arrayBuffer()),
    };
  };
  return { app, socket, post, gates };
}

const jsonOf = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString());

describe("POST /api/lite/v1", () => {
  it("answers bytes with the bytes of lite.query", async () => {
    const { app, post } = await start({ blockBytes: 300_000 });
    for (const query of [getTime, getBlock, getBlock]) {
      const { status, headers, bytes } = await post(query);
      expect([status, headers.get("content-type")]).toEqual([200, "application/octet-stream"]);
      expect(Buffer.from(bytes).equals(await byJsonRpc(app)(query))).toBe(true);
    }
    expect((await post(getTime, {})).status).toBe(200);
    expect(app.reports.map(({ method }) => method)).toEqual(Array(7).fill("lite.query"));
  });

  it("answers unknown functions in TL, and failures of the call in JSON", async () => {
    const { post } = await start();
    expect(wire.decode((await post(Uint8Array.of(1, 2, 3, 4))).bytes)).toEqual({
      name: "liteServer.error",
      value: { code: 621, message: "unknown query" },
    });
    const unavailable = await post(encodeQuery(queryOf("getVersion", {})));
    expect([unavailable.status, jsonOf(unavailable.bytes)]).toMatchObject([503, { ok: false, code: 503 }]);
    expect(unavailable.headers.get("retry-after")).toBe("1");
    const empty = await post(new Uint8Array(0));
    expect([empty.status, jsonOf(empty.bytes).error]).toEqual([
      422,
      "failed to validate request: empty query",
    ]);
    const long = await post(new Uint8Array(maxLiteQuery + 1));
    expect([long.status, jsonOf(long.bytes).error]).toEqual([
      413,
      `request is too large: at most ${maxLiteQuery} bytes`,
    ]);
    const json = await post(getTime, { "Content-Type": "application/json" });
    expect([json.status, jsonOf(json.bytes).error]).toEqual([
      415,
      "the body of a liteserver's query is application/octet-stream",
    ]);
    const zipped = await post(getTime, { ...octets, "Content-Encoding": "gzip" });
    expect(zipped.status).toBe(415);
  });

  it("charges the points of the function, and refuses callers without any", async () => {
    const spent: number[] = [];
    const { post } = await start({
      spend(points) {
        spent.push(points);
        const granted = spent.length < 4 ? points : 0;
        return { granted, headers: {}, ...(granted === 0 && { retryAfterSec: 1 }) };
      },
    });
    await post(getTime);
    await post(getBlock);
    expect(spent).toEqual([1, 1, 4]);
    expect((await post(getTime)).status).toBe(429);
  });

  it("has no GET", async () => {
    const { app } = await start();
    expect((await app.ask("/api/lite/v1")).status).toBe(405);
  });
});

describe("binary messages of a WebSocket", () => {
  it("carry queries beside JSON, each answered with its id as it is ready", async () => {
    const { app, socket, gates } = await start({ blockBytes: 300_000 });
    const slow = socket.ask(encodeQuery(queryOf("getOutMsgQueueSizes", {})));
    await until("the slow query", () => gates.length === 1);
    const ask = byFrames(socket);
    const answers = await Promise.all([getTime, getBlock, getTime, getBlock].map(ask));
    for (const [index, query] of [getTime, getBlock, getTime, getBlock].entries())
      expect(Buffer.from(answers[index]!).equals(await byJsonRpc(app)(query))).toBe(true);
    gates[0]!();
    expect(wire.decode(((await slow) as { tl: Uint8Array }).tl).name).toBe("liteServer.outMsgQueueSizes");
    const text = await openSocket(app.url);
    text.send({
      jsonrpc: "2.0",
      id: 1,
      method: "lite.query",
      params: { query: Buffer.from(getTime).toString("base64") },
    });
    expect(await text.next()).toMatchObject({ id: 1, ok: true });
    text.close();
  });

  it("are answered with the error object of JSON-RPC if the call fails", async () => {
    const { socket } = await start();
    expect(await socket.ask(encodeQuery(queryOf("getVersion", {})))).toMatchObject({
      error: { code: -32000, data: { kind: "unavailable", code: 503 } },
    });
    expect(await socket.ask(new Uint8Array(0))).toMatchObject({
      error: { code: -32602, data: { kind: "invalid-params", param: "query" } },
    });
    expect(await socket.ask(new Uint8Array(maxLiteQuery + 1))).toMatchObject({
      error: { code: -32602, message: expect.stringContaining("too long") },
    });
  });

  it("of other kinds are read as JSON", async () => {
    const { app } = await start();
    const socket = await openSocket(app.url);
    for (const bytes of [[2, 0, 0, 0, 0], [1, 0, 0, 0], [0]]) {
      socket.send(Uint8Array.from(bytes));
      expect(await socket.next()).toMatchObject({ id: null, error: { code: -32700 } });
    }
    socket.send(Buffer.from('{"jsonrpc":"2.0","id":2,"method":"none"}'));
    expect(await socket.next()).toMatchObject({ id: 2, error: { code: -32601 } });
    socket.close();
  });

  it("cost the points of their functions", async () => {
    const spent: number[] = [];
    let granted = 5;
    const { socket } = await start({
      spend(points) {
        spent.push(points);
        return { granted, headers: {}, overdrawn: granted === 0, retryAfterSec: 1 };
      },
    });
    await socket.ask(getTime);
    await socket.ask(getBlock);
    expect(spent).toEqual([1, 5]);
    granted = 2;
    expect(await socket.ask(getBlock)).toHaveProperty("tl");
    granted = 0;
    expect(await socket.ask(getBlock)).toMatchObject({ error: { data: { kind: "rate-limited" } } });
  });

  it("in flight are answered before the service stops, later ones are refused", async () => {
    const { app, socket, gates } = await start();
    const slow = socket.ask(encodeQuery(queryOf("getOutMsgQueueSizes", {})));
    await until("the slow query", () => gates.length === 1);
    const closing = app.close(60_000);
    expect(await socket.ask(getTime)).toMatchObject({ error: { data: { kind: "unavailable" } } });
    gates[0]!();
    expect(await slow).toHaveProperty("tl");
    await closing;
  });
});
