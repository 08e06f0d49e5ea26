import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { shippedFile } from "../../server/chain/networks/shipped.js";
import { variants } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { TonwireProcess, tonwire } from "../helpers/services/command.js";
import { halfACall } from "../helpers/services/half-a-call.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const path = "/api/v2/detectAddress?address=Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";

/** Each process compiles its sources, and a test starts up to five processes. */
const slow = { timeout: 600_000 };

/** Parts of a service started without settings, which most tests leave out to save processor time. */
const storyAndIndex = { TONWIRE_STORY: "true", TONWIRE_INDEX: "true" };

/** A service in its own process, with its key store in its own folder. */
async function start(env: Record<string, string> = {}) {
  const settings = {
    ...{ PORT: "0", TONWIRE_ADMIN_PORT: "0", TONWIRE_DATA: temporaryFolder() },
    ...{ TONWIRE_STORY: "false", TONWIRE_INDEX: "false", ...env },
  };
  const service = new TonwireProcess([], { env: settings });
  const url = await service.printed(/serves devnet at (\S+)\n/);
  const status = async (key: string) => (await fetch(url + path, { headers: { "X-API-Key": key } })).status;
  const keys = (...args: string[]) => tonwire(["keys", ...args, "--data", settings.TONWIRE_DATA]);
  return { service, url, status, keys };
}

const accepts = (url: string) =>
  fetch(`${url}/healthcheck`).then(
    () => true,
    () => false,
  );

describe("tonwire as a process", slow, () => {
  it("prints a key and a working example call", async () => {
    const { service, url } = await start(storyAndIndex);
    const line = await service.printed(/(curl .*)\n/);
    // Its output is not a terminal, so that the key is in a file.
    const [, file, address] = /^curl -H "X-API-Key: \$\(cat '(\S+)'\)" '(\S+)'$/.exec(line) ?? [];
    const key = readFileSync(file!, "utf8").trim();
    expect(service.stdout).not.toContain(key);
    expect(address).toMatch(new RegExp(`^${url}/api/v2/`));
    const answer = await fetch(address!, { headers: { "X-API-Key": key } });
    expect(await answer.json()).toMatchObject({ ok: true });
    expect(answer.headers.get("RateLimit")).toBeNull();
  });

  it("answers callers with a limit", async () => {
    const { url, keys } = await start({ TONWIRE_ANONYMOUS_RPS: "1000" });
    const key = (await keys("create", "--plan", "standard")).stdout.split("\n")[0]!;
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(url + path, { headers });
      return [answer.status, answer.headers.get("RateLimit-Policy") !== null];
    };
    expect(await ask({})).toEqual([200, true]);
    await until("the new key", async () => (await ask({ "X-API-Key": key }))[0] !== 401);
    expect(await ask({ "X-API-Key": key })).toEqual([200, true]);
  });

  it("applies key changes of other processes while it runs", async () => {
    const { status, keys } = await start();
    const key = (await keys("create", "--plan", "unlimited")).stdout.split("\n")[0]!;
    await until("the new key", async () => (await status(key)) === 200);

    const id = (await keys("list")).stdout.match(/k_[0-9a-f]+/)![0];
    const next = (await keys("rotate", id, "--grace", "1h")).stdout.split("\n")[0]!;
    await until("its successor", async () => (await status(next)) === 200);
    expect(await status(key)).toBe(200);

    await keys("revoke", id);
    await until("the revocation", async () => (await status(key)) === 401);
    expect(await status(next)).toBe(200);
  });

  it("reads its devnet key from the environment, and logs no key", async () => {
    const secret = "hunter2-hunter2";
    const { service, url, status } = await start({ TONWIRE_DEVNET_KEY: secret, TONWIRE_LOG_SAMPLE: "1" });
    expect(await status(secret)).toBe(200);
    expect((await fetch(`${url}${path}&api_key=${secret}`)).status).toBe(200);
    expect(await status("hunter3-hunter3")).toBe(401);
    const call = JSON.stringify({ jsonrpc: "2.0", id: secret, method: secret, params: { api_key: secret } });
    await fetch(`${url}/jsonRPC?api_key=${secret}`, { method: "POST", body: call });
    service.send("SIGTERM");
    expect(await service.ended).toBe(0);
    expect(service.stderr).toContain('"method":"detectAddress"');
    expect(service.stderr).not.toContain("hunter");
  });
});

describe("a process that receives a stop signal", slow, () => {
  it.each([
    ["SIGTERM", storyAndIndex],
    ["SIGINT", {}],
  ] as const)("%s answers the call in flight, then exits with 0", async (signal, parts) => {
    const { service, url } = await start({ ...parts, TONWIRE_DEVNET_KEY: "k" });
    const finish = await halfACall(url, "k");
    service.send(signal);
    await until("the listener to close", async () => !(await accepts(url)));
    const answer = await finish();
    expect(answer).toContain("HTTP/1.1 200 OK");
    expect(answer).toContain('{"jsonrpc":"2.0","id":1,"ok":true,"result":"pong"}');
    expect(await service.ended).toBe(0);
    expect(service.stderr).toContain(`the process stops after ${signal}: calls in flight have up to 10 s`);
    expect(service.stderr).toContain("the process has stopped; nothing was cut off");
  });

  it("twice exits at once, with calls still in flight", async () => {
    const { service, url } = await start({ TONWIRE_DEVNET_KEY: "k" });
    await halfACall(url, "k");
    service.send("SIGTERM");
    await until("the listener to close", async () => !(await accepts(url)));
    service.send("SIGTERM");
    expect(await service.ended).toBe(1);
  });
});

