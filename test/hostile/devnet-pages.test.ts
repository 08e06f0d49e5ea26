import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isForOwner } from "../../shared/methods/define.js";
import { devnetMethods } from "../../shared/methods/devnet.js";
import { freePort } from "../helpers/free-port.js";
import { openSocket } from "../helpers/http/socket.js";
import { startService, type TestService } from "../helpers/services/service.js";

// A devnet listens on loopback, where every page of a developer's browser can reach it. Such a page may read, as
// from TON Center, but not change the chain: that takes an API key, or a caller on this machine.

let service: TestService;
let port: string;
beforeAll(async () => {
  service = await startService({ adminPort: await freePort(), anonymousRps: "unlimited" });
  ({ port } = new URL(service.url));
});
afterAll(() => service.close());

type Headers = Readonly<Record<string, string>>;
type Reply = { status: number; json: unknown };

/** Posts as browsers and tools do: with any Host and Origin, and no key unless `headers` have one. */
function post(path: string, body: unknown, headers: Headers = {}, host = "127.0.0.1"): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, method: "POST", headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode!, json: JSON.parse(text) });
    });
    sent.on("error", reject).end(JSON.stringify(body));
  });
}

/** The policy of the caller's plan, if it has a limit. */
function policyOf({ url }: TestService, headers: Headers): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v2/getMasterchainInfo`, { headers }, (response) => {
      response.resume();
      resolve(response.headers["ratelimit-policy"] as string | undefined);
    });
    sent.on("error", reject).end();
  });
}

const call = (method: string, params: unknown = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const mine = call("devnet.mine");
const mined = { jsonrpc: "2.0", id: 1, ok: true, result: expect.objectContaining({ mined: 1 }) };
const json = { "Content-Type": "application/json" };

const refusal = (reason: string, method = "devnet.mine") => ({
  jsonrpc: "2.0",
  id: 1,
  ok: false,
  error: {
    code: -32000,
    message: `${method} needs an API key for this request: ${reason}`,
    data: { code: 403, kind: "forbidden" },
  },
});

const head = async () => {
  const { json: answer } = await post("/jsonRPC", call("getMasterchainInfo"), json);
  return (answer as { result: { last: { seqno: number } } }).result.last.seqno;
};

/** Headers by which proxies and networks are known; no address in them makes a request local. */
const proxyHeaders: Headers = {
  "X-Forwarded-For": "127.0.0.1, 203.0.113.7",
  "X-FORWARDED-FOR": "::1",
  "x-forwarded-for": "",
  "X-Forwarded-Host": "localhost",
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Port": "443",
  "X-Forwarded-Server": "localhost",
  "X-Forwarded-Prefix": "/devnet",
  "X-Forwarded": "for=127.0.0.1",
  "X-Original-Forwarded-For": "127.0.0.1",
  "Forwarded-For": "127.0.0.1",
  Forwarded: "for=127.0.0.1;host=localhost;proto=http",
  Via: "1.1 localhost",
  "X-Real-IP": "127.0.0.1",
  "X-Client-IP": "127.0.0.1",
  "Client-IP": "127.0.0.1",
  "X-Cluster-Client-IP": "127.0.0.1",
  "True-Client-IP": "127.0.0.1",
  "Fastly-Client-IP": "127.0.0.1",
  "Fly-Client-IP": "127.0.0.1",
  "X-ProxyUser-IP": "127.0.0.1",
  "CF-Connecting-IP": "127.0.0.1",
  "CF-Connecting-IPv6": "::1",
  "CF-Ray": "230b030023ae2822-SJC",
  "CF-Visitor": '{"scheme":"https"}',
  "CF-IPCountry": "XX",
  "CDN-Loop": "localhost",
  "Proxy-Connection": "keep-alive",
};

type Sender = [title: string, headers: () => Headers, reason: () => string];

const foreign: Sender[] = [
  [
    "a page of another site",
    () => ({ ...json, Origin: "https://evil.example" }),
    () => "its Origin is https://evil.example",
  ],
  // Pages send these without a preflight.
  ...["text/plain", "application/x-www-form-urlencoded", undefined].map(
    (type): Sender => [
      `a page of another site that sends ${type ?? "no content type"}`,
      () => ({ Origin: "https://evil.example", ...(type && { "Content-Type": type }) }),
      () => "its Origin is https://evil.example",
    ],
  ),
  ["a sandboxed frame or a file", () => ({ ...json, Origin: "null" }), () => "its Origin is null"],
  [
    "a site whose name begins like loopback",
    () => ({ ...json, Origin: "http://localhost.evil.example" }),
    () => "its Origin is http://localhost.evil.example",
  ],
  [
    "a page whose name was rebound to loopback",
    () => ({ ...json, Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` }),
    () => `its Host is evil.example:${port}`,
  ],
  [
    "two origins",
    () => ({ ...json, Origin: "http://localhost:5173, https://evil.example" }),
    () => "its Origin is http://localhost:5173, https://evil.example",
  ],
  ...Object.entries(proxyHeaders).map(
    ([name, value]): Sender => [
      `what a proxy on this machine passes on with ${name}: ${value}`,
      () => ({ ...json, Host: `localhost:${port}`, [name]: value }),
      () => `a proxy added the header ${name.toLowerCase()}`,
    ],
  ),
];

