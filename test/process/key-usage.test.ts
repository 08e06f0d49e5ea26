import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import WebSocket from "ws";
import { createClient, http, webSocket } from "../../client/index.js";
import { errorIn } from "../../client/transports/answer.js";
import {
  changeKey,
  createKey,
  type NewKeyOptions,
  rotateKey,
  setPlan,
} from "../../server/access/keys/key-commands.js";
import { changeKeyFile } from "../../server/access/keys/key-file.js";
import type { Config } from "../../server/config/settings.js";
import type { Environment } from "../../server/process/environment.js";
import { freePort } from "../helpers/free-port.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { connectModel, httpTransport } from "../helpers/services/mcp-client.js";
import { startService, type TestService } from "../helpers/services/service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const shards = "/api/v2/getShards?seqno=1";
const info = "/api/v2/getMasterchainInfo";
const call = (method: string, params = {}) => ({ jsonrpc: "2.0", id: method, method, params });

type Usage = {
  key: string;
  plan: string;
  month: { month: string; calls: number; points: number; quota: object; resets_at: string };
  days: { day: string; calls: number; points: number; refused: number }[];
};

async function keyStore(folder = temporaryFolder()) {
  const keysFile = join(folder, "keys.json");
  const month = async (plan: string, quota: object) =>
    void (await changeKeyFile(keysFile, (file) =>
      setPlan(file, plan, { rps: 1000, burst: 1000 }, undefined, quota),
    ));
  const add = (order: Partial<NewKeyOptions> = {}) =>
    changeKeyFile(keysFile, (file) =>
      createKey(file, { network: "devnet", plan: "unlimited", label: "", ...order }, new Date()),
    );
  return { keysFile, month, add };
}

async function start(settings: Partial<Config>, environment?: Environment): Promise<TestService> {
  const service = await startService(settings, environment);
  onTestFinished(() => service.close());
  return service;
}

const usageOf = async (service: TestService, key: string) =>
  (await service.get("/usage", { key })).json as Usage;