describe("a start that fails", slow, () => {
  it("because of its configuration exits with 2 and prints the error", async () => {
    const run = await tonwire(["--port", "x"], { env: { TONWIRE_NETWORK: "moon" } });
    expect(run).toEqual({
      code: 2,
      stdout: "",
      stderr: [
        'tonwire: TONWIRE_NETWORK is "moon"; allowed: devnet, mainnet, testnet',
        'tonwire: --port is "x"; allowed: an integer from 0 to 65535',
        "",
      ].join("\n"),
    });
  });

  it.each([
    [
      ["--global-config", "missing.json"],
      "missing.json cannot be used: ENOENT: no such file or directory, open 'missing.json'",
    ],
    [["--global-config", "package.json"], "package.json cannot be used: validator is not an object"],
    [
      ["--global-config", fileURLToPath(shippedFile("mainnet"))],
      "the global configuration is that of mainnet, not of testnet",
    ],
  ])("for want of liteservers ends with 2 and prints the reason: %j", async (args, problem) => {
    const run = await tonwire(["--network", "testnet", "--log-level", "silent", ...args]);
    expect(run).toEqual({ code: 2, stdout: "", stderr: `tonwire: ${problem}\n` });
  });

  it.each(variants(["--port"], ["--admin-port", "--liteserver-port"]))(
    "because its %s is in use exits with 1 and prints the error",
    async (flag) => {
      const { url } = await start();
      const { port } = new URL(url);
      const others = ["--port", "--admin-port"].flatMap((each) => (each === flag ? [] : [each, "0"]));
      const run = await tonwire([flag, port, ...others, "--no-index", "--log-level", "fatal"]);
      const taken = `listen EADDRINUSE: address already in use 127.0.0.1:${port}`;
      const stderr = `tonwire: ${taken}; choose another port with ${flag}\n`;
      expect(run).toEqual({ code: 1, stdout: "", stderr });
    },
  );

  it.skipIf(process.platform === "win32")(
    "makes its data folder accessible to its own user only",
    async () => {
      const folder = join(temporaryFolder(), "data");
      const { url, service } = await start({
        TONWIRE_INDEX: "true",
        TONWIRE_DATA: folder,
        TONWIRE_MINING: "manual",
      });
      // Answered from the index, whose database is complete then.
      await until("the index", async () => (await fetch(`${url}/api/v3/masterchainInfo`)).ok);
      service.send("SIGTERM");
      expect(await service.ended).toBe(0);
      const names = ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })];
      const modes = names.map((name) => {
        const status = statSync(join(folder, name));
        return {
          name,
          mode: (status.mode & 0o777).toString(8),
          wanted: status.isDirectory() ? "700" : "600",
        };
      });
      expect(modes.length).toBeGreaterThan(100);
      expect(modes.filter(({ mode, wanted }) => mode !== wanted)).toEqual([]);
    },
  );

  it("because its data folder cannot be made exits with 1 and prints the error", async () => {
    const run = await tonwire(["--data", "/dev/null/data", "--log-level", "silent"]);
    const stderr = "tonwire: /dev/null/data cannot be a folder: /dev/null is a file\n";
    expect(run).toEqual({ code: 1, stdout: "", stderr });
  });
});

it(
  "the admin listener serves metrics and status on loopback, and closes with the service",
  slow,
  async () => {
    const port = String(await freePort());
    const { service, status } = await start({
      TONWIRE_INDEX: "true",
      TONWIRE_ADMIN_PORT: port,
      TONWIRE_DEVNET_KEY: "k",
    });
    const admin = await service.printed(/metrics and status at (\S+)\n/);
    expect(admin).toBe(`http://127.0.0.1:${port}`);
    await status("k");
    await status("nobody's");
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    expect(metrics).toContain('tonwire_calls_total{method="detectAddress",outcome="ok"} 1');
    expect(metrics).toContain('tonwire_calls_total{method="detectAddress",outcome="unknown-key"} 1');
    expect(await (await fetch(`${admin}/status`)).json()).toEqual({
      state: "ready",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      network: "devnet",
      uptime_sec: expect.any(Number),
      executor: expect.objectContaining({ version: 13, differences: [] }),
      // The database may still be starting.
      index: expect.toBeOneOf([null, expect.objectContaining({ failure: null })]),
    });
    expect((await fetch(`${admin}/`)).status).toBe(404);
    expect((await fetch(`${admin}/metrics`, { method: "POST" })).status).toBe(405);
    service.send("SIGTERM");
    expect(await service.ended).toBe(0);
    expect(await accepts(admin)).toBe(false);
  },
);
