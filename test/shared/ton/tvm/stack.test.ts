import * as core from "@ton/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { loadStack } from "../../../../shared/ton/tvm/load-stack.js";
import { type StackValue, stackLimits } from "../../../../shared/ton/tvm/stack.js";
import { stackBoc, storeStack, storeStackValue } from "../../../../shared/ton/tvm/store-stack.js";
import { fromCore, toCore } from "../../../helpers/chain/core-cell.js";

const leaf = beginCell().storeUint(5, 3).storeRef(beginCell().storeUint(77, 8).endCell()).endCell();
const int = (value: bigint): StackValue => ({ type: "int", value });
const tuple = (...items: StackValue[]): StackValue => ({ type: "tuple", items });

/** The same value in @ton/core. */
function coreItem(value: StackValue): core.TupleItem {
  switch (value.type) {
    case "int":
      return { type: "int", value: value.value };
    case "cell":
    case "slice":
    case "builder":
      return { type: value.type, cell: toCore(value.cell) };
    case "tuple":
      return { type: "tuple", items: value.items.map(coreItem) };
    case "continuation":
      throw new Error("the oracle has no continuations");
    default:
      return { type: value.type };
  }
}

const anyValue = fc.letrec<{ value: StackValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<StackValue>({ type: "null" }, { type: "nan" }),
    fc.bigInt(-(1n << 256n), (1n << 256n) - 1n).map(int),
    fc.bigInt(-(1n << 63n), (1n << 63n) - 1n).map(int),
    fc.constantFrom<StackValue>(
      { type: "cell", cell: leaf },
      { type: "slice", cell: leaf },
      { type: "builder", cell: Cell.empty },
    ),
    fc.array(tie("value"), { maxLength: 6 }).map((items) => tuple(...items)),
  ),
})).value;

/** A stack with one value, built by hand. */
function stackOf(write: (builder: ReturnType<typeof beginCell>) => void): Cell {
  const builder = beginCell().storeUint(1, 24).storeRef(Cell.empty);
  write(builder);
  return builder.endCell();
}

