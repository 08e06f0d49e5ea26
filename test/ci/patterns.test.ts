import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const checker = join(import.meta.dirname, "../../.ci/patterns.mjs");

describe("the checker of regular expressions", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tonwire-patterns-"));
    writeFileSync(join(folder, "tsconfig.json"), "{}");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function check(...lines: string[]) {
    writeFileSync(join(folder, "some.ts"), lines.join("\n"));
    const run = spawnSync(process.execPath, [checker, join(folder, "tsconfig.json")], { encoding: "utf8" });
    // TypeScript's process, which reads the files, has the same standard error, and sometimes prints this when it is ended.
    return { status: run.status, stderr: run.stderr.replaceAll(/^context canceled\n/gm, "") };
  }

  it("passes patterns of linear time, and one with a comment on why its input has few characters", () => {
    const { status, stderr } = check(
      "export const a = 4 / 2 / 1;",
      "export const b = /^[a-z]+=\\d+$/;",
      "// Bounded input: a number.",
      "export const c = /0+$/;",
    );
    expect([status, stderr]).toEqual([0, ""]);
  });

  it("names file, line and attack of each pattern that does not, or that it cannot read", () => {
    const { status, stderr } = check(
      "const linear = /^a+$/.test('a');",
      "const square = linear && 'a'.replace(",
      "  /0+$/, '');",
      "const exponential = [square, /^(a|aa)+$/.test('a')];",
      "export const made = [new RegExp('\\\\s+$', 'u'), exponential];",
      "// Bounded input:",
      "export const unexplained = /0+$/;",
      "export const given = (text: string) => new RegExp(text);",
    );
    expect(status).toBe(1);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/some\.ts:3 0\+\$: 2nd degree polynomial time, by '0'\.repeat/),
      expect.stringMatching(/some\.ts:4 \^\(a\|aa\)\+\$: exponential time, by 'a'/),
      expect.stringMatching(/some\.ts:5 \\s\+\$: 2nd degree polynomial time, by '/),
      expect.stringContaining("some.ts:7 "),
      expect.stringContaining("some.ts:8 RegExp: the pattern is not a constant"),
    ]);
  });

  it("refuses a project without any pattern, which it has not read", () => {
    expect(check("export {};").status).toBe(1);
  });
});
