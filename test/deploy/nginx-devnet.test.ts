import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Config } from "../../server/config/settings.js";
import { textOf } from "../helpers/deploy/deployed-files.js";
import { haveNginx, type Nginx, nginxWith, speaksHttp10, startNginx } from "../helpers/deploy/nginx.js";
import { unmarkedProxyRefusals } from "../helpers/devnet-refusals.js";
import { variants } from "../helpers/effort.js";
import { openSocket } from "../helpers/http/socket.js";
import { connectModel, httpTransport } from "../helpers/services/mcp-client.js";
import { startService, type TestService } from "../helpers/services/service.js";

if (!haveNginx) console.warn("Tests of devnets behind nginx are skipped: install nginx.");

type Headers = Readonly<Record<string, string>>;
type Reply = { status: number; policy: string | undefined; json: unknown };

const call = (method: string) => ({ jsonrpc: "2.0", id: 1, method });
const mined = { result: { mined: 1 } };
const refused = (reason: string) => ({
  error: { message: `devnet.mine needs an API key for this request: ${reason}`, data: { code: 403 } },
});
const everybody = "this devnet asks every caller for one";
const anonymous = '"anonymous";q=1;w=1';

/** Calls a method; `from` is the address that nginx sees. */
function post(url: string, method: string, headers: Headers = {}, from = "127.0.0.1"): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { method: "POST", headers, localAddress: from };
    const sent = request(url, options, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      const policy = response.headers["ratelimit-policy"] as string | undefined;
      resolve({ status: response.statusCode!, policy, json: JSON.parse(text) });
    });
    sent.on("error", reject).end(JSON.stringify(call(method)));
  });
}

async function overSocket(url: string, headers: Headers): Promise<unknown> {
  const socket = await openSocket(url, { headers });
  onTestFinished(() => socket.close());
  socket.send(call("devnet.mine"));
  return socket.next();
}

describe.runIf(haveNginx)("a devnet behind nginx with the configuration for it", () => {
  async function start(settings: Partial<Config>): Promise<{ service: TestService; nginx: Nginx }> {
    const service = await startService(settings);
    const nginx = await startNginx((port) =>
      nginxWith(
        textOf("nginx-devnet.conf")
          .replace("listen 8080;", `listen ${port};`)
          .replace("127.0.0.1:8081", new URL(service.url).host),
      ),
    );
    return { service, nginx };
  }

  describe.each<[string, Partial<Config>, string]>([
    ["and --trust-proxy", { trustProxy: { hops: 1 } }, everybody],
    ["whose operator forgot --trust-proxy", {}, "a proxy added the header x-forwarded-for"],
  ])("%s", (_, settings, reason) => {
    let service: TestService;
    let nginx: Nginx;
    let url: string;
    beforeAll(async () => {
      ({ service, nginx } = await start({ anonymousRps: "unlimited", ...settings }));
      url = `${nginx.url}/jsonRPC`;
    });
    afterAll(async () => {
      await nginx?.stop();
      await service?.close();
    });

    it("reads, and changes nothing without the key, whatever a caller claims", async () => {
      const claims: Headers[] = [
        {},
        { Host: "localhost" },
        { Host: "127.0.0.1:8081" },
        { Host: "localhost", "X-Forwarded-For": "127.0.0.1" },
        { Host: "localhost", Origin: "http://localhost:5173" },
      ];
      for (const headers of claims) {
        expect((await post(url, "rpc.ping", headers)).json).toMatchObject({ result: "pong" });
        expect((await post(url, "devnet.mine", headers)).json).toMatchObject(refused(reason));
        expect(await overSocket(nginx.url, headers)).toMatchObject(refused(reason));
      }
      const withKey = { "X-API-Key": service.key };
      expect((await post(url, "devnet.mine", withKey)).json).toMatchObject(mined);
      expect(await overSocket(nginx.url, withKey)).toMatchObject(mined);
    });
  });

  // Other systems have one address of loopback.
  it.runIf(process.platform === "linux")("counts calls by the address of the caller", async () => {
    const { service, nginx } = await start({ trustProxy: { hops: 1 } });
    onTestFinished(() => service.close());
    onTestFinished(() => nginx.stop());
    const ask = (from: string, claimed: string) =>
      post(`${nginx.url}/jsonRPC`, "rpc.ping", { "X-Forwarded-For": claimed }, from);
    const calls = Array.from({ length: 20 }, (_, i) => ask("127.0.0.2", `203.0.113.${i}`));
    expect((await Promise.all(calls)).map(({ status }) => status)).toContain(429);
    expect(await ask("127.0.0.3", "127.0.0.2")).toMatchObject({ status: 200, policy: anonymous });
  });
});

