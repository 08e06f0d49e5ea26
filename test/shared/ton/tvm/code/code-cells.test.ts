import { expect, it } from "vitest";
import { beginCell } from "../../../../../shared/ton/cells/builder.js";
import { CodeCells } from "../../../../../shared/ton/tvm/code/code-cells.js";
import { disassemble } from "../../../../../shared/ton/tvm/code/disassemble.js";
import { funcCounterCode } from "../../../../helpers/debug/func-counter.js";

const cells = new CodeCells([funcCounterCode]);

it("a code has methods, and knows which of them a cell belongs to", () => {
  expect(cells.methods.map(({ id }) => id)).toEqual([0, 2, 4, 100_421]);
  const [received, store] = [cells.methods[0]!, cells.methods[1]!];
  expect(cells.methodOf(received.cell.hashHex())).toBe(0);
  expect(cells.startOf(received.cell.hashHex())).toBe(received.offset);
  expect(cells.methodOf(store.cell.hashHex())).toBe(2);
  // A function that two methods refer to.
  const shared = received.cell.ref(0);
  expect(cells.methodOf(shared.hashHex())).toBeUndefined();
  expect(cells.cell(shared.hashHex())?.equals(shared)).toBe(true);
});

it("a code is disassembled without running it, with its methods and the bodies of continuations", () => {
  const { placed, isCut } = disassemble(cells, funcCounterCode, 1000);
  expect(isCut).toBe(false);
  expect(placed.every(({ instruction }) => instruction)).toBe(true);
  const names = placed.map(({ instruction }) => instruction!.name);
  expect(names.slice(0, 5)).toEqual(["SETCP", "DICTPUSHCONST", "DICTIGETJMPZ", "THROWARG", "BLKDROP2"]);
  expect(names.filter((name) => name === "SENDRAWMSG")).toHaveLength(1);
  expect(new Set(placed.map(({ cell, offset }) => `${cell}:${offset}`)).size).toBe(placed.length);
  for (const { cell, offset, instruction } of placed)
    expect(cells.at(cell, offset)).toMatchObject({ name: instruction!.name, bits: instruction!.bits });
  expect(placed.some(({ depth }) => depth === 2)).toBe(true);
  expect(disassemble(cells, funcCounterCode, 10)).toMatchObject({ isCut: true, placed: { length: 10 } });
});

it("a library cell stands for the code that it refers to", () => {
  const library = beginCell().storeUint(2, 8).storeBytes(funcCounterCode.hash()).endExotic();
  const known = new CodeCells([library], () => funcCounterCode);
  expect(known.isRoot(funcCounterCode.hashHex())).toBe(true);
  expect(disassemble(known, library, 1000).placed).toHaveLength(
    disassemble(cells, funcCounterCode, 1000).placed.length,
  );
  const unknown = new CodeCells([library]);
  expect(disassemble(unknown, library, 1000)).toEqual({ placed: [], isCut: false });
});

it("a code that ends in the middle of an instruction has none there", () => {
  const code = beginCell().storeUint(0xa080, 16).endCell();
  const { placed } = disassemble(new CodeCells([code]), code, 10);
  expect(placed.map(({ offset, instruction }) => [offset, instruction?.name])).toEqual([
    [0, "ADD"],
    [8, undefined],
  ]);
});

it("a dictionary that shares its branches is read up to a bound", () => {
  let node = beginCell().storeUint(0, 2).storeUint(0x30, 8).endCell();
  for (let depth = 0; depth < 19; depth++)
    node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell();
  const code = beginCell().storeUint(0xf4a413, 24).storeRef(node).endCell();
  expect(new CodeCells([code]).methods).toHaveLength(4096);
});
