import { type Builder, beginCell, Address as CoreAddress, Cell as CoreCell, Dictionary } from "@ton/core";
import { describe, expect, it } from "vitest";
import { BodyPresenter } from "../../../../server/present/v3/body.js";
import { BodyTooLarge, Budget } from "../../../../shared/ton/bodies/budget.js";
import { firstThatFits } from "../../../../shared/ton/bodies/composed.js";
import { parseDeclarations } from "../../../../shared/ton/bodies/declaration.js";
import { Types } from "../../../../shared/ton/bodies/types.js";
import { BitString, type Fields, type Value } from "../../../../shared/ton/bodies/value.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { Address } from "../../../../shared/values/address.js";

const bytes = new Uint8Array(32).fill(0xab);
const hash = Buffer.from(bytes);
const address = new CoreAddress(-1, hash);
const ourAddress = new Address(-1, bytes);
const raw = `-1:${"AB".repeat(32)}`;
const ours = (cell: CoreCell): Cell => parseBocRoot(cell.toBoc());
const boc = (cell: CoreCell): string => cell.toBoc({ idx: false, crc32: false }).toString("base64");

/** Reads a cell, all of it, as the type X of some declarations. */
function readTyped(declarations: string, builder: Builder, budget?: Budget): Fields {
  const types = new Types(parseDeclarations(declarations));
  const cell = ours(builder.endCell());
  return firstThatFits(types.named("X")!, cell.parse(), budget ?? new Budget(cell), true);
}

/** The result in wire form. */
function read(declarations: string, builder: Builder): unknown {
  const presenter = new BodyPresenter(ours(builder.endCell()));
  return presenter.value(readTyped(declarations, builder, presenter.budget));
}
const readField = (type: string, builder: Builder) => (read(`_ f:${type} = X`, builder) as { f: unknown }).f;
const readTypedField = (type: string, builder: Builder) => readTyped(`_ f:${type} = X`, builder)["f"];