describe.runIf(haveNginx)("a devnet behind a user's nginx", () => {
  /** Headers that nginx adds to requests, by path prefix. */
  const added: Record<string, string> = {
    "/x-real-ip": "X-Real-IP $remote_addr",
    "/x-forwarded-for": "X-Forwarded-For $proxy_add_x_forwarded_for",
    "/x-forwarded-proto": "X-Forwarded-Proto $scheme",
    "/x-forwarded-host": "X-Forwarded-Host $host",
    "/forwarded": 'Forwarded "for=$remote_addr"',
    "/via": 'Via "1.1 nginx"',
    "/true-client-ip": "True-Client-IP $remote_addr",
    "/cf-connecting-ip": "CF-Connecting-IP $remote_addr",
  };
  const location = (path: string, target: string, host: string, header = "") =>
    `location ${path}/ { proxy_pass ${target}/; ${host} ${header && `proxy_set_header ${header};`} }`;
  /** `$http_host` is what the caller sends. */
  const hosts = { "/passed": "proxy_set_header Host $http_host;", "/replaced": "" };
  const passWebSockets =
    "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;";
  /** Its workers have a user of their own if root starts it. */
  const ofOtherUser =
    process.platform === "linux" && process.getuid?.() === 0 ? unmarkedProxyRefusals.otherUser : undefined;

  async function start(settings: Partial<Config> = {}): Promise<{ service: TestService; nginx: Nginx }> {
    const service = await startService(settings);
    onTestFinished(() => service.close());
    const locations = Object.entries(hosts).flatMap(([prefix, host]) => [
      location(`${prefix}/plain`, service.url, host),
      location(`${prefix}/http-1.1`, service.url, `${host} ${passWebSockets}`),
      ...Object.entries(added).map(([path, header]) => location(prefix + path, service.url, host, header)),
    ]);
    const nginx = await startNginx((port) =>
      nginxWith(`server { listen ${port}; ${locations.join("\n")} ${location("", service.url, "")} }`),
    );
    onTestFinished(() => nginx.stop());
    return { service, nginx };
  }

  const all = Object.keys(hosts).flatMap((prefix) => Object.keys(added).map((path) => prefix + path));
  const paths = variants(all.slice(0, 2), all.slice(2));
  const headers = { Host: "localhost" };

  const byDefault = speaksHttp10 ? unmarkedProxyRefusals.oldHttp : ofOtherUser;
  /** Locations that add no header, and why their callers are refused; without root the second one has no reason. */
  const plain = new Map([
    ["/plain", byDefault],
    ["/http-1.1", ofOtherUser],
  ]);
  const found = [...plain].flatMap(([path, reason]) =>
    Object.keys(hosts).map((prefix) => ({ path: prefix + path, reason })),
  );

  it("takes no caller for one on this machine, whether a header is added or not", async () => {
    const { service, nginx } = await start({ anonymousRps: 1000 });
    const limited = { policy: expect.stringMatching(/^"anonymous";q=1000;/) };
    for (const path of paths) {
      const url = `${nginx.url}${path}/jsonRPC`;
      const reason = `a proxy added the header ${path.split("/")[2]}`;
      // No plan of those on this machine either.
      expect(await post(url, "devnet.mine", headers)).toMatchObject({ ...limited, json: refused(reason) });
      expect((await post(url, "devnet.mine", { "X-API-Key": service.key })).json).toMatchObject(mined);
    }
    for (const { path, reason } of found) {
      if (reason === undefined) continue;
      const url = nginx.url + path;
      const withKey = { ...headers, "X-API-Key": service.key };
      const ping = await post(`${url}/jsonRPC`, "rpc.ping", headers);
      expect(ping).toMatchObject({ ...limited, json: { result: "pong" } });
      expect((await post(`${url}/jsonRPC`, "devnet.mine", headers)).json).toMatchObject(refused(reason));
      expect((await post(`${url}/jsonRPC`, "devnet.mine", withKey)).json).toMatchObject(mined);
      if (!path.endsWith("/http-1.1")) continue;
      expect(await overSocket(url, headers)).toMatchObject(refused(reason));
      expect(await overSocket(url, withKey)).toMatchObject(mined);
    }
    if (byDefault === undefined) return;
    // Models are offered only what reads the devnet.
    const { client } = await connectModel(httpTransport(nginx.url));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    const ofDevnet = names.filter((name) => name.startsWith("devnet_"));
    expect(ofDevnet).toEqual(["devnet_info", "devnet_transaction_log"]);
  });
});
