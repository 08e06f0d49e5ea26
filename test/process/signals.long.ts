import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { halfACall } from "../helpers/services/half-a-call.js";
import { programArguments } from "../helpers/services/program.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };
const settings = {
  ...{ PORT: "0", TONWIRE_ADMIN_PORT: "0", TONWIRE_INDEX: "false", TONWIRE_STORY: "false" },
  ...{ TONWIRE_DEVNET_KEY: "k", TONWIRE_DEVNET_KEY_REQUIRED: "true", TONWIRE_LOG_FORMAT: "json" },
};

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
