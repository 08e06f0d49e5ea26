import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createAccess } from "../../server/access/access.js";
import { KeyFileSource } from "../../server/access/keys/key-file-source.js";
import { configWith } from "../../server/config/settings.js";
import { createLog } from "../../server/observe/log.js";
import { createMetrics } from "../../server/observe/metrics.js";
import { TcpTable } from "../../server/os/tcp-table.js";
import { isForOwner } from "../../shared/methods/define.js";
import { devnetMethods } from "../../shared/methods/devnet.js";
import { unmarkedProxyRefusals } from "../helpers/devnet-refusals.js";
import { isLong } from "../helpers/effort.js";
import { RawEventStream } from "../helpers/http/event-stream.js";
import { openSocket } from "../helpers/http/socket.js";
import { recordedFallback } from "../helpers/no-fallback.js";
import { canChangeUser, otherUser, serviceUser } from "../helpers/other-users.js";
import { haveChromium, launchChromium, openPage } from "../helpers/peers/browser.js";
import { type Forwarder, postAs, startForwarder } from "../helpers/programs-of-users.js";
import { TonwireProcess } from "../helpers/services/command.js";
import { connectModel, httpTransport } from "../helpers/services/mcp-client.js";
import { startService, type TestService } from "../helpers/services/service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

// Proxies that add no header and send a local Host: only the version of HTTP, and the user of their connections, show them.

const isLinux = process.platform === "linux";
const hasUsers = isLinux && canChangeUser;
if (isLinux && !canChangeUser) console.warn("Proxies of other users are tested by root only.");

const call = (method: string, params: unknown = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const mine = call("devnet.mine");
const mined = { jsonrpc: "2.0", id: 1, ok: true, result: expect.objectContaining({ mined: 1 }) };
const pong = { jsonrpc: "2.0", id: 1, ok: true, result: "pong" };
const { oldHttp, otherUser: otherUsers } = unmarkedProxyRefusals;
const refused = (reason: string, method = "devnet.mine") => ({
  ...{ jsonrpc: "2.0", id: 1, ok: false },
  error: {
    code: -32000,
    message: `${method} needs an API key for this request: ${reason}`,
    data: { code: 403, kind: "forbidden" },
  },
});

async function post(url: string, body: unknown, key?: string): Promise<unknown> {
  const headers = { "Content-Type": "application/json", ...(key !== undefined && { "X-API-Key": key }) };
  const answer = await fetch(`${url}/jsonRPC`, { method: "POST", headers, body: JSON.stringify(body) });
  return answer.json();
}

async function overSocket(url: string, body: unknown, headers = {}): Promise<unknown> {
  const socket = await openSocket(url, { headers });
  onTestFinished(() => socket.close());
  socket.send(body);
  return socket.next();
}

async function toolsOf(url: string): Promise<string[]> {
  const { client } = await connectModel(httpTransport(url));
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name).filter((name) => name.startsWith("devnet_"));
}

/** Its lines of the log about callers who are refused. */
const warnings = ({ logLines }: TestService) =>
  logLines
    .map((line) => JSON.parse(line) as { severity: string; msg: string; user?: number })
    .filter(({ msg }) => msg.includes("needs the devnet's key"));

