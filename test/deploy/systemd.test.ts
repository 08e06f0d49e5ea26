import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../server/config/load.js";
import { drainMs } from "../../server/process/context/shutdown.js";
import { folder } from "../helpers/deploy/deployed-files.js";
import { ranCommand } from "../helpers/services/ran-command.js";
import { directivesOf, environmentOf, installedUnits, unitNames, valuesOf } from "./units.js";

const single = "tonwire-single.service";
const index = "tonwire-index.service";
const api = "tonwire-api@8081.service";
const program = "/opt/tonwire/current/node_modules/.bin/tonwire";

describe("the systemd units", () => {
  it.each([
    [single, "start", "/var/lib/tonwire"],
    [index, "index", "/var/lib/tonwire/index-writer"],
    [api, "api", "/var/lib/tonwire/api-8081"],
  ])("%s runs `tonwire %s` on data that systemd makes", async (unit, command, data) => {
    expect(valuesOf(unit, "ExecStart")).toEqual([`${program} ${command}`]);
    expect((await ranCommand(command, "--print-config")).code).toBe(0);
    expect(valuesOf(unit, "StateDirectory").map((each) => `/var/lib/${each}`)).toContain(data);
    const config = loadConfig({ env: environmentOf(unit) });
    expect(config).toMatchObject({ data, host: "127.0.0.1" });
    expect([config.keysFile, config.keyStore]).toEqual([undefined, unit === api ? "database" : undefined]);
    expect([config.cache]).toEqual(valuesOf(unit, "CacheDirectory").map((each) => `/var/cache/${each}`));
  });

  it("are all that there are", () => expect(unitNames).toEqual([api, index, single]));

  it("give each instance of the api separate ports, and let it trust nginx", () => {
    const config = loadConfig({ env: environmentOf(api) });
    expect(config).toMatchObject({ port: 8081, adminPort: 18081, trustProxy: { hops: 1 } });
  });

  it("wait for the end of calls in flight before they kill, and restart failed processes", () => {
    for (const unit of unitNames) {
      expect(Number(valuesOf(unit, "TimeoutStopSec")) * 1000).toBeGreaterThanOrEqual(2 * drainMs);
      expect(valuesOf(unit, "Restart")).toEqual(["on-failure"]);
      // 2 is the code of a configuration that is refused.
      expect(valuesOf(unit, "RestartPreventExitStatus")).toEqual(["2"]);
      expect(valuesOf(unit, "ExecReload")).toEqual(["/bin/kill -HUP $MAINPID"]);
      // The compiler of Node writes code.
      expect(valuesOf(unit, "MemoryDenyWriteExecute")).toEqual([]);
      // Nothing is set twice.
      const lists = /^(Environment|EnvironmentFile|After|StateDirectory|SystemCallFilter|Description)$/;
      const names = directivesOf(unit).flatMap(([name]) => (lists.test(name) ? [] : [name]));
      expect(names).toEqual([...new Set(names)]);
    }
  });
});

const haveAnalyse = spawnSync("systemd-analyze", ["--version"]).status === 0;
if (!haveAnalyse) console.warn("Checks of the systemd units are skipped: there is no systemd-analyze.");

describe.runIf(haveAnalyse)("systemd-analyze", () => {
  const root = installedUnits();
  const shared = join(root, "etc/systemd/system/tonwire-.service.d");
  const analyse = (...args: string[]) => {
    const { status, stderr } = spawnSync("systemd-analyze", [...args, `--root=${root}`], {
      encoding: "utf8",
    });
    return [status, stderr];
  };

  it("finds them well formed, with and without log lines in files", () => {
    expect(analyse("verify", ...unitNames)).toEqual([0, ""]);
    copyFileSync(join(folder, "systemd-log-files.conf"), join(shared, "log-files.conf"));
    expect(analyse("verify", ...unitNames)).toEqual([0, ""]);
  });

  // In tenths: 1.5 of 10, where services without such settings have 9.6.
  const security = (...units: string[]) =>
    analyse("security", "--offline=true", "--threshold=15", ...units)[0];

  it("counts them as hardened", () => expect(security(...unitNames)).toBe(0));

  it("reads the directives that the units share, and finds a mistake in them", () => {
    const path = join(shared, "common.conf");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace("MemoryHigh=", "MemoryHih=").replace(/^Protect.*\n/gm, ""));
    const [, found] = analyse("verify", ...unitNames);
    expect(String(found).match(/Unknown key 'MemoryHih'/g)).toHaveLength(unitNames.length);
    for (const unit of unitNames) expect(security(unit)).not.toBe(0);
  });
});
