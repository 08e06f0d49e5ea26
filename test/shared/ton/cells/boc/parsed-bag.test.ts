import { describe, expect, test } from "vitest";
import { parseBoc, parseBocRoot, serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import { BagBytes, buffersOf, parseBag } from "../../../../../shared/ton/cells/boc/parsed-bag.js";
import { beginCell } from "../../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../../shared/ton/cells/cell.js";
import { createMerkleProof, openMerkleProof } from "../../../../../shared/ton/cells/merkle/proof.js";

const leaf = beginCell().storeUint(7, 13).endCell();
const tree = beginCell().storeUint(1, 1).storeRef(leaf).storeRef(Cell.empty).endCell();
const proof = createMerkleProof(tree, (cell) => cell === tree);

/** The bytes as they come back from another thread. */
function parsedElsewhere(bytes: Uint8Array): BagBytes {
  const bag = parseBag(bytes);
  return new BagBytes(bytes, structuredClone(bag, { transfer: buffersOf(bag) }));
}

describe("bytes that another thread has parsed", () => {
  test.each([
    ["one root", [tree]],
    ["several roots", [tree, leaf, proof]],
  ])("give the cells of the same bag with %s", (_, roots) => {
    const bytes = serializeBoc(roots);
    const cells = parseBoc(parsedElsewhere(bytes));
    expect(cells.map((cell) => cell.hashHex())).toEqual(roots.map((cell) => cell.hashHex()));
    expect(cells.map((cell) => cell.depth())).toEqual(roots.map((cell) => cell.depth()));
    expect(serializeBoc(cells)).toEqual(bytes);
  });

  test("are read as proofs and as data", () => {
    const shown = openMerkleProof(parseBocRoot(parsedElsewhere(serializeBoc(proof))));
    expect(shown.hashHex()).toBe(tree.hashHex());
    const data = parseBocRoot(parsedElsewhere(serializeBoc(tree)));
    expect(data.ref(0).parse().loadUint(13)).toBe(7);
  });

  test("are parsed again under other limits", () => {
    const bytes = parsedElsewhere(serializeBoc(tree));
    expect(() => parseBoc(bytes, { cells: 2 })).toThrow("3 cells exceed the limit");
  });

  test("throw the parsing error", () => {
    const bytes = serializeBoc(tree).subarray(0, 20);
    expect(() => parseBag(bytes)).toThrow("invalid bag of cells: truncated");
    expect(() => parseBoc(new BagBytes(bytes, "invalid bag of cells: truncated"))).toThrow(
      expect.objectContaining({ code: "boc", message: "invalid bag of cells: truncated" }),
    );
  });

  test("are equal to the bytes, and their parts are plain", () => {
    const bytes = serializeBoc(tree);
    const parsed = parsedElsewhere(bytes);
    expect(Buffer.from(parsed).equals(bytes)).toBe(true);
    expect(parsed.subarray(2).constructor).toBe(Uint8Array);
    expect(parsed.slice(2).constructor).toBe(Uint8Array);
  });
});
