import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBoc, parseBocRoot, serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { CellError } from "../../../../shared/ton/cells/cell-error.js";
import { flippedBits } from "../../../helpers/chain/flipped-bits.js";
import { bagOf, hostileBags } from "../../../helpers/chain/hostile-bags.js";
import { sized } from "../../../helpers/effort.js";

const refusal = (hostile: Uint8Array, options = {}) => {
  try {
    parseBoc(hostile, options);
  } catch (error) {
    return error instanceof CellError ? error.message.replace(/^invalid bag of cells: /, "") : error;
  }
  return "accepted";
};

describe("hostile bags of cells", () => {
  test.each(hostileBags)("%s", (_title, hex, message) => {
    expect(refusal(bagOf(hex))).toBe(message);
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
    expect(refusal(bagOf(`${header}${cells.join("")}0000`))).toBe("the cell tree is deeper than 1024");
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
      { numRuns: sized(500, 3000) },
    );
  });
});
