import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type * as Tonwire from "../../client/index.js";
import type * as Watch from "../../client/watch/index.js";
import { haveChromium, openPage, sharedChromium, type WatchedPage } from "../helpers/peers/browser.js";
import { pageBundle } from "../helpers/peers/page-bundle.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

// The client in a real page of another origin than the service's, like a third-party application.

declare const tonwire: typeof Tonwire & Pick<typeof Watch, "watch">;

const raw = (n: number) => `0:${String(n).padStart(64, "0")}`;

const sources = `export * from "./index.ts";
  export { watch } from "./watch/index.ts";`;

/** A page with only the client. */
async function servePage(): Promise<Server> {
  const script = await pageBundle(sources, { minify: true });
  const server = createServer((request, response) => {
    // This request is never answered.
    if (request.url === "/silence") return;
    const asked = request.url === "/client.js";
    response.writeHead(200, { "Content-Type": asked ? "text/javascript" : "text/html" });
    response.end(
      asked ? script : '<!doctype html><link rel="icon" href="data:,"><script src="/client.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

describe.skipIf(!haveChromium())("the client in Chromium", () => {
  let service: DevnetService;
  let server: Server;
  let watched: WatchedPage;
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeAll(async () => {
    [service, server] = await Promise.all([sharedService("empty"), servePage()]);
  });
  afterAll(async () => {
    server?.close();
    await service?.close();
  });
  beforeEach(async () => {
    watched = await openPage(await sharedChromium(), origin(), 800);
    await watched.page.goto(origin());
    expect(await watched.page.evaluate(() => [typeof globalThis.Buffer, typeof globalThis.process])).toEqual([
      "undefined",
      "undefined",
    ]);
  });
  afterEach(async () => {
    await watched.page.context().close();
  });

  it("shows errors by their names, with the lines that awaited their calls", async () => {
    const logged = watched.page.waitForEvent("console", (message) => message.type() === "error");
    const shown = await watched.page.evaluate(
      async ({ url, apiKey }) => {
        const client = tonwire.createClient({ transport: tonwire.http(url), apiKey });
        async function asking() {
          return await client.getAddressBalance({ address: "wrong" });
        }
        const error = await asking().catch((thrown) => thrown);
        client.close();
        console.error(error);
        return [String(error), error.stack];
      },
      { url: `${service.url}/jsonRPC`, apiKey: service.key },
    );
    for (const text of [...shown, (await logged).text()])
      expect(text).toMatch(
        /^RpcError: address must be an address in .*, not "wrong"\n\nMethod: getAddressBalance\n/,
      );
    expect(shown[1]).toMatch(/\n {4}at async asking /);
  });

  it("batches a hundred cross-origin reads into two requests after one preflight", async () => {
    const requests: string[] = [];
    watched.page.on("request", (request) => requests.push(request.method()));
    const answers = await watched.page.evaluate(
      async ({ url, apiKey, addresses }) => {
        const client = tonwire.createClient({ transport: tonwire.http(url), apiKey });
        const packed = await Promise.all(addresses.map((address) => client.packAddress({ address })));
        const unpacked = await Promise.all(packed.map((address) => client.unpackAddress({ address })));
        client.close();
        return unpacked;
      },
      {
        url: `${service.url}/jsonRPC`,
        apiKey: service.key,
        addresses: Array.from({ length: 100 }, (_, n) => raw(n)),
      },
    );
    expect(answers).toEqual(Array.from({ length: 100 }, (_, n) => raw(n)));
    expect(requests.filter((method) => method === "POST")).toHaveLength(4);
    expect(watched.complaints).toEqual([]);
  });

  it("batches over one connection of the browser's WebSocket, and reads the head of the chain", async () => {
    let sockets = 0;
    watched.page.on("websocket", () => sockets++);
    const seen = await watched.page.evaluate(
      async ({ url, apiKey, addresses }) => {
        const client = tonwire.createClient({ transport: tonwire.webSocket(url), apiKey });
        const [head, ...balances] = await Promise.all([
          client.getMasterchainInfo(),
          ...addresses.map((address) => client.getAddressBalance({ address })),
        ]);
        client.close();
        return {
          seqno: head.last.seqno,
          total: String(balances.reduce((sum, each) => sum + tonwire.nano(each), 0n)),
        };
      },
      {
        url: `${service.url}/jsonRPC`,
        apiKey: service.key,
        addresses: Array.from({ length: 60 }, (_, n) => raw(n)),
      },
    );
    expect(seen).toEqual({ seqno: expect.any(Number), total: "0" });
    expect(sockets).toBe(1);
    expect(watched.complaints).toEqual([]);
  });

  it("parses streamed answers, errors of both dialects and refusals", async () => {
    const seen = await watched.page.evaluate(
      async ({ service: base, apiKey, addresses }) => {
        const codes: unknown[] = [];
        const clients = ["/jsonRPC", "/api/v2/jsonRPC"].map((path) =>
          tonwire.createClient({ transport: tonwire.http(base + path, { stream: true }), apiKey }),
        );
        for (const client of clients) {
          const packed = await Promise.all(addresses.map((address) => client.packAddress({ address })));
          codes.push(packed.length);
          await client
            .detectHash({ hash: "no hash" })
            .catch((error) => codes.push([error.code, error.status]));
        }
        const stranger = tonwire.createClient({
          transport: tonwire.http(`${base}/jsonRPC`),
          apiKey: "nobody's",
        });
        await stranger.rpc
          .ping()
          .catch((error) => codes.push([error.code, error.status, error instanceof tonwire.RpcError]));
        const lost = tonwire.createClient({
          transport: tonwire.http("http://127.0.0.1:9/"),
          retry: { tries: 1, baseMs: 1 },
        });
        await lost.rpc.ping().catch((error) => codes.push(error.code));
        for (const client of [...clients, stranger, lost]) client.close();
        return codes;
      },
      { service: service.url, apiKey: service.key, addresses: Array.from({ length: 30 }, (_, n) => raw(n)) },
    );
    expect(seen).toEqual([
      30,
      ["invalid-params", 422],
      30,
      ["invalid-params", 422],
      ["unknown-key", 401, true],
      "network",
    ]);
  });

  it("stops to watch with a key that the service refuses, and goes on after a lost connection", async () => {
    let sockets = 0;
    watched.page.on("websocket", () => sockets++);
    const requests: string[] = [];
    watched.page.on("request", (request) => requests.push(request.method()));
    const seen = await watched.page.evaluate(
      async ({ url, dead }) => {
        const { createClient, watch, webSocket } = tonwire;
        const options = { apiKey: "nobody's", retry: false } as const;
        const stranger = createClient({ transport: webSocket(url), ...options });
        const refused = await watch(stranger)
          .blocks()
          .next()
          .catch((error) => [error.code, error.status, error.endpoint]);
        stranger.close();
        // No server listens there; that may change.
        const lost = createClient({
          transport: webSocket(dead, { reconnect: { baseMs: 1, maxMs: 1 } }),
          ...options,
        });
        const controller = new AbortController();
        let attempts = 0;
        const random = () => {
          if (++attempts === 3) controller.abort();
          return 0;
        };
        const left = await watch(lost, { random })
          .blocks({ signal: controller.signal })
          .next()
          .catch((error) => error.code);
        lost.close();
        return { refused, left };
      },
      { url: `${service.url}/jsonRPC`, dead: "http://127.0.0.1:9/jsonRPC" },
    );
    expect(seen).toEqual({ refused: ["unknown-key", 401, `${service.url}/jsonRPC`], left: "aborted" });
    // One request for each connection that was refused, without asking first whether it may.
    expect(requests.filter((method) => method !== "POST")).toEqual([]);
    expect(sockets).toBeGreaterThan(0);
    expect(requests.length).toBeLessThanOrEqual(sockets);
  });

  it("aborts, times out, falls back, and accepts relative URLs of the page's origin", async () => {
    const gaveUp = watched.page.waitForEvent("requestfailed", (request) =>
      request.url().endsWith("/silence"),
    );
    const seen = await watched.page.evaluate(
      async ({ base, dead, apiKey }) => {
        const { createClient, fallback, http } = tonwire;
        const client = createClient({ transport: fallback([http(dead), http(`${base}/jsonRPC`)]), apiKey });
        const answer = await client.rpc.ping();
        const aborted = await client
          .getMasterchainInfo({}, { signal: AbortSignal.abort() })
          .catch((error) => error.code);
        client.close();
        const closed = await client.rpc.ping().catch((error) => error.code);
        const own = createClient({ transport: http("/nothing"), retry: false });
        const relative = await own.rpc.ping().catch((error) => error.code);
        const silent = createClient({ transport: http("/silence") });
        const controller = new AbortController();
        const left = silent.rpc.ping({}, { signal: controller.signal }).catch((error) => error.code);
        const late = silent.getMasterchainInfo({}, { timeoutMs: 50 }).catch((error) => error.code);
        await late;
        controller.abort();
        return { answer, aborted, closed, relative, late: await late, left: await left };
      },
      { base: service.url, dead: "http://127.0.0.1:9/jsonRPC", apiKey: service.key },
    );
    expect(seen).toEqual({
      answer: "pong",
      aborted: "aborted",
      closed: "closed",
      relative: "bad-answer",
      late: "timeout",
      left: "aborted",
    });
    expect((await gaveUp).failure()?.errorText).toBe("net::ERR_ABORTED");
  });
});
