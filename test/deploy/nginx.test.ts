import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { balancer, scaledBalancer } from "../helpers/deploy/deployed-files.js";
import { haveNginx, type Nginx, startNginx } from "../helpers/deploy/nginx.js";
import { isLong } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { RawEventStream } from "../helpers/http/event-stream.js";
import { openSocket } from "../helpers/http/socket.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { startService, type TestService } from "../helpers/services/service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { until } from "../helpers/until.js";

if (!haveNginx) console.warn("Tests of the nginx configuration are skipped: install nginx.");

type Server = Pick<TestService, "url">;

const configured =
  (services: readonly Server[], configuration = balancer()) =>
  (port: number) => {
    const hosts = services.map(({ url }) => new URL(url).host);
    return configuration
      .replace("listen 8080;", `listen 127.0.0.1:${port};`)
      .replace(
        /server api-(\d):8081/g,
        (_, number) => `server ${hosts[(Number(number) - 1) % hosts.length]}`,
      );
  };

/** A server that notes the block of the index that its callers have seen, and answers from another one. */
async function startSeer(): Promise<{ url: string; seen: (string | undefined)[] }> {
  const seen: (string | undefined)[] = [];
  const server = createServer(({ headers, url }, response) => {
    if (url !== "/healthcheck") seen.push(headers["x-index-seqno"] as string | undefined);
    response.setHeader("X-Index-Seqno", "70").end("{}");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const someCall = "/api/v2/getMasterchainInfo";
const someone = `0:${"3".repeat(64)}`;

describe.runIf(haveNginx)("nginx with the configuration", () => {
  let service: DevnetService;
  let url: string;
  let nginx: Nginx;

  beforeAll(async () => {
    service = await sharedService("indexed");
    nginx = await startNginx(configured([service]));
    url = nginx.url;
    await streamsReady(service);
  });
  afterAll(async () => {
    await nginx?.stop();
    await service?.close();
  });

  const post = async (body: unknown) => {
    const answer = await fetch(`${url}/jsonRPC`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": service.key },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const call = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

  it("passes calls on, and bodies up to the limit of the service", async () => {
    expect(await post(call("rpc.ping"))).toMatchObject({ result: "pong" });
    const long = { ...call("rpc.ping"), more: "x".repeat(900_000) };
    expect(await post(long)).toMatchObject({ result: "pong" });
    const tooLong = await fetch(`${url}/jsonRPC`, { method: "POST", body: "x".repeat(1_100_000) });
    expect(tooLong.status).toBe(413);
  });

  it("carries a WebSocket with its calls and subscriptions", async () => {
    const socket = await openSocket(url, { headers: { "X-API-Key": service.key } });
    socket.send(call("subscribe", { kind: "blocks" }));
    expect(await socket.next()).toMatchObject({ id: 1, result: { subscription: expect.any(String) } });
    await service.mine();
    expect(await socket.next()).toMatchObject({ method: "subscription" });
    socket.close();
  });

  it("hands events on as they come", async () => {
    const request = { types: ["account_state_change"], addresses: [someone], min_finality: "finalized" };
    // Limits that clients set for themselves do not count.
    const headers = { "Content-Type": "application/json", "X-Max-Subscribed-Addr": "0" };
    const stream = RawEventStream.open(url, request, { key: service.key, headers });
    expect(await stream.head()).toMatch(/^HTTP\/1.1 200 [\s\S]*text\/event-stream/);
    await service.run("devnet.faucet", { address: someone, amount: "1000000000" });
    await service.mine();
    await stream.event("the change", ({ type }) => type === "account_state_change");
    stream.close();
  });

  it("passes on the block of the index that a caller has seen, and the one of the answer", async () => {
    const seer = await startSeer();
    const before = await startNginx(configured([seer]));
    onTestFinished(() => before.stop());
    const asks: RequestInit[] = [{}, { headers: { "X-Index-Seqno": "68" } }, { method: "POST", body: "{}" }];
    for (const init of asks) {
      const { headers } = await fetch(`${before.url}/api/v3/blocks`, init);
      expect(headers.get("X-Index-Seqno")).toBe("70");
    }
    expect(seer.seen).toEqual([undefined, "68", undefined]);
    const answer = await fetch(`${url}/api/v3/masterchainInfo`, { headers: { "X-API-Key": service.key } });
    expect(answer.headers.get("X-Index-Seqno")).toMatch(/^\d+$/);
  });

  it("names the address of the client, regardless of the client's headers", async () => {
    const limited = await startService({ trustProxy: { hops: 1 } });
    onTestFinished(() => limited.close());
    const before = await startNginx(configured([limited]));
    onTestFinished(() => before.stop());
    // All of them are from 127.0.0.1, so they share its points.
    const forged = Array.from({ length: 20 }, (_, i) =>
      fetch(`${before.url}${someCall}`, { headers: { "X-Forwarded-For": `203.0.113.${i}` } }),
    );
    expect((await Promise.all(forged)).map(({ status }) => status)).toContain(429);
  });
});

describe.runIf(haveNginx)("nginx with the configuration for scale", () => {
  it("balances calls among the further processes too", async () => {
    const seers = await Promise.all([startSeer(), startSeer(), startSeer(), startSeer()]);
    const nginx = await startNginx(configured(seers, scaledBalancer()));
    onTestFinished(() => nginx.stop());
    for (let calls = 0; calls < 40; calls++) await fetch(`${nginx.url}/api/v3/blocks`);
    expect(seers.map(({ seen }) => seen.length > 0)).toEqual([true, true, true, true]);
    expect(seers.reduce((sum, { seen }) => sum + seen.length, 0)).toBe(40);
  });
});

describe.runIf(haveNginx)("nginx before a process that hangs", () => {
  /** Accepts connections and requests, and answers none. */
  async function startSilent() {
    const asked: string[] = [];
    const server = createServer(({ method, url }) => void asked.push(`${method} ${url}`));
    server.on("upgrade", ({ url }) => void asked.push(`upgrade ${url}`)).listen(0, "127.0.0.1");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, "listening");
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  it("asks the other one for reads, and ends POST in 504 and streams much later", async () => {
    const silent = await startSilent();
    const seer = await startSeer();
    const [perCall, shorter] = ["proxy_read_timeout 12s;", "proxy_read_timeout 600ms;"];
    expect(balancer().split(perCall)).toHaveLength(2);
    // Each is asked in turn, although the silent one has failed.
    const configuration = balancer()
      .replace(perCall, shorter)
      .replaceAll("max_fails=2", "max_fails=0")
      .replaceAll("least_conn;", "");
    const nginx = await startNginx(configured([silent, seer], configuration));
    onTestFinished(() => nginx.stop());
    let isStreamOver = false;
    const { hostname, port } = new URL(nginx.url);
    const stream = connect(Number(port), hostname);
    onTestFinished(() => void stream.destroy());
    stream.on("close", () => {
      isStreamOver = true;
    });
    await until("a stream to the silent one", () => {
      if (silent.asked.some((each) => each.startsWith("upgrade"))) return true;
      stream.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n");
      return false;
    });
    const ask = async (init?: RequestInit) => (await fetch(`${nginx.url}/api/v3/blocks`, init)).status;
    const isAsked = (what: string) => silent.asked.includes(what);
    await until("a read of the silent one", async () => {
      expect(await ask()).toBe(200);
      return isAsked("GET /api/v3/blocks");
    });
    const posted = await until("a call of the silent one", async () => {
      const status = await ask({ method: "POST", body: "{}" });
      return isAsked("POST /api/v3/blocks") && status;
    });
    expect(posted).toBe(504);
    expect(isStreamOver).toBe(false);
  });
});

describe.runIf(haveNginx)("nginx before a process that has lost the index and one that has it", () => {
  async function startLost(): Promise<TestService> {
    const databaseUrl = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
    const lost = await startService({ index: true, databaseUrl, adminPort: await freePort() });
    onTestFinished(() => lost.close());
    return lost;
  }

  /** Both behind nginx, and the answers of calls through it. */
  async function startBefore(lost: TestService, well: TestService) {
    const nginx = await startNginx(configured([lost, well]));
    onTestFinished(() => nginx.stop());
    const headers = { "X-API-Key": well.key, "Content-Type": "application/json" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "v3.blocks", params: { limit: 1 } });
    const asks: Record<string, RequestInit> = {
      "/api/v3/blocks?limit=1": {},
      "/jsonRPC": { method: "POST", body },
      "/api/v2/jsonRPC": { method: "POST", body },
    };
    const askAll = async () => {
      const found = new Set<string>();
      for (let round = 0; round < 10; round++)
        for (const [path, init] of Object.entries(asks)) {
          const answer = await fetch(nginx.url + path, { ...init, headers });
          found.add(
            `${answer.status} ${/database is not available|"blocks":\[\{/.exec(await answer.text())}`,
          );
          expect(answer.headers.get("X-Accel-Redirect")).toBe(null);
        }
      return [...found];
    };
    return { nginx, headers, askAll };
  }

  it("retries unexecuted calls at the other one, POST as well, and sees them by a mark", async () => {
    const lost = await startLost();
    const well = await sharedService("indexed");
    onTestFinished(() => well.close());
    const { askAll } = await startBefore(lost, well);
    expect(await askAll()).toEqual(['200 "blocks":[{']);
    // Both have been asked.
    const metrics = await (await fetch(`${lost.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^tonwire_calls_total\{method="v3\.blocks",outcome="unavailable"\} [1-9]/m);

    const marks = async (path: string, init: RequestInit = {}) => {
      const { headers } = await fetch(lost.url + path, {
        ...init,
        headers: { "X-API-Key": lost.key, "Content-Type": "application/json", ...init.headers },
      });
      return [headers.get("X-Not-Executed"), headers.get("X-Accel-Redirect")];
    };
    const sentBack = { "X-Refused-To": "@elsewhere" };
    expect(await marks("/api/v3/blocks")).toEqual(["1", null]);
    expect(await marks("/api/v3/blocks", { headers: sentBack })).toEqual(["1", "@elsewhere"]);
    expect(await marks("/api/v3/blocks", { headers: { "X-Refused-To": "@inside" } })).toEqual(["1", null]);
    expect(await marks("/api/v3/blocks?limit=x", { headers: sentBack })).toEqual([null, null]);
    // A call with an effect.
    const create = JSON.stringify({ url: "http://127.0.0.1:1/", kind: "blocks" });
    const effect = { method: "POST", body: create, headers: sentBack };
    expect(await marks("/api/v3/webhooks/create", effect)).toEqual([null, null]);
  });

  it.runIf(isLong)("calls both once addresses are new", async () => {
    const lost = await startLost();
    const startWell = async () => {
      const service = await startService({ index: true });
      onTestFinished(() => service.close());
      await untilIndexed(service, 1);
      return service;
    };
    const well = await startWell();
    const { nginx, headers, askAll } = await startBefore(lost, well);
    expect(await askAll()).toEqual(['200 "blocks":[{']);
    // nginx has resolved the names of its servers at its start.
    await well.close();
    for (const each of await askAll()) expect(each).toMatch(/^(503 database is not available|502 null)$/);
    nginx.reload(configured([lost, await startWell()]));
    await until("the new address", async () => {
      const answer = await fetch(`${nginx.url}/api/v3/blocks?limit=1`, { headers });
      return answer.status === 200;
    });
  });
});
