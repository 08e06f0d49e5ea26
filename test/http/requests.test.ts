import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { Spending } from "../../server/access/limits/rate-limit.js";
import { ServiceError } from "../../server/errors.js";
import { defineMethod } from "../../shared/methods/define.js";
import { addresses, page, text } from "../../shared/schema/v3/params.js";
import {
  plainImplementations,
  plainRegistry,
  startApp,
  type TestApp,
  type TestAppOptions,
} from "../helpers/http/app.js";

const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";

async function start(options: Partial<TestAppOptions<typeof plainRegistry>> = {}) {
  const app = await startApp({
    registry: plainRegistry,
    implementations: plainImplementations,
    ...options,
  });
  onTestFinished(() => app.close());
  return app;
}

const rpcPaths = ["/api/v2/jsonRPC", "/", "/jsonRPC"];

const refusalsOf = (code: number, kind: string, text: string, data: object = {}) => ({
  "/api/v2/packAddress": { ok: false, error: text, code, "@extra": "_" },
  "/api/v2/jsonRPC": { ok: false, error: text, code, "@extra": "_", jsonrpc: "2.0" },
  "/": { ok: false, error: text, code, "@extra": "_", jsonrpc: "2.0" },
  "/jsonRPC": {
    jsonrpc: "2.0",
    id: null,
    ok: false,
    error: { code: -32600, message: text, data: { code, kind, ...data } },
  },
});

describe("bodies", () => {
  it("are read up to the cap, whether their length is announced or not", async () => {
    const app = await start({ maxBodyBytes: 1024 });
    const refusals = refusalsOf(413, "too-large", "request is too large: at most 1024 bytes", { max: 1024 });
    for (const [path, wanted] of Object.entries(refusals)) {
      const announced = await app.post(path, "x".repeat(1025));
      expect([announced.status, announced.json]).toEqual([413, wanted]);
      const chunked = await app.ask(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: new Blob(["x".repeat(5000)]).stream(),
        duplex: "half",
      } as RequestInit);
      expect([chunked.status, chunked.json]).toEqual([413, wanted]);
    }
    const fitting = JSON.stringify({ address: raw }).padEnd(1024);
    expect((await app.post("/api/v2/packAddress", fitting)).json).toMatchObject({ result: friendly });
  });

  it.each([
    [{ "Content-Type": "application/json; charset=utf-16" }],
    [{ "Content-Type": "text/plain; charset=iso-8859-1" }],
    [{ "Content-Type": "application/json", "Content-Encoding": "gzip" }],
  ])("are refused unread as %j", async (headers) => {
    const app = await start();
    const refusals = refusalsOf(415, "wrong-media-type", "unsupported content type");
    for (const [path, wanted] of Object.entries(refusals)) {
      const { status, json } = await app.ask(path, { method: "POST", headers, body: "{}" });
      expect([status, json]).toEqual([415, wanted]);
    }
  });

  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=UTF-8",
    'application/json;charset="utf-8"; x=y',
    "application/vnd.api+json",
    "text/plain;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "json",
    undefined,
  ])("are read as %s on v2 and JSON-RPC paths", async (type) => {
    const app = await start();
    const headers = type === undefined ? {} : { "Content-Type": type };
    const params = { address: raw };
    const call = { jsonrpc: "2.0", id: 1, method: "packAddress", params };
    for (const [path, value] of [
      ["/api/v2/packAddress", params] as const,
      ...rpcPaths.map((each) => [each, call] as const),
    ]) {
      const body = new TextEncoder().encode(JSON.stringify(value));
      const { status, json } = await app.ask(path, { method: "POST", headers, body });
      expect([status, json]).toMatchObject([200, { result: friendly }]);
    }
  });

  it("that are no JSON are refused as such under any content type", async () => {
    const app = await start();
    const form = { method: "POST", headers: { "Content-Type": "text/plain" }, body: "address=x" };
    const rest = await app.ask("/api/v2/packAddress", form);
    expect([rest.status, rest.json]).toMatchObject([
      422,
      { error: "failed to parse post request: invalid JSON" },
    ]);
    expect((await app.ask("/jsonRPC", form)).json).toMatchObject({ error: { code: -32700 } });
  });

  it.each([
    ['{"address":', "failed to parse post request: invalid JSON"],
    ['\uFEFF{"address":""}', "failed to parse post request: invalid JSON"],
    ["[]", "failed to parse post request: the body must be an object"],
    ["5", "failed to parse post request: the body must be an object"],
    ["null", "failed to parse post request: the body must be an object"],
    ["", "failed to parse post request: address is required"],
    [" \n", "failed to parse post request: address is required"],
  ])("of REST that are no object are refused: %j", async (body, error) => {
    const app = await start();
    const { status, json } = await app.post("/api/v2/packAddress", body);
    expect([status, json]).toMatchObject([422, { ok: false, error, code: 422 }]);
  });

  it("must be UTF-8", async () => {
    const app = await start();
    const body = Uint8Array.of(0x22, 0xff, 0x22);
    expect((await app.ask("/jsonRPC", { method: "POST", body })).json).toMatchObject({
      error: { code: -32700 },
    });
  });

  it("may nest a thousand levels, and a megabyte of nesting is refused unparsed", async () => {
    const app = await start();
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    const call = (deep: string) => `{"jsonrpc":"2.0","id":1,"method":"rpc.ping","params":{"x":${deep}}}`;
    expect((await app.post("/api/v2/jsonRPC", call(nested(1022)))).json).toMatchObject({ result: "pong" });
    for (const body of [
      call(nested(1023)),
      nested(500_000),
      "[".repeat(1_000_000),
      '{"a":'.repeat(200_000),
    ]) {
      const { status, json } = await app.post("/jsonRPC", body);
      expect([status, json]).toEqual([
        413,
        {
          jsonrpc: "2.0",
          id: null,
          ok: false,
          error: {
            code: -32600,
            message: "request is nested too deeply: at most 1024 levels",
            data: { code: 413, kind: "too-large", max: 1024 },
          },
        },
      ]);
    }
    const brackets = JSON.stringify({ jsonrpc: "2.0", id: "[".repeat(5000), method: "rpc.ping" });
    expect((await app.post("/jsonRPC", brackets)).json).toMatchObject({ result: "pong" });
  });

  it("that are cut off leave nothing in memory", async () => {
    const app = await start();
    const { port } = new URL(app.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => {
        socket.write("POST /jsonRPC HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", () =>
          socket.destroy(),
        );
      });
      socket.on("close", () => resolve());
    });
    expect((await app.post("/jsonRPC", { jsonrpc: "2.0", id: 1, method: "rpc.ping" })).status).toBe(200);
  });
});

