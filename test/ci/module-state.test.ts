import { describe, expect, it } from "vitest";
import { namesReported } from "./run-checker.js";

const check = (files: Record<string, readonly string[]>) =>
  namesReported("module-state.mjs", files, /(\w+\.ts):(\d+): (\w+) is mutable state/g);

const counter = [
  "export class Counter {",
  "  #count = 0;",
  "  next() {",
  "    return ++this.#count;",
  "  }",
  "}",
];

describe("the checker of mutable state in modules", () => {
  it("names variables, and what functions change", () => {
    expect(
      check({
        "some.ts": [
          "let count = 0;",
          "const names = new Map<string, number>();",
          "const list: number[] = [];",
          "const members: { at?: number } = {};",
          "const bytes = new Uint8Array(8);",
          "export function change(name: string) {",
          "  count++;",
          "  names.set(name, count);",
          "  list.push(count);",
          "  members.at = count;",
          "  bytes[0] = count;",
          "}",
        ],
      }),
    ).toEqual([
      1,
      ["some.ts:1 count", "some.ts:2 names", "some.ts:3 list", "some.ts:4 members", "some.ts:5 bytes"],
    ]);
  });

  it("names what another file changes, instances that change, and what closures share", () => {
    expect(
      check({
        "counter.ts": counter,
        "made.ts": ["export const found: string[] = [];"],
        "some.ts": [
          'import { Counter } from "./counter.js";',
          'import { found } from "./made.js";',
          "const counter = new Counter();",
          "class Special extends Counter {}",
          "const nested = { special: [new Special()] };",
          "function counting() {",
          "  let last = 0;",
          "  return () => ++last;",
          "}",
          "const count = counting();",
          "export const add = () => found.push(String([counter.next(), nested, count()]));",
        ],
      }),
    ).toEqual([1, ["made.ts:1 found", "some.ts:3 counter", "some.ts:5 nested", "some.ts:10 count"]]);
  });

  it("passes constants, what a call makes for itself, and names that mean something else in a function", () => {
    expect(
      check({
        "counter.ts": counter,
        "some.ts": [
          'import { Counter } from "./counter.js";',
          "const names = new Map([['a', 1]]);",
          "const doubled = new Map<string, number>();",
          "for (const [name, value] of names) doubled.set(name, 2 * value);",
          "const list = [3, 1].sort();",
          "function total(list: number[]) {",
          "  const counter = new Counter();",
          "  list.push(counter.next());",
          "  let sum = 0;",
          "  list.forEach((each) => { sum += each; });",
          "  return sum;",
          "}",
          "export const all = [total([1]), list, doubled];",
        ],
      }),
    ).toEqual([0, []]);
  });

  it("passes state, functions and files with a reason", () => {
    expect(
      check({
        "some.ts": [
          "// Module state: a memo by name.",
          "const lengths = new Map<string, number>();",
          "let calls = 0; // Module state: counted for a test.",
          "// Module state: a constant that is made when it is first needed.",
          "function lazy() {",
          "  let made: number | undefined;",
          "  return () => (made ??= 1);",
          "}",
          "const one = lazy();",
          "export const use = (name: string) => lengths.set(name, calls++ + one());",
        ],
        "entry.ts": [
          "// The entry of a thread.",
          "// Module state: its thread does one job.",
          'import { use } from "./some.js";',
          "let last = '';",
          "export const begin = (name: string) => [use(last), (last = name)];",
        ],
      }),
    ).toEqual([0, []]);
  });
});
