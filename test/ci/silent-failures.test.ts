import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const checker = join(import.meta.dirname, "../../.ci/silent-failures.mjs");

function check(...lines: string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "tsconfig.json"), "{}");
  writeFileSync(join(folder, "some.ts"), ["declare const work: () => Promise<void>;", ...lines].join("\n"));
  const { status, stderr } = spawnSync(process.execPath, [checker, join(folder, "tsconfig.json")], {
    encoding: "utf8",
  });
  const reported = Array.from(stderr.matchAll(/some\.ts:(\d+): a failure is dropped/g), ([, line]) => line);
  return [status, reported];
}

describe("the checker of dropped failures", () => {
  it("names each catch and handler that drops a failure without a reason", () => {
    expect(
      check(
        "try { JSON.parse(''); } catch {}",
        "work().catch(() => {});",
        "work().then(() => 1, () => {});",
        "work().catch(() => undefined);",
      ),
    ).toEqual([1, ["2", "3", "4", "5"]]);
  });

  it("passes those with a comment, and handlers that do something", () => {
    expect(
      check(
        "try { JSON.parse(''); } catch {",
        "  // Not JSON.",
        "}",
        "// Awaited later.",
        "work().catch(() => {});",
        "work().catch((error) => console.log(error));",
        "try { JSON.parse(''); } catch (error) { console.log(error); }",
      ),
    ).toEqual([0, []]);
  });
});