it("headers that are too large are refused in the form of the path", async () => {
  const app = await start();
  const headers = { "X-Long": "x".repeat(70_000) };
  const error = "request headers are too large: at most 65536 bytes";
  for (const [path, wanted] of [
    ["/api/v2/packAddress", { ok: false, error, code: 431, "@extra": "_" }],
    ["/api/v3/accountStates", { error }],
  ] as const) {
    const { status, json } = await app.ask(path, { headers });
    expect([status, json]).toEqual([431, wanted]);
  }
});

describe("keys and limits", () => {
  const limit = (granted: number): Spending => ({
    granted,
    headers: {
      "RateLimit-Policy": '"standard";q=10;w=1',
      RateLimit: '"standard";r=0;t=3',
      ...(granted === 0 && { "Retry-After": "3" }),
    },
    ...(granted === 0 && { retryAfterSec: 3 }),
  });
  const paths = ["/api/v2/packAddress", ...rpcPaths];

  it.each([
    ["unknown-key", 401, "API key does not exist"],
    ["wrong-network", 403, "Network not allowed"],
  ] as const)(
    "%s: the body is as old clients know it, and nothing else of the request is looked at",
    async (code, status, error) => {
      const app = await start({
        identify: () => {
          throw new ServiceError(code);
        },
      });
      for (const path of paths) {
        const answer = await app.post(path, "x".repeat(2_000_000), { "Content-Type": "text/plain" });
        const wanted =
          path === "/jsonRPC"
            ? {
                jsonrpc: "2.0",
                id: null,
                ok: false,
                error: { code: -32000, message: error, data: { code: status, kind: code } },
              }
            : { ok: false, error, code: status };
        expect([answer.status, answer.json]).toEqual([status, wanted]);
        expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      }
    },
  );

  it("refuses without a point, saying when to come back", async () => {
    const app = await start({ spend: () => limit(0) });
    for (const path of paths) {
      const answer = await app.post(path, "not even JSON");
      const wanted =
        path === "/jsonRPC"
          ? {
              jsonrpc: "2.0",
              id: null,
              ok: false,
              error: {
                code: -32000,
                message: "Ratelimit exceeded",
                data: { code: 429, kind: "rate-limited", retry_after: 3 },
              },
            }
          : { ok: false, error: "Ratelimit exceeded", result: "Ratelimit exceeded", code: 429 };
      expect([answer.status, answer.json]).toEqual([429, wanted]);
      expect(
        ["retry-after", "ratelimit", "ratelimit-policy"].map((name) => answer.headers.get(name)),
      ).toEqual(["3", '"standard";r=0;t=3', '"standard";q=10;w=1']);
    }
  });

  it("closes a connection after many refusals in one window, with the last one held back", async () => {
    const app = await start({ spend: () => limit(0), monotonicNow: () => 0 });
    const get = "GET /api/v2/packAddress HTTP/1.1\r\nHost: x\r\n";
    const text = await new Promise<string>((resolve) => {
      let answers = "";
      const socket = connect(Number(new URL(app.url).port), "127.0.0.1", () =>
        socket.write(`${`${get}\r\n`.repeat(50)}${get}Connection: close\r\n\r\n`),
      );
      socket.setEncoding("utf8").on("data", (chunk) => {
        answers += chunk;
      });
      socket.on("error", () => {}).on("close", () => resolve(answers));
    });
    const answers = text.split("HTTP/1.1 ").slice(1);
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(Array(11).fill("429"));
    expect(answers.map((answer) => answer.includes("Connection: close"))).toEqual([
      ...Array(10).fill(false),
      true,
    ]);
  });

  /** Sends requests one after the other over one kept connection; returns how many connections that took. */
  async function connectionsOf(app: TestApp, requests: number, answered: (index: number) => void = () => {}) {
    let connections = 0;
    app.server.on("connection", () => connections++);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    for (let i = 0; i < requests; i++) {
      const request = httpRequest(`${app.url}/api/v2/packAddress`, { agent }).end();
      const [response] = await once(request, "response");
      expect(response.statusCode).toBe(429);
      await once(response.resume(), "end");
      answered(i);
    }
    return connections;
  }

  it("keeps a connection that carries the requests of many callers", async () => {
    const app = await start({ spend: () => limit(0), monotonicNow: () => 0, isProxied: () => true });
    expect(await connectionsOf(app, 30)).toBe(1);
  });

  it("keeps a connection with few refusals in each window", async () => {
    let time = 0;
    const app = await start({ spend: () => limit(0), monotonicNow: () => time });
    const connections = await connectionsOf(app, 30, (index) => {
      if (index % 10 === 9) time += 1_000;
    });
    expect(connections).toBe(1);
  });

  it("takes one point before the body and the others of a batch in one step", async () => {
    const asked: number[] = [];
    const app = await start({
      spend: (points) => {
        asked.push(points);
        return asked.length === 1 ? limit(1) : { ...limit(1), retryAfterSec: 3 };
      },
    });
    const call = (id: number, method = "unpackAddress") => ({
      jsonrpc: "2.0",
      id,
      method,
      params: method === "rpc.ping" ? {} : { address: friendly },
    });
    const served = (id: number) => ({ jsonrpc: "2.0", id, ok: true, result: raw.toUpperCase() });
    const limited = (id: number) => ({
      jsonrpc: "2.0",
      id,
      ok: false,
      error: {
        code: -32000,
        message: "Ratelimit exceeded",
        data: { code: 429, kind: "rate-limited", retry_after: 3 },
      },
    });
    const pong = { jsonrpc: "2.0", id: 5, ok: true, result: "pong" };
    const batch = [call(1), call(2), call(3), { ...call(4), id: undefined }, call(5, "rpc.ping")];
    const { status, json, headers } = await app.post("/jsonRPC", batch);
    expect(asked).toEqual([1, 3]);
    expect([status, json]).toEqual([200, [served(1), served(2), limited(3), pong]]);
    expect(headers.get("ratelimit")).toBe('"standard";r=0;t=3');
    expect(headers.get("retry-after")).toBeNull();
  });

  it("charges no points for preflights, health and unknown paths", async () => {
    const app = await start({ spend: () => limit(0) });
    expect((await app.ask("/jsonRPC", { method: "OPTIONS" })).status).toBe(204);
    expect((await app.ask("/healthcheck")).status).toBe(200);
    expect((await app.ask("/nowhere")).status).toBe(404);
    expect((await app.ask("/jsonRPC")).status).toBe(405);
  });

  it.each([
    [{ "X-API-Key": "header" }, "?api_key=query", "header"],
    [{ "X-API-Key": "" }, "?api_key=query", "query"],
    [{}, "?a=b&api_key=a%2Bb", "a+b"],
    [{}, "?api_key=", undefined],
    [{}, "", undefined],
  ])("finds the key in %j, %j", async (headers, query, wanted) => {
    const keys: unknown[] = [];
    const app = await start({
      identify: ({ key }) => {
        keys.push(key);
        return { id: "x", plan: { name: "unlimited", limit: undefined } };
      },
    });
    await app.post(`/jsonRPC${query}`, {}, headers as Record<string, string>);
    expect(keys).toEqual([wanted]);
  });

  it("does not look up keys that are too long", async () => {
    const app = await start();
    expect((await app.ask(`/jsonRPC?api_key=${"k".repeat(256)}`, { method: "POST" })).status).toBe(200);
    expect((await app.ask(`/jsonRPC?api_key=${"k".repeat(257)}`, { method: "POST" })).status).toBe(401);
  });
});

