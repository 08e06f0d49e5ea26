import { spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { textOf } from "../helpers/deploy/deployed-files.js";
import { CommandHere } from "../helpers/services/command-here.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const haveLogrotate = spawnSync("logrotate", ["--version"]).status === 0;
if (!haveLogrotate) console.warn("The test of the logrotate file is skipped: install logrotate.");

it.runIf(haveLogrotate)(
  "log lines in files are rotated, compressed and complete while the process runs",
  async () => {
    const folder = temporaryFolder();
    const file = join(folder, "tonwire-index.log");
    const config = join(folder, "logrotate.conf");
    writeFileSync(config, textOf("logrotate.conf").replace("/var/log/", `${folder}/`), { mode: 0o644 });
    const rotate = () => {
      const args = ["--force", "--state", join(folder, "state"), config];
      const { status, stderr } = spawnSync("logrotate", args, { encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    };
    // As systemd opens the file for `StandardError=append:`.
    const errors = openSync(file, "a", 0o600);
    onTestFinished(() => closeSync(errors));
    const settings = { PORT: "0", TONWIRE_ADMIN_PORT: "0", TONWIRE_INDEX: "false", TONWIRE_STORY: "false" };
    const env = { ...settings, TONWIRE_LOG_SAMPLE: "1", TONWIRE_DEVNET_KEY: "k" };
    const logTo = { write: (line: string) => void writeSync(errors, line) };
    const service = new CommandHere(["start"], { env, environment: { logTo } });
    const url = await service.printed(/serves devnet at (\S+)\n/);
    const linesOf = (text: string) => {
      const lines = text.trimEnd().split("\n");
      return lines.map((line) => JSON.parse(line) as { msg: string });
    };
    const current = () => readFileSync(file, "utf8");
    const calls = (text: string) =>
      (text === "" ? [] : linesOf(text)).filter(({ msg }) => msg === "call").length;
    const call = async (times: number) => {
      for (let i = 0; i < times; i++) await fetch(`${url}/api/v2/getMasterchainInfo`);
      await until("a line for each call", () => calls(current()) === times);
    };

    await call(3);
    rotate();
    expect(current()).toBe("");
    await call(2);
    rotate();
    await call(1);
    const rotated = readdirSync(folder).filter((name) => name.endsWith(".gz"));
    expect(rotated.sort()).toEqual(["tonwire-index.log.1.gz", "tonwire-index.log.2.gz"]);
    const read = (name: string) => gunzipSync(readFileSync(join(folder, name))).toString();
    expect(rotated.map((name) => calls(read(name)))).toEqual([2, 3]);
    // Only its owner reads a rotated file, too.
    for (const name of rotated) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    service.send("SIGTERM");
    expect(await service.ended).toBe(0);
    expect(current()).toContain("the process has stopped");
  },
);
