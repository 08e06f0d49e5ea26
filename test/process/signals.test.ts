import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { stopEnds } from "../../server/process/shutdown.js";
import { TonwireProcess } from "../helpers/services/command.js";
import { tonwireHere } from "../helpers/services/command-here.js";
import { halfACall } from "../helpers/services/half-a-call.js";
import { programArguments } from "../helpers/services/program.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

/** Each test starts processes. */
const slow = { timeout: 600_000 };
const settings = {
  ...{ PORT: "0", TONWIRE_ADMIN_PORT: "0", TONWIRE_INDEX: "false", TONWIRE_STORY: "false" },
  ...{ TONWIRE_DEVNET_KEY: "k", TONWIRE_DEVNET_KEY_REQUIRED: "true", TONWIRE_LOG_FORMAT: "json" },
};
const statusOf = async (url: string, key: string) =>
  (await fetch(`${url}/api/v2/getMasterchainInfo`, { headers: { "X-API-Key": key } })).status;

describe("SIGHUP where the process has no terminal", slow, () => {
  it("reads keys and settings again, and serves on", async () => {
    const data = temporaryFolder();
    const file = join(temporaryFolder(), "tonwire.json");
    const configure = (members: object) => writeFileSync(file, JSON.stringify({ data, ...members }));
    configure({ slowMs: 1000 });
    const service = new TonwireProcess(["--config", file], { env: settings });
    const url = await service.printed(/serves devnet at (\S+)\n/);
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
    expect(await statusOf(url, "k")).toBe(200);
    service.send("SIGTERM");
    expect(await service.ended).toBe(0);
  });
});

const haveTerminals = spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!haveTerminals)("a terminal that is closed", slow, () => {
  it("lets the calls in flight end, as SIGTERM does", async () => {
    const folder = temporaryFolder();
    const log = join(folder, "log");
    const out = join(folder, "out");
    const main = programArguments(new URL("../../server/main.ts", import.meta.url));
    const command = [process.execPath, ...main].map((part) => `'${part}'`).join(" ");
    const { PATH = "", TONWIRE_TEST_ENTRIES } = process.env;
    // Standard input is the terminal, which is gone with the program `script`.
    const terminal = spawn(
      "script",
      ["--quiet", "--command", `exec ${command} >'${out}' 2>'${log}'`, "/dev/null"],
      {
        cwd: fileURLToPath(new URL("../..", import.meta.url)),
        env: { PATH, TONWIRE_TEST_ENTRIES, TONWIRE_CACHE: "off", TONWIRE_DATA: folder, ...settings },
        stdio: ["pipe", "ignore", "ignore"],
      },
    );
    onTestFinished(() => void terminal.kill("SIGKILL"));
    const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
    const url = await until("the start", () => /serves devnet at (\S+)\n/.exec(read(out))?.[1]);
    const finish = await halfACall(url, "k");
    terminal.kill("SIGKILL");
    await until("the stop", () =>
      read(log).includes("the process stops after SIGHUP: calls in flight have up to 10 s"),
    );
    expect(await finish()).toContain("HTTP/1.1 200 OK");
    await until("the end", () => read(log).includes("the process has stopped; nothing was cut off"));
  });
});

describe("the end of a stop", () => {
  it("names the connections that were cut off", () => {
    expect(stopEnds({ connections: 2, webSockets: 1 })).toBe(
      "the process has stopped; cut off after 10 s: 2 connections with calls in flight, 1 WebSockets",
    );
  });
});
