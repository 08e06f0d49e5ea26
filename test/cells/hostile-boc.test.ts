import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBoc, parseBocRoot, serializeBoc } from "../../server/cells/boc.js";
import { beginCell } from "../../server/cells/builder.js";
import type { Cell } from "../../server/cells/cell.js";
import { CellError } from "../../server/cells/cell-error.js";
import { allowSlowTests } from "../helpers/slow-tests.js";

allowSlowTests();

const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");
const refusal = (hostile: Uint8Array, options = {}) => {
  try {
    parseBoc(hostile, options);
  } catch (error) {
    return error instanceof CellError ? error.message.replace(/^this is no valid bag of cells: /, "") : error;
  }
  return "accepted";
};

describe("hostile bags of cells", () => {
  test.each([
    ["nothing", "", "it is cut off"],
    ["another magic", "b5ee9c73 01 01 01 01 00 02 00 0000", "it does not start like one"],
    ["cell indices of no bytes", "b5ee9c72 00 01 01 01 00 02 00 0000", "its field sizes are wrong"],
    ["cell indices of five bytes", "b5ee9c72 05 01 01 01 00 02 00 0000", "its field sizes are wrong"],
    ["offsets of nine bytes", "b5ee9c72 01 09 01 01 00 02 00 0000", "its field sizes are wrong"],
    ["reserved flags", "b5ee9c72 09 01 01 01 00 02 00 0000", "its flags are wrong"],
    ["cache bits without an index", "b5ee9c72 21 01 01 01 00 02 00 0000", "its flags are wrong"],
    ["a header cut off", "b5ee9c72 04 08 00000001", "it is cut off"],
    [
      "4 billion cells",
      "b5ee9c72 04 01 ffffffff 00000001 00000000 02 00000000 0000",
      "4294967295 cells are too many",
    ],
    ["more cells than bytes", "b5ee9c72 02 01 ffff 0001 0000 02 0000 0000", "its cells do not fit its size"],
    ["a size of 2^64", "b5ee9c72 01 08 01 01 00 ffffffffffffffff 00 0000", "it is cut off"],
    ["no root", "b5ee9c72 01 01 01 00 00 02 0000", "its number of roots is wrong"],
    ["more roots than cells", "b5ee9c72 01 01 01 02 00 02 00 00 0000", "its number of roots is wrong"],
    ["a root beyond the cells", "b5ee9c72 01 01 01 01 00 02 01 0000", "a root is not among its cells"],
    ["absent cells", "b5ee9c72 01 01 02 01 01 04 00 00000000", "some of its cells are absent"],
    ["bytes after the end", "b5ee9c72 01 01 01 01 00 02 00 0000 00", "bytes follow its end"],
    ["a wrong checksum", "b5ee9c72 41 01 01 01 00 02 00 0000 00000000", "its checksum is wrong"],
    ["a wrong index", "b5ee9c72 81 01 01 01 00 02 00 03 0000", "its index is wrong"],
    [
      "a cell that refers to itself",
      "b5ee9c72 01 01 01 01 00 03 00 010000",
      "a reference does not lead forward",
    ],
    [
      "a cell that refers backwards",
      "b5ee9c72 01 01 02 01 00 06 00 010001 010000",
      "a reference does not lead forward",
    ],
    [
      "a cell that refers beyond",
      "b5ee9c72 01 01 01 01 00 03 00 010001",
      "a reference does not lead forward",
    ],
    [
      "five references",
      "b5ee9c72 01 01 01 01 00 07 00 05000101010101",
      "a cell has too many references or is absent",
    ],
    ["an absent cell", "b5ee9c72 01 01 01 01 00 02 00 1700", "a cell has too many references or is absent"],
    ["data beyond the end", "b5ee9c72 01 01 01 01 00 03 00 000400", "a cell is cut off"],
    ["a second cell beyond the end", "b5ee9c72 01 01 02 01 00 04 00 00020000", "a cell is cut off"],
    [
      "cells that do not fill the size",
      "b5ee9c72 01 01 01 01 00 03 00 000000",
      "its cells do not fill its size",
    ],
    ["padding without a data bit", "b5ee9c72 01 01 01 01 00 03 00 000180", "the padding of a cell is wrong"],
    ["padding without its bit", "b5ee9c72 01 01 01 01 00 03 00 000100", "the padding of a cell is wrong"],
    ["a level without pruned cells", "b5ee9c72 01 01 01 01 00 02 00 2000", "a cell states a wrong level"],
    ["an exotic cell without type", "b5ee9c72 01 01 01 01 00 02 00 0800", "an exotic cell has no known type"],
    ["an exotic cell of type 9", "b5ee9c72 01 01 01 01 00 03 00 080209", "an exotic cell has no known type"],
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
      "a stored hash that is wrong",
      `b5ee9c72 01 01 01 01 00 24 00 1000 ${"00".repeat(34)}`,
      "a stored hash is wrong",
    ],
  ])("%s", (_title, hex, message) => {
    expect(refusal(bytes(hex))).toBe(message);
  });

  test("limits of the caller hold", () => {
    const chain = (length: number) => {
      let cell = beginCell().endCell();
      for (let i = 0; i < length; i++) cell = beginCell().storeUint(i, 32).storeRef(cell).endCell();
      return serializeBoc(cell);
    };
    expect(refusal(chain(9), { cells: 9 })).toBe("10 cells are too many");
    expect(refusal(chain(9), { depth: 8 })).toBe("it is deeper than 8");
    expect(refusal(chain(9), { bytes: 20 })).toMatch(/^\d+ bytes are too many$/);
    const leaf = beginCell().endCell();
    expect(refusal(serializeBoc([leaf, leaf, leaf]), { roots: 2 })).toBe("3 roots are too many");
    expect(refusal(chain(1024))).toBe("accepted");
    expect(parseBocRoot(chain(1024)).depth()).toBe(1024);
  });

  test("a chain one cell too deep is refused before anything walks down it", () => {
    const count = 60_000;
    const cells = Array.from({ length: count - 1 }, (_, i) => {
      const next = (i + 1).toString(16).padStart(6, "0");
      return `0100${next}`;
    });
    const size = (5 * (count - 1) + 2).toString(16).padStart(6, "0");
    const header = `b5ee9c72 03 03 ${count.toString(16).padStart(6, "0")} 000001 000000 ${size} 000000`;
    expect(refusal(bytes(`${header}${cells.join("")}0000`))).toBe("a tree of cells is deeper than 1024");
  });

  test("a tree that unfolds to 4^500 cells is read, hashed and written as its 501 cells", () => {
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

  test("every cut and every flipped bit of a bag with checksum is refused", () => {
    const good = serializeBoc(sample(), { index: true });
    for (let length = 0; length < good.length; length++)
      expect(() => parseBoc(good.subarray(0, length)), `length ${length}`).toThrow(CellError);
    for (let bit = 0; bit < good.length * 8; bit++) {
      const bad = Uint8Array.from(good);
      bad[bit >> 3]! ^= 0x80 >> (bit & 7);
      expect(() => parseBoc(bad), `bit ${bit}`).toThrow(CellError);
    }
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