describe("a key that is for some methods and pages", () => {
  let service: TestService;
  let methods: string;
  let origins: string;
  beforeAll(async () => {
    const { keysFile, add } = await keyStore(folderInRun("tonwire-usage-"));
    methods = (await add({ methods: ["getMasterchainInfo", "v3.jetton.*"] })).text;
    origins = (await add({ origins: ["app.example.com", "*.example.org"] })).text;
    service = await startService({ keysFile, index: true, anonymousRps: 1 });
    await until("the index", async () => (await service.get("/api/v3/masterchainInfo")).status === 200);
  });
  afterAll(() => service?.close());

  const refusal = "getShards is none of the methods that this API key is for";

  it("is refused others by REST", async () => {
    expect((await service.get(info, { key: methods })).status).toBe(200);
    expect((await service.get("/api/v3/jetton/masters", { key: methods })).status).toBe(200);
    const refused = await service.get(shards, { key: methods });
    expect([refused.status, refused.json]).toMatchObject([403, { ok: false, error: refusal }]);
    expect((await service.get("/api/v3/blocks", { key: methods })).status).toBe(403);
    expect((await service.get("/api/v4/block/latest", { key: methods })).status).toBe(403);
  });

  it("is refused them one by one inside a batch", async () => {
    const batch = [call("getMasterchainInfo"), call("getShards", { seqno: 0 }), call("rpc.ping")];
    const { json } = await service.post("/jsonRPC", batch, { key: methods });
    expect(json).toMatchObject([
      { id: "getMasterchainInfo", ok: true },
      { id: "getShards", error: { message: refusal, data: { code: 403, kind: "forbidden" } } },
      { id: "rpc.ping", result: "pong" },
    ]);
    const dialect = await service.post("/api/v2/jsonRPC", call("getShards", { seqno: 0 }), { key: methods });
    expect(dialect.status).toBe(403);
  });

  it("is refused them on a WebSocket, with subscriptions and streams", async () => {
    const socket = await open(service, "/jsonRPC", methods);
    expect(await answer(socket, call("getShards", { seqno: 0 }))).toMatchObject({
      error: { message: refusal },
    });
    expect(await answer(socket, call("getMasterchainInfo"))).toMatchObject({ ok: true });
    expect(await answer(socket, call("subscribe", { type: "blocks" }))).toMatchObject({
      error: { data: { kind: "forbidden" } },
    });
    for (const path of ["/api/streaming/v2/ws", "/api/v4/block/watch"])
      await expect(open(service, path, methods)).rejects.toThrow("403");
    const sse = { types: ["transactions"], addresses: [`0:${"0".repeat(64)}`] };
    expect((await service.post("/api/streaming/v2/sse", sse, { key: methods })).status).toBe(403);
    expect((await service.get("/api/streaming/events?type=blocks", { key: methods })).status).toBe(403);
  });

  it("is refused them by tools for models and as a liteserver's query", async () => {
    const model = await connectModel(httpTransport(service.url, { "X-API-Key": methods }));
    const refusal = await model.refusal("account", { address: `0:${"0".repeat(64)}` });
    expect(refusal).toMatchObject({
      code: "forbidden",
      error: expect.stringContaining("is none of the methods that this API key is for"),
    });
    const query = await service.post("/api/lite/v1", new Uint8Array(4), {
      key: methods,
      headers: { "Content-Type": "application/octet-stream" },
    });
    expect([query.status, query.text]).toEqual([403, expect.stringContaining("lite.query is none")]);
  });

  it("is refused for pages of other origins, on every transport", async () => {
    const from = (origin: string | undefined, path = info) =>
      service.get(path, { key: origins, ...(origin !== undefined && { headers: { Origin: origin } }) });
    for (const origin of [undefined, "https://app.example.com", "http://a.b.example.org:8080"])
      expect((await from(origin)).status).toBe(200);
    for (const origin of ["https://example.org", "null", "https://app.example.com.evil.test"]) {
      const refused = await from(origin);
      expect([refused.status, refused.json]).toMatchObject([
        403,
        { error: "this API key is not for pages of this origin" },
      ]);
      expect(refused.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect((await from(origin, "/api/streaming/events?type=blocks")).status).toBe(403);
      await expect(open(service, "/jsonRPC", origins, origin)).rejects.toThrow("403");
    }
    await open(service, "/jsonRPC", origins, "https://app.example.com");
  });

  it("is changed without a restart", async () => {
    const { keysFile } = service;
    const { add } = await keyStore(dirname(keysFile));
    const { text, record } = await add({ methods: ["getMasterchainInfo"] });
    await until("the key", async () => (await service.get(info, { key: text })).status === 200);
    expect((await service.get(shards, { key: text })).status).toBe(403);
    await changeKeyFile(keysFile, (file) => changeKey(file, record.id, { methods: "all" }));
    await until("the change", async () => (await service.get(shards, { key: text })).status !== 403);
  });
});

describe("the usage of keys", () => {
  it("is shown to the holder of a key, and of all keys to the operator", async () => {
    const { keysFile, month, add } = await keyStore();
    await month("gold", { calls: 100 });
    const [gold, other] = [await add({ plan: "gold" }), await add({ methods: ["getShards"] })];
    const service = await start(
      { keysFile, adminPort: await freePort() },
      { now: () => Date.UTC(2030, 0, 31) },
    );
    await service.get(info, { key: gold.text });
    await service.post("/jsonRPC", Array(3).fill(call("getMasterchainInfo")), { key: gold.text });
    await service.get(info, { key: other.text });
    const shown = () => usageOf(service, gold.text);
    await until("the write", async () => (await shown()).days[0]?.calls === 4);
    const { key, plan, month: used, days } = await shown();
    expect({ key, plan, ...used }).toMatchObject({
      ...{ key: gold.record.id, plan: "gold", month: "2030-01", calls: 4 },
      quota: { calls: 100, points: null },
      resets_at: "2030-02-01T00:00:00.000Z",
    });
    expect(days).toMatchObject([{ day: "2030-01-31", calls: 4, refused: 0 }]);
    expect((await usageOf(service, other.text)).days).toMatchObject([{ calls: 0, refused: 1 }]);
    const csv = await service.get("/usage?format=csv&from=2030-01-01&to=2030-01-31", { key: gold.text });
    expect(csv.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(csv.text).toMatch(new RegExp(`^day,key,calls,points,refused\r\n2030-01-31,${key},4,\\d+,0\r\n$`));
    const admin = async (path: string) => (await fetch(service.adminUrl + path)).text();
    const rows = JSON.parse(await admin("/usage")) as { key: string }[];
    expect(new Set(rows.map((row) => row.key))).toEqual(new Set([gold.record.id, other.record.id]));
    expect(await admin(`/usage?format=csv&key=${other.record.id}`)).toContain(`${other.record.id},0,`);
    expect(await admin("/usage?from=never")).toContain("from is not a day");
    const metrics = await admin("/metrics");
    expect(metrics).toContain(`tonwire_key_month_calls{key="${key}"} 4`);
    expect(metrics).toContain(`tonwire_key_quota_used_ratio{key="${key}"} 0.04`);
    for (const text of [metrics, JSON.stringify(rows), csv.text, ...service.logLines])
      expect(text).not.toContain(gold.text);
  });

  it("needs a key, and a range of days", async () => {
    const service = await start({});
    expect((await service.get("/usage", { key: null })).status).toBe(403);
    for (const query of ["from=x", "from=2000-01-01", "format=xml", "from=2030-01-02&to=2030-01-01"])
      expect((await service.get(`/usage?${query}`)).status).toBe(422);
  });

  it("survives a restart, and a rotation of the key", async () => {
    const { keysFile, month, add } = await keyStore();
    await month("two", { calls: 2 });
    const { text, record } = await add({ plan: "two" });
    const first = await startService({ keysFile });
    await first.get(info, { key: text });
    await first.close();
    const next = await changeKeyFile(keysFile, (file) => rotateKey(file, record.id, 3_600_000, new Date()));
    const second = await start({ keysFile: keysFile });
    expect((await second.get(info, { key: next.text })).status).toBe(200);
    for (const key of [text, next.text]) expect((await second.get(info, { key })).status).toBe(429);
  });
});

describe("a monthly quota", () => {
  it("of calls is refused with 429 and the time of the next month, which begins without a restart", async () => {
    const { keysFile, month, add } = await keyStore();
    await month("two", { calls: 2 });
    const { text } = await add({ plan: "two" });
    let now = Date.UTC(2030, 11, 31, 23, 59, 50);
    const service = await start({ keysFile }, { now: () => now });
    const get = (path = info) => service.get(path, { key: text });
    const batch = await service.post("/jsonRPC", Array(3).fill(call("getMasterchainInfo")), { key: text });
    const outcomes = batch.json as { ok?: boolean; error?: object }[];
    expect(outcomes.map(({ error }) => error === undefined)).toEqual([true, true, false]);
    expect(outcomes[2]!.error).toMatchObject({
      message: "the monthly quota of 2 calls of this API key is used up until 2031-01-01T00:00:00.000Z",
      data: {
        ...{ code: 429, kind: "quota-exceeded", limit: "month_calls", quota: 2, retry_after: 10 },
        resets_at: "2031-01-01T00:00:00.000Z",
      },
    });
    const refused = await get();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "10"]);
    const socket = await open(service, "/jsonRPC", text);
    expect(await answer(socket, call("getMasterchainInfo"))).toMatchObject({
      error: { data: { code: 429 } },
    });
    expect((await get("/usage")).status).toBe(200);
    now += 10_000;
    expect((await get()).status).toBe(200);
    expect(await usageOf(service, text)).toMatchObject({ month: { month: "2031-01", calls: 1 } });
  });

  it("is refused to a client at once, and calls after it as well", async () => {
    const { keysFile, month, add } = await keyStore();
    await month("one", { calls: 1 });
    const { text: apiKey } = await add({ plan: "one" });
    const day = Date.UTC(2030, 11, 31);
    const service = await start({ keysFile }, { now: () => day });
    const error = { code: "quota-exceeded", status: 429, retryable: false, retryAfterMs: 86_400_000 };
    const message = "the monthly quota of 1 calls of this API key is used up until 2031-01-01T00:00:00.000Z";
    const transports = [
      http(service.url),
      webSocket(`${service.url.replace("http", "ws")}/jsonRPC`, { WebSocket }),
    ];
    const [first, second] = transports.map((transport) => createClient({ transport, apiKey }));
    await first!.getMasterchainInfo();
    for (const client of [first!, second!]) {
      for (const address of ["a", "b"])
        await expect(client.detectAddress({ address })).rejects.toMatchObject({
          ...error,
          shortMessage: message,
        });
      client.close();
    }
    for (const path of [info, "/api/v3/masterchainInfo"]) {
      const { json, status, headers } = await service.get(path, { key: apiKey });
      const retryAfterMs = Number(headers.get("Retry-After")) * 1000;
      expect(errorIn(json, { status, retryAfterMs })).toMatchObject({ ...error, shortMessage: message });
    }
  });

  it("of points is used up by what calls cost", async () => {
    const { keysFile, month, add } = await keyStore();
    await month("ten", { points: 10 });
    const { text } = await add({ plan: "ten" });
    const service = await start({ keysFile });
    const batch = await service.post("/jsonRPC", Array(20).fill(call("getMasterchainInfo")), { key: text });
    const served = (batch.json as { ok: boolean }[]).filter(({ ok }) => ok);
    expect(served).toHaveLength(10);
    const refused = await service.get(info, { key: text });
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining("quota of 10 points")]);
    expect((await usageOf(service, text)).month).toMatchObject({ calls: 10, points: 11 });
  });
});

function open(service: TestService, path: string, key: string, origin?: string): Promise<WebSocket> {
  const url = `${service.url.replace("http", "ws")}${path}`;
  const socket = new WebSocket(url, {
    headers: { "X-API-Key": key, ...(origin !== undefined && { Origin: origin }) },
  });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
  });
}

function answer(socket: WebSocket, message: object): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once("message", (data) => resolve(JSON.parse(String(data))));
    socket.send(JSON.stringify(message));
  });
}