describe("long answers", () => {
  const long = {
    long: defineMethod({
      summary: "Repeats itself.",
      group: "Test",
      params: z.object({}),
      result: z.string().describe("Text."),
      verbs: ["GET"],
      freshness: { kind: "none" },
      examples: [{ params: {}, result: "aaa" }],
    }),
  };
  const longText = "a".repeat(20_000);
  const body = `{"ok":true,"result":"${longText}","@extra":"1700000000:_:0"}`;
  const startLong = () =>
    start({
      registry: long as never,
      implementations: { long: () => longText } as never,
    });
  const bytesOf = async (url: string, accept: string) => {
    const { request } = await import("node:http");
    return new Promise<{ encoding: string | undefined; vary: string | undefined; bytes: Buffer }>(
      (resolve, reject) => {
        request(url, { headers: { "Accept-Encoding": accept } }, async (response) => {
          const bytes = Buffer.concat(await response.toArray());
          resolve({ encoding: response.headers["content-encoding"], vary: response.headers.vary, bytes });
        })
          .on("error", reject)
          .end();
      },
    );
  };

  it.each([
    ["br, gzip", "br"],
    ["gzip;q=1.0, deflate", "gzip"],
    ["gzip, br;q=0", "gzip"],
    ["*", "gzip"],
    ["identity", undefined],
    ["", undefined],
  ])("are compressed as %j allows", async (accept, wanted) => {
    const app = await startLong();
    const { encoding, vary, bytes } = await bytesOf(`${app.url}/api/v2/long`, accept);
    expect([encoding, vary]).toEqual([wanted, "Accept-Encoding"]);
    const plain =
      encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes;
    expect(plain.toString()).toBe(body);
  });
});