describe("Values", () => {
  it.each<[type: string, from: Builder, value: Value, wire: unknown]>([
    ["uint64", beginCell().storeUint(2n ** 64n - 1n, 64), 2n ** 64n - 1n, "18446744073709551615"],
    ["uint3", beginCell().storeUint(5, 3), 5n, "5"],
    ["int24", beginCell().storeInt(-57180, 24), -57180n, "-57180"],
    ["int257", beginCell().storeInt(-(2n ** 256n), 257), -(2n ** 256n), `-${2n ** 256n}`],
    ["uint8=4", beginCell().storeUint(4, 8), 4n, "4"],
    ["bits256", beginCell().storeBuffer(hash), bytes, "AB".repeat(32)],
    ["bits12", beginCell().storeUint(0xabc, 12), new BitString(0xabcn, 12), "ABC"],
    ["bits9", beginCell().storeUint(0b101010101, 9), new BitString(0b101010101n, 9), "AAC_"],
    ["bits0", beginCell(), new Uint8Array(), ""],
    ["Bool", beginCell().storeBit(true), true, true],
    ["Coins", beginCell().storeCoins(2n ** 100n), 2n ** 100n, String(2n ** 100n)],
    ["VarUint32", beginCell().storeVarUint(2n ** 200n, 5), 2n ** 200n, String(2n ** 200n)],
    ["MsgAddress", beginCell().storeAddress(address), ourAddress, raw],
    ["MsgAddress", beginCell().storeAddress(null), undefined, null],
    ["MsgAddressInt", beginCell().storeAddress(address), ourAddress, raw],
    [
      "MsgAddressExt",
      beginCell().storeUint(1, 2).storeUint(9, 9).storeUint(0b101010101, 9),
      new BitString(0b101010101n, 9),
      "AAC_",
    ],
    ["MsgAddressExt", beginCell().storeUint(0, 2), undefined, null],
    ["AnyAddress", beginCell().storeAddress(address), ourAddress, raw],
    ["AnyAddress", beginCell().storeUint(0, 2), undefined, null],
    ["AnyAddress", beginCell().storeUint(0b01, 2).storeUint(9, 9).storeUint(0, 9), undefined, null],
    [
      "AnyAddress",
      beginCell().storeUint(0b101, 3).storeUint(4, 5).storeUint(0, 4).storeInt(0, 8).storeBuffer(hash),
      new Address(0, bytes),
      `0:${"AB".repeat(32)}`,
    ],
    [
      "AnyAddress",
      beginCell().storeUint(0b110, 3).storeUint(16, 9).storeInt(0, 32).storeUint(0, 16),
      undefined,
      null,
    ],
    ["None", beginCell(), undefined, null],
    ["End", beginCell(), {}, {}],
    [
      "Text",
      beginCell().storeStringTail("ünïcödé ".repeat(40)),
      "ünïcödé ".repeat(40),
      "ünïcödé ".repeat(40),
    ],
    ["^Text", beginCell().storeRef(beginCell().storeStringTail("a").endCell()), "a", "a"],
    ["ShortText", beginCell().storeUint(3, 8).storeBuffer(Buffer.from("abc")), "abc", "abc"],
    [
      "ChunkedText",
      beginCell()
        .storeUint(2, 8)
        .storeUint(1, 8)
        .storeBuffer(Buffer.from("a"))
        .storeRef(beginCell().storeUint(2, 8).storeBuffer(Buffer.from("bc"))),
      "abc",
      "abc",
    ],
    ["Bytes", beginCell().storeBuffer(Buffer.from("dead", "hex")), new Uint8Array([0xde, 0xad]), "DEAD"],
    ["?Coins", beginCell().storeBit(false), undefined, null],
    ["?Coins", beginCell().storeBit(true).storeCoins(1), 1n, "1"],
    ["(Either Coins uint8)", beginCell().storeBit(false).storeCoins(9), 9n, "9"],
    ["(Either Coins uint8)", beginCell().storeBit(true).storeUint(200, 8), 200n, "200"],
    ["^uint8", beginCell().storeRef(beginCell().storeUint(7, 8)), 7n, "7"],
    [
      "[a:uint8 b:Bool]",
      beginCell().storeUint(7, 8).storeBit(false),
      { a: 7n, b: false },
      { a: "7", b: false },
    ],
    ["(Many uint8)", beginCell().storeUint(0x010203, 24), [1n, 2n, 3n], ["1", "2", "3"]],
    ["(Many uint8)", beginCell(), [], []],
    [
      "(Chain uint8)",
      beginCell()
        .storeUint(1, 8)
        .storeRef(beginCell().storeUint(2, 8).storeRef(beginCell().storeUint(3, 8))),
      [1n, 2n, 3n],
      ["1", "2", "3"],
    ],
    [
      "^(Actions uint8)",
      beginCell().storeRef(
        beginCell().storeRef(beginCell().storeRef(beginCell()).storeUint(1, 8)).storeUint(2, 8),
      ),
      [1n, 2n],
      ["1", "2"],
    ],
    [
      "(HashmapE 16 uint8)",
      beginCell().storeDict(
        Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Uint(8)).set(1, 2).set(65535, 4),
      ),
      new Map([
        [1n, 2n],
        [65535n, 4n],
      ]),
      { "1": "2", "65535": "4" },
    ],
    ["(HashmapE 16 uint8)", beginCell().storeBit(false), new Map(), {}],
    [
      "(HashmapE 256 Bool)",
      beginCell().storeDict(
        Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Bool()).set(hash, true),
      ),
      new Map([[bytes, true]]),
      { ["AB".repeat(32)]: true },
    ],
    [
      "(HashmapE 267 Bool)",
      beginCell().storeDict(
        Dictionary.empty(Dictionary.Keys.Address(), Dictionary.Values.Bool()).set(address, true),
      ),
      new Map([[ourAddress, true]]),
      { [raw]: true },
    ],
    [
      "^(Hashmap 8 ^uint8)",
      beginCell().storeRef(
        beginCell().storeDictDirect(
          Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell())
            .set(0, beginCell().storeUint(1, 8).endCell())
            .set(9, beginCell().storeUint(2, 8).endCell()),
        ),
      ),
      new Map([
        [0n, 1n],
        [9n, 2n],
      ]),
      { "0": "1", "9": "2" },
    ],
  ])("of %s", (type, from, value, wire) => {
    expect(readTypedField(type, from)).toEqual(value);
    expect(readField(type, from)).toEqual(wire);
  });

  it("that are cells are presented as bags of cells, empty ones as such", () => {
    const inner = beginCell().storeUint(7, 8).endCell();
    for (const [type, from] of [
      ["^Cell", beginCell().storeRef(inner)],
      ["Cell", beginCell().storeUint(7, 8)],
      ["Payload", beginCell().storeBit(true).storeRef(inner)],
    ] as const)
      expect((readTypedField(type, from) as Cell).hash()).toEqual(new Uint8Array(inner.hash()));
    expect(readField("^Cell", beginCell().storeRef(inner))).toBe(boc(inner));
    expect(readField("Cell", beginCell().storeUint(7, 8))).toBe(boc(inner));
    expect(readField("Payload", beginCell().storeBit(true).storeRef(inner))).toBe(boc(inner));
    expect(readField("Payload", beginCell().storeBit(false).storeUint(7, 8))).toBe(boc(inner));
    expect(readField("Payload", beginCell().storeBit(false))).toEqual({ "@type": "empty_cell" });
    expect(readField("^Cell", beginCell().storeRef(CoreCell.EMPTY))).toEqual({ "@type": "empty_cell" });
  });

  it.each<[string, Builder]>([
    ["uint64", beginCell().storeUint(0, 63)],
    ["uint64", beginCell().storeUint(0, 65)],
    ["uint8=4", beginCell().storeUint(5, 8)],
    ["MsgAddress", beginCell().storeUint(1, 2).storeUint(0, 9)],
    ["MsgAddressInt", beginCell().storeAddress(null)],
    ["End", beginCell().storeBit(false)],
    ["End", beginCell().storeRef(beginCell())],
    ["MsgAddressExt", beginCell().storeAddress(address)],
    ["Never", beginCell()],
    ["Text", beginCell().storeUint(0, 7)],
    ["ShortText", beginCell().storeUint(3, 8).storeUint(0, 16)],
    ["^uint8", beginCell().storeRef(beginCell().storeUint(7, 9))],
    ["^uint8", beginCell().storeRef(beginCell().storeUint(7, 8).storeRef(CoreCell.EMPTY))],
    ["^uint8", beginCell()],
    ["(Many uint8)", beginCell().storeUint(0, 12)],
    ["(Chain uint8)", beginCell().storeUint(1, 8).storeRef(beginCell().storeUint(2, 9))],
    ["(HashmapE 16 uint8)", beginCell().storeBit(true).storeRef(CoreCell.EMPTY)],
    [
      "(HashmapE 16 uint8)",
      beginCell().storeDict(Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Uint(9)).set(1, 2)),
    ],
  ])("of %s are refused if the cell does not match exactly", (type, builder) => {
    expect(() => readField(type, builder)).toThrow("no constructor fits");
  });
});

