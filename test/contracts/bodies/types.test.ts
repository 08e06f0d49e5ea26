import { Address, type Builder, beginCell, Cell as CoreCell, Dictionary } from "@ton/core";
import { describe, expect, it } from "vitest";
import { parseBocRoot } from "../../../server/cells/boc.js";
import type { Cell } from "../../../server/cells/cell.js";
import { firstThatFits } from "../../../server/contracts/bodies/composed.js";
import { parseDeclarations } from "../../../server/contracts/bodies/declaration.js";
import { Reading, TooMuchToTell } from "../../../server/contracts/bodies/reading.js";
import { Types } from "../../../server/contracts/bodies/types.js";

const hash = Buffer.alloc(32, 0xab);
const address = new Address(-1, hash);
const raw = `-1:${"AB".repeat(32)}`;
const ours = (cell: CoreCell): Cell => parseBocRoot(cell.toBoc());
const boc = (cell: CoreCell): string => cell.toBoc({ idx: false, crc32: false }).toString("base64");

/** Reads a cell, all of it, as the type X of some declarations. */
function read(declarations: string, builder: Builder): unknown {
  const types = new Types(parseDeclarations(declarations));
  const cell = ours(builder.endCell());
  const reading = new Reading(cell, () => undefined);
  return firstThatFits(types.named("X")!, cell.parse(), reading, (left) => left.end());
}
const readField = (type: string, builder: Builder) => (read(`_ f:${type} = X`, builder) as { f: unknown }).f;

describe("Values", () => {
  it.each<[string, Builder, unknown]>([
    ["uint64", beginCell().storeUint(2n ** 64n - 1n, 64), "18446744073709551615"],
    ["uint3", beginCell().storeUint(5, 3), "5"],
    ["int24", beginCell().storeInt(-57180, 24), "-57180"],
    ["int257", beginCell().storeInt(-(2n ** 256n), 257), `-${2n ** 256n}`],
    ["uint8=4", beginCell().storeUint(4, 8), "4"],
    ["bits256", beginCell().storeBuffer(hash), "AB".repeat(32)],
    ["bits12", beginCell().storeUint(0xabc, 12), "ABC"],
    ["bits9", beginCell().storeUint(0b101010101, 9), "AAC_"],
    ["bits0", beginCell(), ""],
    ["Bool", beginCell().storeBit(true), true],
    ["Coins", beginCell().storeCoins(2n ** 100n), String(2n ** 100n)],
    ["VarUint32", beginCell().storeVarUint(2n ** 200n, 5), String(2n ** 200n)],
    ["MsgAddress", beginCell().storeAddress(address), raw],
    ["MsgAddress", beginCell().storeAddress(null), null],
    ["MsgAddressExt", beginCell().storeUint(1, 2).storeUint(9, 9).storeUint(0b101010101, 9), "AAC_"],
    ["MsgAddressExt", beginCell().storeUint(0, 2), null],
    ["None", beginCell(), null],
    ["Text", beginCell().storeStringTail("ünïcödé ".repeat(40)), "ünïcödé ".repeat(40)],
    ["^Text", beginCell().storeRef(beginCell().storeStringTail("a").endCell()), "a"],
    ["ShortText", beginCell().storeUint(3, 8).storeBuffer(Buffer.from("abc")), "abc"],
    [
      "ChunkedText",
      beginCell()
        .storeUint(2, 8)
        .storeUint(1, 8)
        .storeBuffer(Buffer.from("a"))
        .storeRef(beginCell().storeUint(2, 8).storeBuffer(Buffer.from("bc"))),
      "abc",
    ],
    ["Bytes", beginCell().storeBuffer(Buffer.from("dead", "hex")), "DEAD"],
    ["?Coins", beginCell().storeBit(false), null],
    ["?Coins", beginCell().storeBit(true).storeCoins(1), "1"],
    ["(Either Coins uint8)", beginCell().storeBit(false).storeCoins(9), "9"],
    ["(Either Coins uint8)", beginCell().storeBit(true).storeUint(200, 8), "200"],
    ["^uint8", beginCell().storeRef(beginCell().storeUint(7, 8)), "7"],
    ["[a:uint8 b:Bool]", beginCell().storeUint(7, 8).storeBit(false), { a: "7", b: false }],
    ["(Many uint8)", beginCell().storeUint(0x010203, 24), ["1", "2", "3"]],
    ["(Many uint8)", beginCell(), []],
    [
      "(Chain uint8)",
      beginCell()
        .storeUint(1, 8)
        .storeRef(beginCell().storeUint(2, 8).storeRef(beginCell().storeUint(3, 8))),
      ["1", "2", "3"],
    ],
    [
      "^(Actions uint8)",
      beginCell().storeRef(
        beginCell().storeRef(beginCell().storeRef(beginCell()).storeUint(1, 8)).storeUint(2, 8),
      ),
      ["1", "2"],
    ],
    [
      "(HashmapE 16 uint8)",
      beginCell().storeDict(
        Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Uint(8)).set(1, 2).set(65535, 4),
      ),
      { "1": "2", "65535": "4" },
    ],
    ["(HashmapE 16 uint8)", beginCell().storeBit(false), {}],
    [
      "(HashmapE 256 Bool)",
      beginCell().storeDict(
        Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Bool()).set(hash, true),
      ),
      { ["AB".repeat(32)]: true },
    ],
    [
      "(HashmapE 267 Bool)",
      beginCell().storeDict(
        Dictionary.empty(Dictionary.Keys.Address(), Dictionary.Values.Bool()).set(address, true),
      ),
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
      { "0": "1", "9": "2" },
    ],
  ])("of %s", (type, builder, expected) => {
    expect(readField(type, builder)).toEqual(expected);
  });

  it("that are cells are bags, and empty ones say so", () => {
    const inner = beginCell().storeUint(7, 8).endCell();
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
  ])("of %s are refused when they are not exactly that", (type, builder) => {
    expect(() => readField(type, builder)).toThrow("no constructor fits");
  });
});

