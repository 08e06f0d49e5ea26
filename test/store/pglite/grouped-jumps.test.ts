import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { name, opcode, section, unsigned, vector } from "../../../server/os/wasm-bytes.js";
import { webAssembly } from "../../../server/os/web-assembly.js";
import { groupJumps } from "../../../server/store/pglite/grouped-jumps.js";
import { signed } from "../../../shared/ton/run/emulator-patches.js";

const i32 = 0x7f;
const empty = 0x40;
const multiply = 0x6c;

/** A module with one function: a switch with a case of its own for each number below `cases`, all of which jump to its end. */
function switchModule(cases: number, padding: number): Buffer {
  const numbers = Array.from({ length: cases }, (_, number) => number);
  const enter = [opcode.block, empty];
  const body = [
    ...[1, 1, i32],
    // The place where the cases end; below it lies a block for each case, and one for all other numbers.
    ...enter,
    ...numbers.flatMap(() => enter),
    ...enter,
    ...[opcode.getLocal, 0, opcode.jumpTable, ...unsigned(cases)],
    ...[...numbers.map((number) => number + 1), 0].flatMap((label) => unsigned(label)),
    opcode.end,
    ...[opcode.i32, ...signed(1), opcode.setLocal, 1, opcode.jump, ...unsigned(cases)],
    ...numbers.flatMap((number) => [
      opcode.end,
      ...[opcode.getLocal, 0, opcode.i32, ...signed(number + 7), multiply, opcode.setLocal, 1],
      ...Array.from({ length: padding }, () => opcode.nop),
      ...[opcode.jump, ...unsigned(cases - number - 1)],
    ]),
    opcode.end,
    ...[opcode.getLocal, 1, opcode.end],
  ];
  return Buffer.concat([
    Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
    section(1, vector([[0x60, 1, i32, 1, i32]])),
    section(3, vector([[0]])),
    section(7, vector([[...name("choose"), 0, 0]])),
    section(10, vector([[...unsigned(body.length), ...body]])),
  ]);
}

function chosen(module: Buffer, numbers: number): number[] {
  const { exports } = new webAssembly.Instance(new webAssembly.Module(module));
  const choose = exports["choose"] as (number: number) => number;
  return Array.from({ length: numbers }, (_, number) => choose(number));
}

test("jumps to one place are grouped once, and the function does the same", () => {
  const cases = 2000;
  const module = switchModule(cases, 30);
  const expected = chosen(module, cases + 3);
  expect(expected.slice(-4)).toEqual([(cases - 1) * (cases + 6), 1, 1, 1]);
  const before = Buffer.from(module);
  expect(groupJumps(module)).toBe(1);
  expect(module.length).toBe(before.length);
  expect(module.equals(before)).toBe(false);
  expect(chosen(module, cases + 3)).toEqual(expected);
  expect(groupJumps(module)).toBe(0);
});

test("functions that are small or have few such jumps are left as they are", () => {
  for (const module of [switchModule(2000, 0), switchModule(500, 200)]) {
    const before = Buffer.from(module);
    expect(groupJumps(module)).toBe(0);
    expect(module.equals(before)).toBe(true);
  }
});

test("the parser of the embedded database has grouped jumps", () => {
  const folder = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"));
  expect(groupJumps(readFileSync(join(folder, "pglite.wasm")))).toBe(1);
});
