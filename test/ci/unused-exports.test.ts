import { expect, it } from "vitest";
import { namesReported } from "./run-checker.js";

const check = (files: Record<string, readonly string[]>) =>
  namesReported("unused-exports.mjs", files, /(\w+\.ts):(\d+): no other file imports (\w+)/g);

it("the checker of unused exports names each value and type that no other file imports", () => {
  expect(
    check({
      "some.ts": [
        "export const used = 1;",
        "export const [first, second] = [2, 3];",
        "export function unused() {}",
        "export type Used = string;",
        "export type Unused = string;",
        "const listed = 4;",
        "export { listed };",
      ],
      "other.ts": [
        'import { used as renamed, type Used, first } from "./some.js";',
        "const all: [Used, number, number] = ['', renamed, first];",
        "console.log(all);",
      ],
      // Namespaces, exports from other files, types by import and files loaded by their path.
      "a.ts": ["export const a = 1;"],
      "b.ts": ["export const b = 1;"],
      "c.ts": ["export type C = 1;"],
      "d.ts": ["export const d = 1;"],
      "e.ts": ["export const e = 1;"],
      "main.ts": [
        'import * as all from "./a.js";',
        'export { b } from "./b.js";',
        'type C = import("./c.js").C;',
        'const loaded: [Promise<unknown>, URL, unknown] = [import("./d.js"), new URL("./e.js", "file:"), all];',
        "const c: C = 1;",
        "console.log(loaded, c);",
      ],
    }),
  ).toEqual([
    1,
    ["main.ts:2 b", "some.ts:2 second", "some.ts:3 unused", "some.ts:5 Unused", "some.ts:7 listed"],
  ]);
});

it("the checker of unused exports passes what declarations of other files have to name", () => {
  expect(
    check({
      "some.ts": [
        "// Exported for declarations: types of constants in other files contain it.",
        "export interface Named {}",
        "export const made = (): Named => ({});",
      ],
      "other.ts": ['import { made } from "./some.js";', "made();"],
    }),
  ).toEqual([0, []]);
});