describe("Types", () => {
  it("have the name of the first constructor that fits", () => {
    const asset = "native$0000 = A\njetton$0001 address:bits8 = A\n_ asset:A rest:uint4 = X";
    expect(read(asset, beginCell().storeUint(0x05, 8))).toEqual({ asset: { "@type": "native" }, rest: "5" });
    expect(read(asset, beginCell().storeUint(0x1ab5, 16))).toEqual({
      asset: { "@type": "jetton", address: "AB" },
      rest: "5",
    });
    expect(() => read(asset, beginCell().storeUint(0x25, 8))).toThrow("no constructor fits");
  });

  it("in a separate cell must fill it", () => {
    const pair = "one a:uint8 = T\ntwo a:uint8 b:uint8 = T\n_ t:^T = X";
    expect(read(pair, beginCell().storeRef(beginCell().storeUint(1, 8)))).toEqual({
      t: { "@type": "one", a: "1" },
    });
    expect(read(pair, beginCell().storeRef(beginCell().storeUint(0x0102, 16)))).toEqual({
      t: { "@type": "two", a: "1", b: "2" },
    });
  });

  it("merge the fields of unnamed fields into the record", () => {
    const mixed = "inner b:uint8 = I\n_ a:uint8 _:I _:^[c:uint8] d:uint8 = X";
    expect(read(mixed, beginCell().storeUint(0x010204, 24).storeRef(beginCell().storeUint(3, 8)))).toEqual({
      a: "1",
      b: "2",
      c: "3",
      d: "4",
    });
  });

  it("omit conditional fields", () => {
    const flagged = "_ n:uint4 f:(If n uint4) = X";
    expect(read(flagged, beginCell().storeUint(0, 4))).toEqual({ n: "0", f: null });
    expect(read(flagged, beginCell().storeUint(0x17, 8))).toEqual({ n: "1", f: "7" });
  });

  it("may be recursive up to a depth", () => {
    const chained = "_ a:uint8 next:?^X = X";
    const nest = (depth: number): Builder =>
      depth === 0
        ? beginCell().storeUint(0, 8).storeBit(false)
        : beginCell()
            .storeUint(depth, 8)
            .storeBit(true)
            .storeRef(nest(depth - 1));
    expect(read(chained, nest(2))).toEqual({ a: "2", next: { a: "1", next: { a: "0", next: null } } });
    expect(read(chained, nest(64))).toMatchObject({ a: "64" });
    expect(() => read(chained, nest(65))).toThrow("no constructor fits");
  });

  it("must be known", () => {
    for (const type of ["Unknown", "(Unknown Cell)", "^Unknown", "uint"])
      expect(() => new Types(parseDeclarations(`_ f:${type} = X`))).toThrow(
        "is not a type known to the declarations",
      );
  });

  it("of the outer family are known", () => {
    const outer = new Types(parseDeclarations("_ a:uint8 = Outer"));
    const types = new Types(parseDeclarations("_ o:Outer = X"), outer);
    const cell = ours(beginCell().storeUint(5, 8).endCell());
    expect(firstThatFits(types.named("X")!, cell.parse(), new Budget(cell))).toEqual({ o: { a: 5n } });
  });
});