describe("the REST form of v3", () => {
  const list = {
    v3: {
      jetton: {
        wallets: defineMethod({
          summary: "Shows what it was asked.",
          group: "Test",
          params: z.object({
            owner: addresses.optional().describe("Owners."),
            name: text.optional().describe("A name."),
            ...page({ initial: 10, max: 1000 }),
          }),
          result: z.unknown().describe("What was asked."),
          verbs: ["GET", "POST"],
          aliases: ["v3.wallets"],
          freshness: { kind: "index" },
          examples: [{ params: {}, result: null }],
        }),
      },
    },
  };
  const startList = () =>
    startApp({
      registry: list,
      implementations: {
        v3: {
          jetton: {
            wallets: ({ owner, name, ...rest }, { options }) => {
              if (name === "broken") throw new TypeError("secret");
              if (name === "gone") throw new ServiceError("unavailable");
              return { ...rest, owner: owner?.map(String), options };
            },
          },
        },
      },
    }).then((app) => {
      onTestFinished(() => app.close());
      return app;
    });
  const plain = { limit: 10, offset: 0, options: {} };

  it("has no envelope, its own version and its timing", async () => {
    const app = await startList();
    const { status, json, headers } = await app.ask(
      `/api/v3/jetton/wallets?Owner=${friendly},${raw}&limit=5`,
    );
    expect([status, json]).toEqual([200, { ...plain, limit: 5, owner: [raw, raw] }]);
    expect(["content-type", "x-api-version", "server-timing"].map((name) => headers.get(name))).toEqual([
      "application/json",
      "1.3.0",
      "app;dur=0.0ms",
    ]);
    expect((await app.ask("/api/v3/wallets")).json).toEqual(plain);
  });

  it("refuses with the texts of v3, over JSON-RPC in the requested envelope", async () => {
    const app = await startList();
    const error = 'failed to decode: schema: error converting value for "Limit" (and 1 other error)';
    const { status, json } = await app.ask("/api/v3/jetton/wallets?Limit=x&offset=y");
    expect([status, json]).toEqual([422, { error }]);
    const call = { jsonrpc: "2.0", id: 1, method: "v3.jetton.wallets", params: { Limit: "x", offset: "y" } };
    expect((await app.post("/api/v2/jsonRPC", call)).json).toEqual({
      ok: false,
      error,
      code: 422,
      "@extra": "1700000000:_:0",
      jsonrpc: "2.0",
      id: 1,
    });
    expect((await app.post("/jsonRPC", call)).json).toEqual({
      jsonrpc: "2.0",
      id: 1,
      ok: false,
      error: {
        code: -32602,
        message: error,
        data: {
          ...{ code: 422, kind: "invalid-params", param: "limit" },
          refused: [
            { param: "limit", wanted: "an integer from 1 to 1000", given: "x" },
            { param: "offset", wanted: "an integer from -2147483648 to 2147483647", given: "y" },
          ],
        },
      },
    });
  });

  it("words defects and outages its own way", async () => {
    const app = await startList();
    const broken = await app.ask("/api/v3/jetton/wallets?name=broken");
    expect([broken.status, broken.json, broken.headers.get("x-request-id")]).toEqual([
      500,
      { error: "internal server error" },
      "request-1",
    ]);
    const gone = await app.ask("/api/v3/jetton/wallets?name=gone");
    expect([gone.status, gone.json, gone.headers.get("retry-after")]).toEqual([
      503,
      { error: "database is not available" },
      "1",
    ]);
    const call = { jsonrpc: "2.0", id: 1, method: "v3.jetton.wallets", params: { name: "broken" } };
    expect((await app.post("/jsonRPC", call)).json).toMatchObject({
      error: { code: -32603, message: "internal server error" },
    });
  });

  it.each([
    [
      "?x_timeout=500&x_no_address_book=true&x_no_metadata=1",
      {},
      { timeoutMs: 500, noAddressBook: true, noMetadata: true },
    ],
    [
      "",
      { "X-Timeout": "9999", "X-No-Metadata": "T", "X-Actions-Version": "v2" },
      { timeoutMs: 3000, noMetadata: true, actionsVersion: "v2" },
    ],
    ["?x_timeout=0&x_no_metadata=maybe", { "X-Timeout": "-5" }, {}],
    ["?X_timeout=5&x_no_metadata=true", { "X-No-Metadata": "false" }, {}],
  ])("reads the options %s %j", async (query, headers, options) => {
    const app = await startList();
    const { json } = await app.ask(`/api/v3/jetton/wallets${query}`, { headers: headers as HeadersInit });
    expect(json).toEqual({ ...plain, options });
    const call = { jsonrpc: "2.0", id: 1, method: "v3.jetton.wallets" };
    const overRpc = await app.post(`/jsonRPC${query}`, [call], headers as Record<string, string>);
    expect(overRpc.json).toMatchObject([{ result: { options } }]);
  });

  it("takes the longest lists in a query", async () => {
    const app = await startList();
    const listed = Array.from({ length: 1024 }, (_, i) => `0:${String(i).padStart(64, "0")}`);
    const query = listed.map((each) => `owner%5B%5D=${encodeURIComponent(each)}`).join("&");
    expect((await app.ask(`/api/v3/jetton/wallets?${query}`)).json).toEqual({ ...plain, owner: listed });
    const longer = await app.ask(`/api/v3/jetton/wallets?${query}&name=${"x".repeat(40_000)}`);
    const error = "request is too large: at most 122880 bytes of URL";
    expect([longer.status, longer.json]).toEqual([413, { error }]);
  });

  it("takes bodies of JSON only", async () => {
    const app = await startList();
    for (const type of [
      "application/json",
      "text/json",
      "text/x-json; charset=utf-8",
      "application/problem+json",
    ]) {
      const { json } = await app.post("/api/v3/jetton/wallets", { limit: "7" }, { "Content-Type": type });
      expect(json).toEqual({ ...plain, limit: 7 });
    }
    for (const headers of [{ "Content-Type": "text/plain" }, { "Content-Type": "text/plain; json" }, {}]) {
      const body = new TextEncoder().encode("{}");
      const { status, json } = await app.ask("/api/v3/jetton/wallets", { method: "POST", headers, body });
      expect([status, json]).toEqual([422, { error: "Unprocessable Entity" }]);
    }
    const broken = await app.post("/api/v3/jetton/wallets", "{");
    expect([broken.status, Object.keys(broken.json as object)]).toEqual([422, ["error"]]);
    expect((broken.json as { error: string }).error).toMatch(/JSON/);
    const verb = await app.ask("/api/v3/jetton/wallets", { method: "PUT" });
    expect([verb.status, verb.json]).toEqual([405, { error: "Method Not Allowed" }]);
  });
});
