import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBoc, parseBocRoot, serializeBoc } from "../../server/cells/boc.js";
import { beginCell } from "../../server/cells/builder.js";
import type { Cell } from "../../server/cells/cell.js";
import { CellError } from "../../server/cells/cell-error.js";
import { flippedBits } from "../helpers/flipped-bits.js";

const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");
const refusal = (hostile: Uint8Array, options = {}) => {
  try {
    parseBoc(hostile, options);
  } catch (error) {
    return error instanceof CellError ? error.message.replace(/^invalid bag of cells: /, "") : error;
  }
  return "accepted";
};

describe("hostile bags of cells", () => {
  test.each([
    ["nothing", "", "truncated"],
    ["another magic", "b5ee9c73 01 01 01 01 00 02 00 0000", "unknown magic"],
    ["cell indices of no bytes", "b5ee9c72 00 01 01 01 00 02 00 0000", "invalid field sizes"],
    ["cell indices of five bytes", "b5ee9c72 05 01 01 01 00 02 00 0000", "invalid field sizes"],
    ["offsets of nine bytes", "b5ee9c72 01 09 01 01 00 02 00 0000", "invalid field sizes"],
    ["reserved flags", "b5ee9c72 09 01 01 01 00 02 00 0000", "invalid flags"],
    ["cache bits without an index", "b5ee9c72 21 01 01 01 00 02 00 0000", "invalid flags"],
    ["a truncated header", "b5ee9c72 04 08 00000001", "truncated"],
    [
      "4 billion cells",
      "b5ee9c72 04 01 ffffffff 00000001 00000000 02 00000000 0000",
      "4294967295 cells exceed the limit",
    ],
    [
      "more cells than bytes",
      "b5ee9c72 02 01 ffff 0001 0000 02 0000 0000",
      "too short for its number of cells",
    ],
    ["a size of 2^64", "b5ee9c72 01 08 01 01 00 ffffffffffffffff 00 0000", "truncated"],
    ["no root", "b5ee9c72 01 01 01 00 00 02 0000", "invalid number of roots"],
    ["more roots than cells", "b5ee9c72 01 01 01 02 00 02 00 00 0000", "invalid number of roots"],
    ["a root beyond the cells", "b5ee9c72 01 01 01 01 00 02 01 0000", "a root index is out of range"],
    ["absent cells", "b5ee9c72 01 01 02 01 01 04 00 00000000", "absent cells are not supported"],
    ["bytes after the end", "b5ee9c72 01 01 01 01 00 02 00 0000 00", "trailing bytes"],
    ["a wrong checksum", "b5ee9c72 41 01 01 01 00 02 00 0000 00000000", "checksum mismatch"],
    ["a wrong index", "b5ee9c72 81 01 01 01 00 02 00 03 0000", "the index does not match the cells"],
    [
      "a cell that refers to itself",
      "b5ee9c72 01 01 01 01 00 03 00 010000",
      "a reference does not point to a later cell",
    ],
    [
      "a cell that refers backwards",
      "b5ee9c72 01 01 02 01 00 06 00 010001 010000",
      "a reference does not point to a later cell",
    ],
    [
      "a cell that refers past the end",
      "b5ee9c72 01 01 01 01 00 03 00 010001",
      "a reference does not point to a later cell",
    ],
    [
      "five references",
      "b5ee9c72 01 01 01 01 00 07 00 05000101010101",
      "a cell has too many references or is absent",
    ],
    ["an absent cell", "b5ee9c72 01 01 01 01 00 02 00 1700", "a cell has too many references or is absent"],
    ["data beyond the end", "b5ee9c72 01 01 01 01 00 03 00 000400", "a cell is truncated"],
    ["a second cell beyond the end", "b5ee9c72 01 01 02 01 00 04 00 00020000", "a cell is truncated"],
    [
      "cells that do not fill the size",
      "b5ee9c72 01 01 01 01 00 03 00 000000",
      "the cells are shorter than the stated size",
    ],
    ["padding without a data bit", "b5ee9c72 01 01 01 01 00 03 00 000180", "a cell has invalid padding"],
    ["padding without its bit", "b5ee9c72 01 01 01 01 00 03 00 000100", "a cell has invalid padding"],
    ["a level without pruned cells", "b5ee9c72 01 01 01 01 00 02 00 2000", "a cell has a wrong level mask"],
    [
      "an exotic cell without type",
      "b5ee9c72 01 01 01 01 00 02 00 0800",
      "an exotic cell has an unknown type",
    ],
    [
      "an exotic cell of type 9",
      "b5ee9c72 01 01 01 01 00 03 00 080209",
      "an exotic cell has an unknown type",
    ],
    [
      "a short library cell",
      "b5ee9c72 01 01 01 01 00 03 00 080202",
      "a library cell has 8 bits and 0 references",
    ],
    [
      "a pruned cell of level 0",
      "b5ee9c72 01 01 01 01 00 04 00 08040100",
      "a pruned branch has level mask 0",
    ],
    ["a pruned cell of mask 8", "b5ee9c72 01 01 01 01 00 04 00 08040108", "a pruned branch has level mask 8"],
    [
      "a wrong stored hash",
      `b5ee9c72 01 01 01 01 00 24 00 1000 ${"00".repeat(34)}`,
      "a stored hash is wrong",
    ],
  ])("%s", (_title, hex, message) => {
    expect(refusal(bytes(hex))).toBe(message);
  });

  test("the caller's limits apply", () => {
    const chain = (length: number) => {
      let cell = beginCell().endCell();
      for (let i = 0; i < length; i++) cell = beginCell().storeUint(i, 32).storeRef(cell).endCell();
      return serializeBoc(cell);
    };
    expect(refusal(chain(9), { cells: 9 })).toBe("10 cells exceed the limit");
    expect(refusal(chain(9), { depth: 8 })).toBe("deeper than 8");
    expect(refusal(chain(9), { bytes: 20 })).toMatch(/^\d+ bytes exceed the limit$/);
    const leaf = beginCell().endCell();
    expect(refusal(serializeBoc([leaf, leaf, leaf]), { roots: 2 })).toBe("3 roots exceed the limit");
    expect(refusal(chain(1024))).toBe("accepted");
    expect(parseBocRoot(chain(1024)).depth()).toBe(1024);
  });

  test("a chain that is too deep is refused without recursion", () => {
    const count = 60_000;
    const cells = Array.from({ length: count - 1 }, (_, i) => {
      const next = (i + 1).toString(16).padStart(6, "0");
      return `0100${next}`;
    });
    const size = (5 * (count - 1) + 2).toString(16).padStart(6, "0");
    const header = `b5ee9c72 03 03 ${count.toString(16).padStart(6, "0")} 000001 000000 ${size} 000000`;
    expect(refusal(bytes(`${header}${cells.join("")}0000`))).toBe("the cell tree is deeper than 1024");
  });

  test("a tree that unfolds to 4^500 cells is parsed, hashed and serialized as its 501 cells", () => {
    let cell = beginCell().endCell();
    for (let i = 0; i < 500; i++) {
      const next = beginCell();
      for (let k = 0; k < 4; k++) next.storeRef(cell);
      cell = next.endCell();
    }
    const written = serializeBoc(cell);
    expect(parseBocRoot(written).hashHex()).toBe(cell.hashHex());
    expect(serializeBoc(parseBocRoot(written))).toEqual(written);
  });

  const sample = (): Cell => {
    const leaf = beginCell().storeUint(1, 33).endCell();
    return beginCell()
      .storeRef(leaf)
      .storeRef(beginCell().storeRef(leaf).storeBytes(new Uint8Array(50)).endCell())
      .endCell();
  };

  test("every truncation and every flipped bit of a bag with checksum is refused", () => {
    const good = serializeBoc(sample(), { index: true });
    for (let length = 0; length < good.length; length++)
      expect(() => parseBoc(good.subarray(0, length)), `length ${length}`).toThrow(CellError);
    for (const { bit, flipped } of flippedBits(good))
      expect(() => parseBoc(flipped), `bit ${bit}`).toThrow(CellError);
  });

  test("without checksum a changed byte gives a CellError or another tree, never anything else", () => {
    const good = serializeBoc(sample(), { crc32: false });
    fc.assert(
      fc.property(
        fc.nat(good.length - 1),
        fc.nat(255),
        fc.nat(good.length - 1),
        fc.nat(255),
        (i, a, j, b) => {
          const bad = Uint8Array.from(good);
          bad[i] = a;
          bad[j] = b;
          try {
            const [root] = parseBoc(bad);
            expect(root!.hash().length).toBe(32);
            expect(parseBoc(serializeBoc(root!))[0]!.equals(root!)).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(CellError);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});