describe("The budget", () => {
  // 2^10 entries in 11 cells, which cost most of the budget of so small a body.
  const shared = (value: number) => {
    let node = beginCell().storeUint(0, 2).storeUint(1, 8).endCell();
    for (let bit = 0; bit < 10; bit++)
      node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell();
    return beginCell().storeBit(true).storeRef(node).storeUint(value, 8);
  };
  const constructors = (values: readonly number[]) =>
    values.map((value) => `x${value} f:(HashmapE 10 uint8) g:uint8=${value} = X`).join("\n");

  it("is not spent by alternatives that do not fit", () => {
    expect(readTyped(constructors([1, 2]), shared(2))).toMatchObject({ $type: "x2", g: 2n });
  });

  it("bounds the total cost of alternatives", () => {
    const values = [1, 2, 3, 4, 5, 6];
    expect(() => readTyped(constructors(values), shared(6))).toThrow(BodyTooLarge);
  });

  it("stops at a dictionary that expands by sharing branches", () => {
    // Every fork leads to one cell twice: 2^16 entries in 17 cells.
    let node = beginCell().storeUint(0, 2).storeUint(1, 8).endCell();
    for (let bit = 0; bit < 16; bit++)
      node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell();
    expect(() => readField("(HashmapE 16 uint8)", beginCell().storeBit(true).storeRef(node))).toThrow(
      BodyTooLarge,
    );
  });

  it("allows the whole text of a large body", () => {
    const text = "x".repeat(100_000);
    expect(readField("Text", beginCell().storeStringTail(text))).toBe(text);
  });
});