describe.runIf(hasUsers)("a proxy of another user over HTTP/1.1", () => {
  let service: TestService;
  let proxy: Forwarder;
  beforeAll(async () => {
    service = await startService({ anonymousRps: "unlimited" });
    proxy = await startForwarder(otherUser, service.url);
  });
  afterAll(async () => {
    await proxy?.stop();
    await service?.close();
  });

  it("passes on reads, and changes with the key only", async () => {
    expect(await post(proxy.url, call("rpc.ping"))).toEqual(pong);
    expect(await post(proxy.url, mine)).toEqual(refused(otherUsers));
    expect(await post(proxy.url, [mine, call("rpc.ping")])).toEqual([refused(otherUsers), pong]);
    expect(await overSocket(proxy.url, mine)).toEqual(refused(otherUsers));
    expect(await overSocket(proxy.url, [mine])).toEqual([refused(otherUsers)]);
    expect(await post(proxy.url, mine, service.key)).toEqual(mined);
    expect(await overSocket(proxy.url, mine, { "X-API-Key": service.key })).toEqual(mined);
  });

  it("passes on no call that is for the owner of the devnet", async () => {
    for (const [name, definition] of Object.entries(devnetMethods)) {
      const answer = (await post(proxy.url, call(`devnet.${name}`))) as { error?: object };
      const reason = refused(otherUsers, `devnet.${name}`);
      if (isForOwner(definition)) expect(answer).toEqual(reason);
      else expect(answer).not.toEqual(reason);
    }
    expect(await post(proxy.url, call("v3.webhooks.list"))).toMatchObject({
      error: { message: "v3.webhooks.list needs an API key" },
    });
  });

  it("offers models only what reads the devnet", async () => {
    expect(await toolsOf(proxy.url)).toEqual(["devnet_info", "devnet_transaction_log"]);
    expect(await toolsOf(service.url)).toContain("devnet_faucet");
  });

  it("is found out whichever request of a connection comes first, and once a connection", async () => {
    const statuses = await new Promise<string[]>((resolve) => {
      const body = JSON.stringify(mine);
      const request = (key: string) =>
        `POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n${key}\r\n${body}`;
      const withKey = request(`X-API-Key: ${service.key}\r\n`);
      const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
      let text = "";
      socket.setEncoding("utf8").on("data", (piece) => {
        text += piece;
        const answers = [...text.matchAll(/"mined":1|"kind":"forbidden"/g)].map(String);
        if (answers.length === 4) resolve(answers);
      });
      socket.on("close", () => resolve([text]));
      onTestFinished(() => void socket.destroy());
      // All at once: later requests come while the first is looked up.
      socket.write(withKey + request("") + request("") + withKey);
    });
    expect(statuses).toEqual(['"mined":1', '"kind":"forbidden"', '"kind":"forbidden"', '"mined":1']);
  });

  it("is logged once", async () => {
    await post(proxy.url, mine);
    await post(proxy.url, mine);
    expect(warnings(service)).toEqual([
      expect.objectContaining({
        ...{ severity: "warn", user: otherUser },
        msg: `a caller is limited, and needs the devnet's key: ${otherUsers}`,
      }),
    ]);
  });

  it("is no other than a program of that user", async () => {
    expect(await postAs(otherUser, `${service.url}/jsonRPC`, mine)).toEqual(refused(otherUsers));
  });
});