/** All of them, but a single one of the many headers. */
const kinds = foreign.slice(0, 1 - Object.keys(proxyHeaders).length);

describe("a request that may not change the devnet", () => {
  it.each(foreign)("%s: strict and TON Center's dialect", async (_, headers, reason) => {
    const before = await head();
    expect(await post("/jsonRPC", mine, headers())).toEqual({ status: 200, json: refusal(reason()) });
    for (const path of ["/api/v2/jsonRPC", "/"]) {
      const { status, json: answer } = await post(path, mine, headers());
      const error = `devnet.mine needs an API key for this request: ${reason()}`;
      expect([status, answer]).toEqual([403, expect.objectContaining({ ok: false, error, code: 403 })]);
    }
    expect(await head()).toBe(before);
  });

  it.each(kinds)("%s: each entry of a batch on its own", async (_, headers, reason) => {
    const before = await head();
    const { json: answers } = await post(
      "/jsonRPC",
      [call("rpc.ping"), mine, call("devnet.reset")],
      headers(),
    );
    expect(answers).toEqual([
      { jsonrpc: "2.0", id: 1, ok: true, result: "pong" },
      refusal(reason()),
      refusal(reason(), "devnet.reset"),
    ]);
    // A notification gets no answer, but is refused as well.
    const { id: _id, ...notification } = mine;
    await post("/jsonRPC", [notification, call("rpc.ping")], headers());
    expect(await head()).toBe(before);
  });

  it.each(kinds.filter(([, headers]) => headers()["Content-Type"] === "application/json"))(
    "%s: over a WebSocket",
    async (_, headers, reason) => {
      const { "Content-Type": _type, ...sent } = headers();
      const socket = await openSocket(service.url, { headers: sent });
      onTestFinished(() => socket.close());
      socket.send(call("rpc.ping"));
      expect(await socket.next()).toMatchObject({ result: "pong" });
      socket.send(mine);
      expect(await socket.next()).toEqual(refusal(reason()));
      socket.send([mine]);
      expect(await socket.next()).toEqual([refusal(reason())]);
    },
  );

  it("is refused by every method that has an effect or shows other callers, and accepted by the rest", async () => {
    const headers = { ...json, Origin: "https://evil.example" };
    expect(isForOwner(devnetMethods.calls)).toBe(true);
    for (const [name, definition] of Object.entries(devnetMethods)) {
      const { json: answer } = await post("/jsonRPC", call(`devnet.${name}`), headers);
      const { error } = answer as { error?: { data: { kind: string } } };
      expect([name, error?.data.kind === "forbidden"]).toEqual([name, isForOwner(definition)]);
    }
  });

  it("is served with a key", async () => {
    for (const [, headers] of foreign) {
      const withKey = { ...headers(), ...json, "X-API-Key": service.key };
      expect(await post("/jsonRPC", mine, withKey)).toEqual({ status: 200, json: mined });
    }
    const { status } = await post(`/jsonRPC?api_key=${service.key}`, mine, {
      ...json,
      Origin: "https://my.dapp",
    });
    expect(status).toBe(200);
  });
});

it("a target in absolute form counts instead of Host", async () => {
  const body = JSON.stringify(mine);
  const ask = (target: string, host: string) =>
    new Promise<string>((resolve) => {
      const fields = [`Host: ${host}`, "Connection: close", `Content-Length: ${body.length}`];
      const socket = connect(Number(port), "127.0.0.1", () =>
        socket.write([`POST ${target} HTTP/1.1`, ...fields, "", body].join("\r\n")),
      );
      let answer = "";
      socket.setEncoding("utf8").on("data", (text) => {
        answer += text;
      });
      socket.on("close", () => resolve(answer));
    });
  for (const target of [
    "http://evil.example/jsonRPC",
    "HTTP://evil.example/jsonRPC",
    "http://u@localhost/jsonRPC",
  ])
    expect(await ask(target, "localhost")).toContain(`its Host is ${target.split("/")[2]}`);
  expect(await ask("http://localhost/jsonRPC", "evil.example")).toContain('"mined":1');
});

