import { describe, expect, it } from "vitest";
import { readArguments } from "../../../../client/verified/executor/stack-arguments.js";
import { cellOfBoc } from "../../../../server/methods/input/cells.js";
import { readStack } from "../../../../server/methods/input/stack.js";
import { legacyStack, typedStack } from "../../../../shared/schema/v2/stack-params.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { StackValue } from "../../../../shared/ton/tvm/stack.js";
import { stackBoc } from "../../../../shared/ton/tvm/store-stack.js";
import { bocText, codeOf } from "../../../helpers/contracts/contracts.js";

const boc = bocText(codeOf("ff00"));
const number = (value: bigint | number) => ({
  ...{ "@type": "tvm.stackEntryNumber" as const },
  number: { "@type": "tvm.numberDecimal" as const, number: String(value) },
});
/** A stack as the emulator gets it. */
const bagOf = (values: readonly StackValue[]) => Buffer.from(stackBoc(values).boc).toString("hex");
const list = (elements: object[]) => ({ "@type": "tvm.stackEntryList", list: { elements } });
const tuple = (elements: object[]) => ({ "@type": "tvm.stackEntryTuple", tuple: { elements } });
const nested = (depth: number): object =>
  depth === 0 ? number(1) : tuple([nested(depth - 1), number(2), number(3)]);

describe("arguments", () => {
  it.each<[name: string, entries: (readonly [string, unknown])[]]>([
    [
      "numbers",
      [
        ["num", "-0x1f"],
        ["number", 7],
        ["int", String(2n ** 256n - 1n)],
        ["integer", -5],
      ],
    ],
    [
      "cells",
      [
        ["tvm.Cell", boc],
        ["tvm.Slice", boc],
        ["tvm.Builder", boc],
        ["cell", { bytes: boc }],
        ["slice", { bytes: boc }],
      ],
    ],
    ["null", [["null", null]]],
    [
      "lists",
      [
        ["list", { elements: [] }],
        ["tvm.List", { elements: [number(1), list([number(2)])] }],
      ],
    ],
    [
      "tuples",
      [
        ["tuple", { elements: [] }],
        ["tvm.Tuple", { elements: [number(1), tuple([]), nested(3)] }],
      ],
    ],
  ])("as pairs are read as the service reads them: %s", (_, entries) => {
    expect(bagOf(readArguments(entries))).toBe(bagOf(readStack(legacyStack.parse(entries))));
  });

  it("as records are read as the service reads them", () => {
    const entries = [
      number(-5),
      { "@type": "tvm.stackEntryCell", cell: { bytes: boc } },
      { "@type": "tvm.stackEntrySlice", slice: { bytes: boc } },
      tuple([number(1), list([number(2)])]),
      list([]),
    ];
    expect(bagOf(readArguments(entries))).toBe(bagOf(readStack(typedStack.parse(entries as never))));
  });

  it.each<[name: string, entries: unknown[], code: string]>([
    ["unknown types", [["what", 1]], "invalid-params"],
    ["numbers of words", [["num", "many"]], "invalid-params"],
    ["numbers of more than 257 bits", [["num", String(2n ** 256n)]], "invalid-params"],
    ["cells that are no text", [["tvm.Cell", 5]], "invalid-params"],
    ["cells that are not base64", [["tvm.Cell", "%"]], "invalid-params"],
    ["cells that are no bags", [["tvm.Cell", "AAAA"]], "bad-boc"],
    ["values that the API cannot represent", [["unsupported", ""]], "invalid-params"],
    ["tuples without elements", [["tuple", { elements: 5 }]], "invalid-params"],
    ["nothing", [undefined], "invalid-params"],
    ["too many values", Array(8001).fill(["num", "1"]), "invalid-params"],
    ["values nested too deep", [["tuple", { elements: [nested(1030)] }]], "invalid-params"],
  ])("are refused if they are %s", (_, entries, code) => {
    expect(() => readArguments(entries)).toThrow(expect.objectContaining({ name: "RpcError", code }));
  });

  it("are refused if a cell has pruned parts", () => {
    // pruned_branch#01 level:01 hash depth
    const pruned = beginCell()
      .storeUint(0x0101, 16)
      .storeBytes(new Uint8Array(32))
      .storeUint(0, 16)
      .endExotic();
    const text = bocText(pruned);
    expect(cellOfBoc(Buffer.from(text, "base64"))).toBeUndefined();
    expect(() => readArguments([["tvm.Cell", text]])).toThrow(expect.objectContaining({ code: "bad-boc" }));
  });
});