describe.runIf(hasUsers)("callers of another user", () => {
  async function start(...settings: Parameters<typeof startService>) {
    const service = await startService(...settings);
    onTestFinished(() => service.close());
    const proxy = await startForwarder(otherUser, service.url);
    onTestFinished(() => proxy.stop());
    return { service, proxy };
  }

  it.runIf(isLong)("have the plan of callers elsewhere, also for streams", async () => {
    const { service, proxy } = await start({ index: true });
    for (const path of ["/api/v2/getMasterchainInfo", "/api/streaming/events?kind=blocks"]) {
      const policy = async (url: string) => {
        const stream = RawEventStream.open(url, "", { path, method: "GET" });
        onTestFinished(() => stream.close());
        return /^ratelimit-policy: (.*)$/im.exec(await stream.head())?.[1]?.trim();
      };
      expect(await policy(service.url)).toBeUndefined();
      expect(await policy(proxy.url)).toBe('"anonymous";q=1;w=1');
    }
  });

  it("are the operator's own if sudo made the service root's", async () => {
    vi.stubEnv("SUDO_UID", `${otherUser}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { service, proxy } = await start();
    expect(await post(proxy.url, mine)).toEqual(mined);
    expect(await overSocket(proxy.url, mine)).toEqual(mined);
    expect(await toolsOf(proxy.url)).toContain("devnet_faucet");
    const stranger = await startForwarder(serviceUser, service.url);
    onTestFinished(() => stranger.stop());
    expect(await post(stranger.url, mine)).toEqual(refused(otherUsers));
    const { headers } = await fetch(`${stranger.url}/api/v2/getMasterchainInfo`);
    expect(headers.get("RateLimit-Policy")).toBe('"anonymous";q=1;w=1');
  });
});

describe.runIf(hasUsers && isLong)("a devnet of an ordinary user", { timeout: 600_000 }, () => {
  it("is changed by that user and by root, and by nobody else", async () => {
    const env = {
      ...{ PORT: "0", TONWIRE_ADMIN_PORT: "0", TONWIRE_INDEX: "false", TONWIRE_STORY: "false" },
      ...{ HOME: temporaryFolder(), SUDO_UID: `${otherUser}`, TONWIRE_MINING: "manual" },
    };
    const service = new TonwireProcess([], { env, user: serviceUser });
    const url = `${await service.printed(/serves devnet at (\S+)\n/)}/jsonRPC`;
    expect(await postAs(0, url, mine)).toEqual(mined);
    expect(await postAs(serviceUser, url, mine)).toEqual(mined);
    expect(await postAs(otherUser, url, mine)).toEqual(refused(otherUsers));
  });
});

describe("programs of the devnet's own user", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service?.close());

  it("change it with Node's client", async () => {
    expect(await post(service.url, mine)).toEqual(mined);
    expect(await overSocket(service.url, mine)).toEqual(mined);
  });

  it.skipIf(!isLong || !haveChromium())("change it from a page in their browser", async () => {
    const page = createServer((_, response) => {
      response.setHeader("Content-Type", "text/html").end("<!doctype html>");
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void page.close());
    await once(page, "listening");
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const origin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const opened = await openPage(browser, origin, 800);
    await opened.page.goto(origin);
    const answers = await opened.page.evaluate(
      async ({ url, body }) => {
        const answer = await fetch(url, { method: "POST", body });
        const socket = new WebSocket(url.replace("http", "ws"));
        const message = new Promise<string>((resolve) => {
          socket.addEventListener("open", () => socket.send(body));
          socket.addEventListener("message", ({ data }) => resolve(String(data)));
        });
        return [await answer.text(), await message];
      },
      { url: `${service.url}/jsonRPC`, body: JSON.stringify(mine) },
    );
    expect(answers.map((answer) => JSON.parse(answer))).toEqual([mined, mined]);
  });

  it.skipIf(spawnSync("curl", ["--version"]).status !== 0)("change it with curl", async () => {
    const curl = async (...flags: string[]) => {
      const sent = ["-sS", "-d", JSON.stringify(mine), `${service.url}/jsonRPC`, ...flags];
      return JSON.parse((await promisify(execFile)("curl", sent)).stdout);
    };
    expect(await curl()).toEqual(mined);
    expect(await curl("--http1.0")).toEqual(refused(oldHttp));
    expect(await curl("--http1.0", "-H", `X-API-Key: ${service.key}`)).toEqual(mined);
  });
});

describe("a table of connections", () => {
  /** Asks an `Access` that reads this table whether a caller on this machine is trusted. */
  async function openAccess(...paths: string[]) {
    const lines: string[] = [];
    const { fallback, failures } = recordedFallback();
    const access = await createAccess({
      config: configWith(),
      keySource: new KeyFileSource(join(temporaryFolder(), "keys.json")),
      log: createLog({ level: "info" }, { write: (line) => lines.push(JSON.parse(line).msg) }),
      metrics: createMetrics(new Set()),
      ...{ fallback, now: Date.now, tcpTable: new TcpTable(paths) },
    });
    onTestFinished(() => access.close());
    const newConnection = () => ({
      ...{ remoteAddress: "127.0.0.1", remotePort: 50_000, localAddress: "127.0.0.1", localPort: 8081 },
    });
    const refusalOf = async (connection = newConnection()) => {
      const source = { remoteAddress: "127.0.0.1", host: "localhost", headers: {} };
      const caller = access.identify({ key: undefined, ...source, httpVersion: "1.1", connection });
      return (await caller).devnetRefusal;
    };
    return { refusalOf, newConnection, lines, failures };
  }

  it("that is missing leaves callers on this machine as they are, with one warning", async () => {
    const { refusalOf, lines, failures } = await openAccess(join(temporaryFolder(), "tcp"));
    for (let connection = 0; connection < 3; connection++) expect(await refusalOf()).toBeUndefined();
    expect(failures).toEqual([["connection-users", expect.anything()]]);
    expect(lines).toEqual([]);
  });

  it("that cannot be read now leaves nobody local, and is read again for the next request", async () => {
    // A folder opens, and cannot be read.
    const { refusalOf, newConnection, lines, failures } = await openAccess(temporaryFolder());
    const connection = newConnection();
    const reason = "the user of its connection cannot be read from the kernel now";
    expect(await refusalOf(connection)).toBe(reason);
    expect(await refusalOf(connection)).toBe(reason);
    expect(lines).toEqual([`a caller is limited, and needs the devnet's key: ${reason}`]);
    expect(failures).toEqual([]);
  });
});