describe("the stack codec", () => {
  it("encodes every type of value as @ton/core does, and decodes it", () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 8 }), (values) => {
        const cell = storeStack(values);
        const expected = fromCore(core.serializeTuple(values.map(coreItem)));
        expect(cell.hashHex()).toBe(expected.hashHex());
        expect(plain(loadStack(cell))).toEqual(plain(values));
      }),
      { numRuns: 300 },
    );
  });

  it("accepts integers at the limits of 64 and 257 bits", () => {
    const edges = [
      0n,
      2n ** 63n - 1n,
      2n ** 63n,
      -(2n ** 63n),
      -(2n ** 63n) - 1n,
      2n ** 256n - 1n,
      -(2n ** 256n),
    ];
    expect(loadStack(storeStack(edges.map(int)))).toEqual(edges.map(int));
    expect(() => storeStack([int(2n ** 256n)])).toThrow();
  });

  it("preserves tuples of any length, nested ones too", () => {
    const long = tuple(...Array.from({ length: 255 }, (_, index) => tuple(int(BigInt(index)))));
    expect(loadStack(storeStack([long, tuple()]))).toEqual([long, tuple()]);
  });

  it("reduces a slice to its bounds", () => {
    const slice = stackOf((builder) =>
      builder
        .storeUint(4, 8)
        .storeRef(leaf)
        .storeUint(1, 10)
        .storeUint(3, 10)
        .storeUint(1, 3)
        .storeUint(1, 3),
    );
    const [value] = loadStack(slice);
    expect(value).toMatchObject({ type: "slice" });
    expect((value as { cell: Cell }).cell.hashHex()).toBe(beginCell().storeUint(1, 2).endCell().hashHex());
  });

  it.each([
    ["a slice that ends behind its cell", [0, 4, 0, 0]],
    ["a slice that begins behind its end", [2, 1, 0, 0]],
    ["a slice with more references than its cell", [0, 3, 0, 2]],
  ])("refuses %s", (_, [startBit, endBit, startRef, endRef]) => {
    const slice = stackOf((builder) =>
      builder
        .storeUint(4, 8)
        .storeRef(leaf)
        .storeUint(startBit!, 10)
        .storeUint(endBit!, 10)
        .storeUint(startRef!, 3)
        .storeUint(endRef!, 3),
    );
    expect(() => loadStack(slice)).toThrow("a stack slice ends outside its cell");
  });

  it("does not decode a continuation, and encodes it unchanged", () => {
    const continuation: StackValue = { type: "continuation", cell: leaf };
    const cell = storeStack([continuation, int(1n), tuple(continuation)]);
    expect(plain(loadStack(cell))).toEqual(plain([continuation, int(1n), tuple(continuation)]));
  });

  it("rejects unknown tags, trailing data and missing data", () => {
    expect(() => loadStack(stackOf((builder) => builder.storeUint(8, 8)))).toThrow("stack value: 8");
    expect(() => loadStack(stackOf((builder) => builder.storeUint(0x02fe, 16)))).toThrow("unknown tag");
    expect(() => loadStack(stackOf((builder) => builder.storeUint(0, 9)))).toThrow();
    expect(() => loadStack(stackOf((builder) => builder.storeUint(1, 8)))).toThrow();
    expect(() => loadStack(beginCell().storeUint(3, 24).endCell())).toThrow();
  });

  it("rejects more than 8000 values, however few cells contain them", () => {
    // Each level contains the one below it twice: 2^40 values in 40 cells.
    let value = beginCell().storeUint(0, 8).endCell();
    for (let level = 0; level < 40; level++)
      value = beginCell().storeUint(7, 8).storeUint(2, 16).storeRef(value).storeRef(value).endCell();
    const stack = stackOf((builder) => builder.storeSlice(value.parse()));
    expect(() => loadStack(stack)).toThrow(expect.objectContaining({ code: "size" }));
    const many = tuple(...Array.from({ length: 200 }, () => tuple(...Array<StackValue>(40).fill(int(0n)))));
    expect(() => storeStack([many])).toThrow(expect.objectContaining({ code: "size" }));
  });

  it("counts only the items of a list, however its pairs are nested", () => {
    const list = (count: number) =>
      Array.from({ length: count }).reduce<StackValue>((rest) => tuple(int(1n), rest), { type: "null" });
    const read = (value: StackValue) => {
      const { boc } = stackBoc([value]);
      return loadStack(parseBocRoot(boc, { depth: 10_000 }));
    };
    expect(plain(read(list(1000)))).toEqual(plain([list(1000)]));
    let [rest, items] = [read(list(8000))[0]!, 0];
    for (; rest.type === "tuple"; rest = rest.items[1]!) items++;
    expect([items, rest]).toEqual([8000, { type: "null" }]);
    expect(() => read(list(8001))).toThrow(expect.objectContaining({ code: "size" }));
    // Pairs that do not end in null are no list: each is a separate level.
    const pairs = (count: number) =>
      Array.from({ length: count }).reduce<StackValue>((last) => tuple(int(1n), last), int(2n));
    expect(plain(read(pairs(1023)))).toEqual(plain([pairs(1023)]));
    expect(() => read(pairs(1024))).toThrow(expect.objectContaining({ code: "depth" }));
  });

  it("rejects pairs that are nested too deep in their first items, without descending further", () => {
    let nested: StackValue = int(0n);
    for (let level = 0; level < 20_000; level++) nested = tuple(nested, int(0n));
    expect(() => storeStackValue(nested)).toThrow(expect.objectContaining({ code: "depth" }));
  });

  it("rejects values or cells that are nested too deep", () => {
    let nested: StackValue = int(0n);
    for (let level = 0; level < stackLimits.depth; level++) nested = tuple(nested);
    expect(() => storeStackValue(nested)).toThrow(expect.objectContaining({ code: "depth" }));
    const wide = Array<StackValue>(2000).fill(int(0n));
    expect(() => storeStack(wide)).toThrow(expect.objectContaining({ code: "depth" }));
  });
});

/** Cells by their hash, for comparison. */
function plain(values: readonly StackValue[]): unknown[] {
  return values.map((value) => {
    if (value.type === "tuple") return { type: "tuple", items: plain(value.items) };
    return "cell" in value ? { type: value.type, hash: value.cell.hashHex() } : value;
  });
}