describe("Types", () => {
  it("are told with the name of the constructor that fits, the first one first", () => {
    const asset = "native$0000 = A\njetton$0001 address:bits8 = A\n_ asset:A rest:uint4 = X";
    expect(read(asset, beginCell().storeUint(0x05, 8))).toEqual({ asset: { "@type": "native" }, rest: "5" });
    expect(read(asset, beginCell().storeUint(0x1ab5, 16))).toEqual({
      asset: { "@type": "jetton", address: "AB" },
      rest: "5",
    });
    expect(() => read(asset, beginCell().storeUint(0x25, 8))).toThrow("no constructor fits");
  });

  it("in a cell of their own are chosen by what fills the cell", () => {
    const pair = "one a:uint8 = T\ntwo a:uint8 b:uint8 = T\n_ t:^T = X";
    expect(read(pair, beginCell().storeRef(beginCell().storeUint(1, 8)))).toEqual({
      t: { "@type": "one", a: "1" },
    });
    expect(read(pair, beginCell().storeRef(beginCell().storeUint(0x0102, 16)))).toEqual({
      t: { "@type": "two", a: "1", b: "2" },
    });
  });

  it("mix fields without a name into what they are part of", () => {
    const mixed = "inner b:uint8 = I\n_ a:uint8 _:I _:^[c:uint8] d:uint8 = X";
    expect(read(mixed, beginCell().storeUint(0x010204, 24).storeRef(beginCell().storeUint(3, 8)))).toEqual({
      a: "1",
      b: "2",
      c: "3",
      d: "4",
    });
  });

  it("leave out what a field before says is not there", () => {
    const flagged = "_ n:uint4 f:(If n uint4) = X";
    expect(read(flagged, beginCell().storeUint(0, 4))).toEqual({ n: "0", f: null });
    expect(read(flagged, beginCell().storeUint(0x17, 8))).toEqual({ n: "1", f: "7" });
  });

  it("may contain themselves, but not endlessly", () => {
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
      expect(() => new Types(parseDeclarations(`_ f:${type} = X`))).toThrow("is no type of a body");
  });

  it("of another family are known where it is the outer one", () => {
    const outer = new Types(parseDeclarations("_ a:uint8 = Outer"));
    const types = new Types(parseDeclarations("_ o:Outer = X"), outer);
    const cell = ours(beginCell().storeUint(5, 8).endCell());
    const reading = new Reading(cell, () => undefined);
    expect(firstThatFits(types.named("X")!, cell.parse(), reading)).toEqual({ o: { a: "5" } });
  });
});

describe("A reading", () => {
  it("ends when a dictionary that shares its branches has too much to tell", () => {
    // Every fork leads to one cell twice: 2^16 entries in 17 cells.
    let node = beginCell().storeUint(0, 2).storeUint(1, 8).endCell();
    for (let bit = 0; bit < 16; bit++)
      node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell();
    expect(() => readField("(HashmapE 16 uint8)", beginCell().storeBit(true).storeRef(node))).toThrow(
      TooMuchToTell,
    );
  });

  it("may tell as much as a large body has in it", () => {
    const text = "x".repeat(100_000);
    expect(readField("Text", beginCell().storeStringTail(text))).toBe(text);
  });
});
