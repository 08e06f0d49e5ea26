import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, textOf } from "../helpers/deploy/deployed-files.js";
import { isLong } from "../helpers/effort.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const havePromtool = spawnSync("promtool", ["--version"]).status === 0;
if (!havePromtool) console.warn("Checks of the Prometheus files are skipped: install promtool.");

const promtool = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync("promtool", args, { cwd: folder, encoding: "utf8" });
  return { status, output: stdout + stderr };
};

describe.runIf(havePromtool)("promtool", () => {
  it("accepts the configuration and the rules", () => {
    const { status, output } = promtool("check", "config", "prometheus.yml");
    expect([status, output]).toEqual([0, expect.stringMatching(/SUCCESS: 1 rule files found[\s\S]*SUCCESS/)]);
    expect(promtool("check", "rules", "alerts.yml").status).toBe(0);
  });

  /** Runs the cases of alerts on these rules. */
  function testRules(rules: string) {
    const place = temporaryFolder();
    writeFileSync(join(place, "alerts.yml"), rules);
    copyFileSync(new URL("alert-cases.yml", import.meta.url), join(place, "cases.yml"));
    return promtool("test", "rules", join(place, "cases.yml"));
  }

  it("finds that alerts fire when they should, and not otherwise", () => {
    const { status, output } = testRules(textOf("alerts.yml"));
    expect([status, output]).toEqual([0, expect.stringContaining("SUCCESS")]);
  });

  it.runIf(isLong)("finds the fault in a rule", () => {
    const wrong = textOf("alerts.yml").replace('up{job="tonwire"} == 0', 'up{job="tonwire"} == 1');
    expect(testRules(wrong)).toMatchObject({ status: 1, output: expect.stringContaining("TonwireDown") });
  });
});
