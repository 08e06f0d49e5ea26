import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { shippedFile } from "../../../server/chain/networks/shipped.js";
import { isLong, sized, variants } from "../../helpers/effort.js";
import { freePort } from "../../helpers/free-port.js";
import { folderInRun } from "../../helpers/once-per-run.js";
import { TonwireProcess } from "../../helpers/services/command.js";
import { CommandHere, tonwireHere } from "../../helpers/services/command-here.js";
import { halfACall } from "../../helpers/services/half-a-call.js";
import { until } from "../../helpers/until.js";

const path = "/api/v2/detectAddress?address=Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";

/** Programs and databases start slowly on a loaded machine. */
const slow = { timeout: 600_000 };
const small = { PORT: "0", TONWIRE_ADMIN_PORT: "0", TONWIRE_STORY: "false", TONWIRE_DEVNET_KEY: "k" };

const statusOf = async (url: string, key: string) =>
  (await fetch(url + path, { headers: { "X-API-Key": key } })).status;
const accepts = (url: string) =>
  fetch(`${url}/healthcheck`).then(
    () => true,
    () => false,
  );

/** Its tests stop one process, one after the other. */
describe("tonwire as a process", slow, () => {
  const folder = folderInRun("tonwire-process-");
  const data = join(folder, "data");
  const file = join(folder, "tonwire.json");
  const configure = (members: object) => writeFileSync(file, JSON.stringify({ data, ...members }));
  let service: TonwireProcess;
  let url: string;
  let key: string;
  beforeAll(async () => {
    configure({ slowMs: 1000 });
    const env = { PORT: "0", TONWIRE_ADMIN_PORT: "0", TONWIRE_STORY: "false", TONWIRE_LOG_FORMAT: "json" };
    const flags = ["--config", file, "--index", String(isLong)];
    service = new TonwireProcess(flags, { env, outlivesTest: true });
    url = await service.printed(/serves devnet at (\S+)\n/);
  });
  afterAll(async () => {
    service.send("SIGKILL");
    await service.ended;
  });

  it("prints a key and a working example call", async () => {
    const line = await service.printed(/(curl .*)\n/);
    // Its output is not a terminal, so that the key is in a file.
    const [, path, address] = /^curl -H "X-API-Key: \$\(cat '(\S+)'\)" '(\S+)'$/.exec(line) ?? [];
    key = readFileSync(path!, "utf8").trim();
    expect(service.stdout).not.toContain(key);
    expect(address).toMatch(new RegExp(`^${url}/api/v2/`));
    const answer = await fetch(address!, { headers: { "X-API-Key": key } });
    expect(await answer.json()).toMatchObject({ ok: true });
    expect(answer.headers.get("RateLimit")).toBeNull();
  });

  it("reads keys and settings again at SIGHUP without a terminal, and serves on", async () => {
    const said = (text: string) => until(`${text} in the log`, () => service.stderr.includes(text));
    service.send("SIGHUP");
    await said("the settings were read again: none has changed that a running process takes over");
    expect(service.stderr).not.toContain("the keys");

    const { stdout } = await tonwireHere(["keys", "create", "--data", data, "--quiet"]);
    configure({ slowMs: 2000, logLevel: "warn", maxBatch: 7, port: 1 });
    service.send("SIGHUP");
    // The port comes from the environment, which overrides the file.
    await said("the settings were read again: logLevel, slowMs changed; maxBatch will change with a restart");
    await until("the key", async () => (await statusOf(url, stdout.trim())) === 200);

    configure({ slowMs: "soon" });
    service.send("SIGHUP");
    await said(
      `the settings stay as they were: slowMs in ${file} is \\"soon\\"; allowed: an integer from 1 to 600000`,
    );
    configure({ logLevel: "info" });
    service.send("SIGHUP");
    await said('the settings were read again: logLevel, slowMs changed"');
    await said("the keys were read again: 2 are valid");
    expect(await statusOf(url, key)).toBe(200);
  });

  it("answers the call in flight at SIGTERM, then exits with 0", async () => {
    // Its files are complete then.
    if (isLong) await until("the index", async () => (await fetch(`${url}/api/v3/masterchainInfo`)).ok);
    await answersAndStops({ service, url, key }, "SIGTERM");
  });

  it.skipIf(process.platform === "win32")("has data for its own user only", () => {
    const names = ["", ...readdirSync(data, { recursive: true, encoding: "utf8" })];
    const modes = names.map((name) => {
      const status = statSync(join(data, name));
      const wanted = status.isDirectory() ? "700" : "600";
      return { name, mode: (status.mode & 0o777).toString(8), wanted };
    });
    expect(modes.length).toBeGreaterThan(sized(3, 100));
    expect(modes.filter(({ mode, wanted }) => mode !== wanted)).toEqual([]);
  });
});

