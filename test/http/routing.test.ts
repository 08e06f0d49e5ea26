import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Health } from "../../server/observe/health.js";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../helpers/http/app.js";

const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const packed = { ok: true, result: friendly, "@extra": "1700000000:_:0" };

describe("routes", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({
      registry: plainRegistry,
      implementations: plainImplementations,
      pages: (router) => {
        router.get("/api/v2{/}", (context) => {
          context.body = "<!doctype html><title>Reference</title>";
        });
      },
    });
  });
  afterAll(() => app.close());
  const ask = async (path: string, init?: RequestInit) => {
    const { status, json } = await app.ask(path, init);
    return [status, json];
  };

  it("answers the whole envelope with the head of every answer", async () => {
    const { status, headers, json } = await app.ask(`/api/v2/packAddress?address=${raw}`);
    expect([status, json]).toEqual([200, packed]);
    const { date, ...rest } = Object.fromEntries(headers);
    expect(date).toBeDefined();
    expect(rest).toEqual({
      "access-control-allow-origin": "*",
      "access-control-expose-headers":
        "Retry-After, X-API-Version, RateLimit, RateLimit-Policy, Server-Timing, X-Executor-Version, X-Network-Version, X-Ignored-Params, X-Index-Gaps, X-Index-Seqno, X-Next-Cursor, X-Not-Executed, X-Request-Id",
      "cache-control": "no-store",
      connection: "keep-alive",
      "content-length": "97",
      "content-type": "application/json; charset=utf-8",
      "keep-alive": "timeout=75",
      "x-api-version": "2.2.7",
      "x-content-type-options": "nosniff",
    });
  });

  it("ignores one slash at the end of a path", async () => {
    expect(await ask(`/api/v2/packAddress/?address=${raw}`)).toEqual([200, packed]);
    expect((await ask(`/api/v2/packAddress//?address=${raw}`))[0]).toBe(404);
  });

  it("lets the last of repeated values count, and the body win over the query", async () => {
    expect(await ask(`/api/v2/packAddress?address=x&address=${raw}`)).toEqual([200, packed]);
    const post = { method: "POST", headers: { "Content-Type": "application/json" } };
    const body = JSON.stringify({ address: raw });
    expect(await ask("/api/v2/packAddress?address=x", { ...post, body })).toEqual([200, packed]);
    expect(await ask(`/api/v2/packAddress?address=${raw}`, post)).toEqual([200, packed]);
    expect(await ask(`/api/v2/packAddress?address=${raw}`, { ...post, body: "{}" })).toEqual([200, packed]);
  });

  it("reads names of v2 in their exact case", async () => {
    expect((await ask(`/api/v2/packAddress?Address=${raw}`))[0]).toBe(422);
    expect((await ask(`/api/v2/packaddress?address=${raw}`))[0]).toBe(404);
  });

  it("decodes escapes, and leaves broken ones unchanged", async () => {
    expect(await ask(`/api/v2/packAddress?address=${raw.replace(":", "%3A")}`)).toEqual([200, packed]);
    expect(await ask("/api/v2/packAddress?address=%zz+%")).toEqual([
      422,
      {
        ok: false,
        error: "failed to parse get request: Failed to parse ton_addr: '%zz %'",
        code: 422,
        "@extra": "1700000000:_:0",
      },
    ]);
  });

  it("answers HEAD like GET without the body", async () => {
    const { status, headers, text } = await app.ask(`/api/v2/packAddress?address=${raw}`, { method: "HEAD" });
    expect([status, headers.get("content-length"), text]).toEqual([200, "97", ""]);
  });

  it.each(["/api/v2/packAddress", "/api/v3/anything", "/jsonRPC", "/nowhere", "/"])(
    "answers a preflight on %s",
    async (path) => {
      const { status, headers, text } = await app.ask(path, { method: "OPTIONS" });
      expect([status, text]).toEqual([204, ""]);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-methods")).toBe("GET, POST, OPTIONS");
      expect(headers.get("access-control-allow-headers")).toBe(
        "Content-Type, X-API-Key, X-Ton-Client-Version, X-Actions-Version, X-Timeout, X-No-Address-Book, " +
          "X-No-Metadata, X-Index-Seqno, X-Debug-Request, Authorization, Cache-Control",
      );
      expect(headers.get("access-control-max-age")).toBe("86400");
      expect(headers.get("x-api-version")).toBe(path.startsWith("/api/v3") ? "1.3.0" : "2.2.7");
    },
  );

  it("allows the headers that a preflight names", async () => {
    const names = "content-type,x-app-origin,x-app-version";
    const { status, headers } = await app.ask("/api/v3/accountStates", {
      method: "OPTIONS",
      headers: { Origin: "https://wallet.example", "Access-Control-Request-Headers": names },
    });
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-headers")).toBe(names);
    expect(headers.get("vary")).toBe("Access-Control-Request-Headers");
  });

  it.each(["/api/v2/nope", "/api/v2/packAddress/x", "/nope", "/api/v2/rpc.ping", "/api/v2/%70ackAddress"])(
    "answers 404 for %s",
    async (path) => {
      expect(await ask(path)).toEqual([404, { ok: false, error: "Not Found", code: 404, "@extra": "_" }]);
    },
  );

  it("reports that in the words of v3 below its prefix", async () => {
    const { status, json, headers } = await app.ask("/api/v3/xyz?a=b");
    expect([status, json]).toEqual([404, { error: "Cannot GET /api/v3/xyz" }]);
    expect(headers.get("x-api-version")).toBe("1.3.0");
  });

  it.each([
    ["/api/v2/packAddress", "DELETE", "GET, POST, HEAD, OPTIONS"],
    ["/healthcheck", "POST", "GET, HEAD, OPTIONS"],
    ["/api/v2/", "POST", "HEAD, GET, OPTIONS"],
  ])("refuses a wrong verb on %s: %s", async (path, method, allow) => {
    const { status, json, headers } = await app.ask(path, { method });
    expect([status, json]).toEqual([
      405,
      { ok: false, error: "Method Not Allowed", code: 405, "@extra": "_" },
    ]);
    expect(headers.get("allow")).toBe(allow);
  });

  it("GET on a JSON-RPC path is refused in the form of that path", async () => {
    const { status, json, headers } = await app.ask("/api/v2/jsonRPC");
    expect([status, json]).toEqual([
      405,
      { ok: false, error: "method GET is not supported", code: 405, "@extra": "_" },
    ]);
    expect(headers.get("allow")).toBe("POST, OPTIONS");
    expect(await ask("/jsonRPC")).toEqual([
      405,
      {
        jsonrpc: "2.0",
        id: null,
        ok: false,
        error: {
          code: -32600,
          message: "method GET is not supported",
          data: { code: 405, kind: "wrong-verb" },
        },
      },
    ]);
  });

  it("lets the router serve documents, with the same headers", async () => {
    const { status, text, headers } = await app.ask("/api/v2/");
    expect([status, text]).toEqual([200, "<!doctype html><title>Reference</title>"]);
    expect(headers.get("x-api-version")).toBe("2.2.7");
    expect(headers.get("access-control-allow-origin")).toBe("*");
  });

  it("limits the length of the URL", async () => {
    expect(await ask(`/api/v2/packAddress?address=${"x".repeat(8192)}`)).toEqual([
      413,
      {
        ok: false,
        error: "request is too large: at most 8192 bytes of URL",
        code: 413,
        "@extra": "_",
      },
    ]);
  });

  it("takes the absolute form of a request line", async () => {
    const { port } = new URL(app.url);
    const status = await new Promise((resolve, reject) => {
      const path = `http://any.example/api/v2/packAddress?address=${raw}`;
      httpRequest({ port, host: "127.0.0.1", path }, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
  });
});

describe("health", () => {
  it("answers OK as text and as JSON", async () => {
    const app = await startApp({ registry: plainRegistry, implementations: plainImplementations });
    onTestFinished(() => app.close());
    const { status, text, headers } = await app.ask("/healthcheck");
    expect([status, text, headers.get("content-type")]).toEqual([200, "OK", "text/plain; charset=utf-8"]);
    const asJson = await app.ask("/api/v2/healthcheck");
    expect([asJson.status, asJson.text]).toEqual([200, '"OK"']);
  });

  it("has the reason and Retry-After while not ready", async () => {
    const app = await startApp({
      registry: plainRegistry,
      implementations: plainImplementations,
      health: new Health(),
    });
    onTestFinished(() => app.close());
    const { status, text, headers } = await app.ask("/healthcheck");
    expect([status, text, headers.get("retry-after")]).toEqual([503, "Service is starting", "1"]);
    const asJson = await app.ask("/api/v2/healthcheck");
    expect([asJson.status, asJson.json, asJson.headers.get("retry-after")]).toEqual([
      503,
      { ok: false, error: "Service is starting", code: 503, "@extra": "_" },
      "1",
    ]);
  });
});
