import { expect, it } from "vitest";
import { withMemoryLimit } from "../../../../server/chain/executor/emulator/memory-limit.js";
import { type WasmMemory, webAssembly } from "../../../../server/os/web-assembly.js";

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** An export of memory 0 as `m`. */
const exported = [7, 5, 1, 1, 0x6d, 2, 0];

/** A module that defines a memory with these limits. */
const withMemory = (...limits: number[]) =>
  Buffer.from([...header, 5, limits.length + 1, 1, ...limits, ...exported]);

function memoryOf(wasm: Buffer): WasmMemory {
  return new webAssembly.Instance(new webAssembly.Module(wasm)).exports["m"] as WasmMemory;
}

it.each([
  ["no limit", [0, 1], 4095],
  ["a higher one", [1, 1, 0x80, 0x80, 2], 4095],
  ["a lower one", [1, 1, 9], 8],
])("A memory with %s has 256 MB at most", (_, limits, pages) => {
  const memory = memoryOf(withMemoryLimit(withMemory(...limits)));
  expect(() => memory.grow(pages + 1)).toThrow(RangeError);
  expect(memory.grow(pages)).toBe(1);
});

it.each([
  ["that defines no memory", Buffer.from(header), "defines no memory"],
  ["that begins with too much", withMemory(0, 0x81, 0x20), "too much memory"],
  ["that is cut behind a section's number", Buffer.from([...header, 5]), "is cut"],
  ["that is cut in a section", withMemory(0, 1).subarray(0, 11), "is cut"],
  ["with a shared memory", withMemory(3, 1, 9), "unknown kind"],
])("A module %s is refused", (_, wasm, problem) => {
  expect(() => withMemoryLimit(wasm)).toThrow(problem);
});