describe("a caller who may not change the devnet", () => {
  let limited: TestService;
  beforeAll(async () => {
    limited = await startService();
  });
  afterAll(() => limited.close());

  it.each(kinds)("has the plan of all callers without a key: %s", async (_, headers) => {
    expect(await policyOf(limited, headers())).toBe('"anonymous";q=1;w=1');
  });

  it("has no other plan on this machine", async () => {
    expect(await policyOf(limited, { Origin: "http://localhost:5173" })).toBeUndefined();
  });
});

describe("a caller on this machine changes the devnet without a key", () => {
  it.each<[string, Headers]>([
    ["curl", { Accept: "*/*" }],
    ["curl -d", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["a page of the service", { Origin: "http://127.0.0.1:8081" }],
    ["a page of a local development server", { Origin: "http://localhost:5173" }],
    ["a page of a local name", { Origin: "http://shop.localhost:3000" }],
    ["a page over IPv6", { Origin: "http://[::1]:5173" }],
    [
      "a program with headers of its own",
      { "X-Request-Id": "1", "X-Membership": "gold", Referer: "http://x" },
    ],
  ])("%s", async (_, headers) => {
    const sent = { ...json, ...headers };
    expect(await post("/jsonRPC", mine, sent)).toEqual({ status: 200, json: mined });
    expect(await post("/jsonRPC", [mine], sent)).toEqual({ status: 200, json: [mined] });
    const socket = await openSocket(service.url, { headers });
    onTestFinished(() => socket.close());
    socket.send(mine);
    expect(await socket.next()).toEqual(mined);
  });

  it("by any name of this machine", async () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]", "devnet.localhost"]) {
      const headers = { ...json, Host: `${host}:${port}` };
      expect(await post("/jsonRPC", mine, headers)).toEqual({ status: 200, json: mined });
    }
  });
});

const outside = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ internal, family }) => !internal && family === "IPv4")?.address;
if (outside === undefined)
  console.warn("A service on all interfaces is not tested: this machine has loopback only.");

it.skipIf(outside === undefined)(
  "a service on all interfaces takes changes from other machines by key only, with any Host",
  async () => {
    const open = await startService({ host: "0.0.0.0", anonymousRps: "unlimited" });
    onTestFinished(() => open.close());
    const before = port;
    ({ port } = new URL(open.url));
    onTestFinished(() => {
      port = before;
    });
    const claimed = { ...json, Host: `localhost:${port}` };
    // A connection to an address of this machine comes from that address, as a neighbour's comes from its own.
    const asked = { status: 200, json: refusal("this devnet asks every caller for one") };
    expect(await post("/jsonRPC", mine, claimed, outside)).toEqual(asked);
    expect(await post("/jsonRPC", mine, { ...claimed, "X-API-Key": open.key }, outside)).toEqual({
      status: 200,
      json: mined,
    });
    expect(await post("/jsonRPC", mine, claimed)).toEqual(asked);
    expect(await post("/jsonRPC", call("rpc.ping"), claimed)).toMatchObject({ json: { result: "pong" } });

    const lenient = await startService({ host: "0.0.0.0", devnetKeyRequired: false });
    onTestFinished(() => lenient.close());
    ({ port } = new URL(lenient.url));
    expect(await post("/jsonRPC", mine, claimed, outside)).toEqual({
      status: 200,
      json: refusal(`it comes from ${outside}`),
    });
    expect(await post("/jsonRPC", mine, claimed)).toEqual({ status: 200, json: mined });
  },
);

it("the operator's endpoint answers to names of this machine only", async () => {
  const { port: adminPort } = new URL(service.adminUrl!);
  const statusFor = (host: string, path: string) =>
    new Promise<number>((resolve, reject) => {
      const options = { host: "127.0.0.1", port: adminPort, path, headers: { Host: host } };
      const sent = request(options, (response) => resolve(response.resume().statusCode!));
      sent.on("error", reject).end();
    });
  for (const path of ["/status", "/metrics", "/healthcheck"]) {
    expect(await statusFor(`evil.example:${adminPort}`, path)).toBe(403);
    expect(await statusFor(`127.0.0.1:${adminPort}`, path)).toBe(200);
    expect(await statusFor(`localhost:${adminPort}`, path)).toBe(200);
  }
});
