import { expect, it } from "vitest";
import { namesReported } from "./run-checker.js";

/** Each file has a case of its own; one run of the checker, which reads a project, is for all of them. */
const files = {
  "counter.ts": [
    "export class Counter {",
    "  #count = 0;",
    "  next() {",
    "    return ++this.#count;",
    "  }",
    "}",
  ],
  "made.ts": ["export const found: string[] = [];"],
  "variables.ts": [
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
  "instances.ts": [
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
  // Constants, what a call makes for itself, and names that mean something else in a function.
  "constants.ts": [
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
  "reasons.ts": [
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
    'import { use } from "./reasons.js";',
    "let last = '';",
    "export const begin = (name: string) => [use(last), (last = name)];",
  ],
};

it("the checker of mutable state names variables, instances, and what functions, files and closures change", () => {
  const [status, names] = namesReported(
    "module-state.mjs",
    files,
    /(\w+\.ts):(\d+): (\w+) is mutable state/g,
  ) as [number, string[]];
  expect(status).toBe(1);
  expect(names.sort()).toEqual([
    "instances.ts:10 count",
    "instances.ts:3 counter",
    "instances.ts:5 nested",
    "made.ts:1 found",
    "variables.ts:1 count",
    "variables.ts:2 names",
    "variables.ts:3 list",
    "variables.ts:4 members",
    "variables.ts:5 bytes",
  ]);
});

it("the checker of mutable state passes a project without any", () => {
  const { "counter.ts": counter, "constants.ts": constants } = files;
  const passed = { "counter.ts": counter, "constants.ts": constants };
  expect(namesReported("module-state.mjs", passed, /./g)).toEqual([0, []]);
});
