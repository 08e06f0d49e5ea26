import { expect, it } from "vitest";
import { serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { sliceDemand } from "../../../../shared/ton/tvm/slice-demand.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";

const logged = (cell: Cell) => `CS{${bytesToHex(serializeBoc(cell)).toUpperCase()}}`;
const slice = logged(beginCell().storeUint(2, 12).storeRef(beginCell().endCell()).endCell());
const left = { bits: 12, refs: 1 };

it.each([
  ["LDU 32", [slice], { bits: 32, refs: 0 }],
  ["PLDI 64", ["1", slice], { bits: 64, refs: 0 }],
  ["LDSLICE 256", [slice], { bits: 256, refs: 0 }],
  ["PLDULE4", [slice], { bits: 32, refs: 0 }],
  ["LDSLICEX", [slice, "267"], { bits: 267, refs: 0 }],
  ["LDREF", [slice], { bits: 0, refs: 1 }],
  ["PLDREFIDX 2", [slice], { bits: 0, refs: 3 }],
  // The first four bits are zero.
  ["LDGRAMS", [slice], { bits: 4, refs: 0 }],
])("%s wanted this", (instruction, stack, wanted) => {
  expect(sliceDemand(instruction, stack)).toEqual({ wanted, left });
});

it("An amount wants as many bytes as its length says", () => {
  const amount = logged(beginCell().storeUint(0x5f, 8).endCell());
  expect(sliceDemand("LDGRAMS", [amount])?.wanted.bits).toBe(44);
});

it.each([
  ["LDU 32", []],
  ["LDU 32", ["5"]],
  ["ENDS", [slice]],
  ["LDUX", [slice]],
])("Nothing is known of %s on %j", (instruction, stack) => {
  expect(sliceDemand(instruction, stack)).toBeUndefined();
});