type Running = { service: TonwireProcess; url: string; key: string };

async function answersAndStops({ service, url, key }: Running, signal: NodeJS.Signals): Promise<void> {
  const finish = await halfACall(url, key);
  service.send(signal);
  await until("the listener to close", async () => !(await accepts(url)));
  const answer = await finish();
  expect(answer).toContain("HTTP/1.1 200 OK");
  expect(answer).toContain('{"jsonrpc":"2.0","id":1,"ok":true,"result":"pong"}');
  expect(await service.ended).toBe(0);
  expect(service.stderr).toContain(`the process stops after ${signal}: calls in flight have up to 10 s`);
  expect(service.stderr).toContain("the process has stopped; nothing was cut off");
}

describe("a process without an index", slow, () => {
  async function start(stopDelay = "0") {
    const env = { ...small, TONWIRE_INDEX: "false", TONWIRE_STOP_DELAY: stopDelay };
    const service = new TonwireProcess([], { env });
    return { service, url: await service.printed(/serves devnet at (\S+)\n/) };
  }

  it.runIf(isLong)("answers the call in flight at SIGINT, too", async () => {
    await answersAndStops({ ...(await start()), key: "k" }, "SIGINT");
  });

  it("goes on answering while balancers leave it, and exits at once at the second signal", async () => {
    const { service, url } = await start("3600");
    service.send("SIGTERM");
    for (const only of ["any", "all", "v2", "v3", "writes"]) {
      const health = async () => (await fetch(`${url}/healthcheck?only=${only}`)).text();
      await until(`the end of health of ${only}`, async () => (await health()) === "Service is stopping");
    }
    expect(await statusOf(url, "k")).toBe(200);
    await halfACall(url, "k");
    service.send("SIGTERM");
    expect(await service.ended).toBe(1);
  });
});

describe("a start that fails", slow, () => {
  it("because of its configuration exits with 2 and prints the error", async () => {
    const run = await tonwireHere(["--port", "x"], { env: { TONWIRE_NETWORK: "moon" } });
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
    const run = await tonwireHere(["--network", "testnet", "--log-level", "silent", ...args]);
    expect(run).toEqual({ code: 2, stdout: "", stderr: `tonwire: ${problem}\n` });
  });

  it("because a port is in use exits with 1 and prints the error", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    for (const flag of variants(["--port"], ["--admin-port", "--liteserver-port"])) {
      const others = ["--port", "--admin-port"].flatMap((each) => (each === flag ? [] : [each, "0"]));
      const run = await tonwireHere([flag, String(port), ...others, "--no-index", "--log-level", "fatal"]);
      const taken = `listen EADDRINUSE: address already in use 127.0.0.1:${port}`;
      const stderr = `tonwire: ${taken}; choose another port with ${flag}\n`;
      expect(run).toEqual({ code: 1, stdout: "", stderr });
    }
  });

  it("because its data folder cannot be made exits with 1 and prints the error", async () => {
    const run = await tonwireHere(["--data", "/dev/null/data", "--log-level", "silent"]);
    const stderr = "tonwire: /dev/null/data cannot be a folder: /dev/null is a file\n";
    expect(run).toEqual({ code: 1, stdout: "", stderr });
  });
});

it(
  "the devnet key comes from the environment and is not logged, and metrics and status close with the service",
  slow,
  async () => {
    const port = String(await freePort());
    const secret = "hunter2-hunter2";
    const env = { ...small, TONWIRE_ADMIN_PORT: port, TONWIRE_DEVNET_KEY: secret, TONWIRE_LOG_SAMPLE: "1" };
    const service = new CommandHere(["--index", "false"], { env });
    const url = await service.printed(/serves devnet at (\S+)\n/);
    const admin = await service.printed(/metrics and status at (\S+)\n/);
    expect(admin).toBe(`http://127.0.0.1:${port}`);
    expect(await statusOf(url, secret)).toBe(200);
    expect((await fetch(`${url}${path}&api_key=${secret}`)).status).toBe(200);
    expect(await statusOf(url, "hunter3-hunter3")).toBe(401);
    const call = JSON.stringify({ jsonrpc: "2.0", id: secret, method: secret, params: { api_key: secret } });
    await fetch(`${url}/jsonRPC?api_key=${secret}`, { method: "POST", body: call });
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    expect(metrics).toContain('tonwire_calls_total{method="detectAddress",outcome="ok"} 2');
    expect(metrics).toContain('tonwire_calls_total{method="detectAddress",outcome="unknown-key"} 1');
    expect(await (await fetch(`${admin}/status`)).json()).toEqual({
      state: "ready",
      answers: { v2: "OK", writes: "OK" },
      degraded: [],
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
    expect(service.stderr).toContain('"method":"detectAddress"');
    expect(service.stderr).not.toContain("hunter");
  },
);
