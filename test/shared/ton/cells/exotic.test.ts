import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseBoc, parseBocRoot, serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { CellError } from "../../../../shared/ton/cells/cell-error.js";
import { cellWith, fieldsWith } from "../../../helpers/made-cells.js";

const sha256 = (...parts: (Uint8Array | readonly number[])[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(Uint8Array.from(part));
  return hash.digest("hex");
};
const fill = (byte: number) => new Uint8Array(32).fill(byte);
/** With hashes 11.., 22.., ... and depths 1, 2, ... for the levels of the mask. */
const pruned = (mask: number) => {
  const count = [0, 1, 1, 2, 1, 2, 2, 3][mask]!;
  const builder = fieldsWith([1, 8], [mask, 8]);
  for (let i = 1; i <= count; i++) builder.storeBytes(fill(i * 0x11));
  for (let i = 1; i <= count; i++) builder.storeUint(i, 16);
  return builder.endExotic();
};
const hashes = (cell: Cell) => [0, 1, 2, 3].map((level) => cell.hashHex(level));
const depths = (cell: Cell) => [0, 1, 2, 3].map((level) => cell.depth(level));
const hex = (byte: number) => Buffer.from(fill(byte)).toString("hex");
const again = (cell: Cell) => parseBocRoot(serializeBoc(cell));

describe("pruned branches", () => {
  // For each mask, the stored hash used at each level (1, 2, 3; 0 is the computed hash).
  test.each([
    [1, [1, 0, 0, 0]],
    [2, [1, 1, 0, 0]],
    [3, [1, 2, 0, 0]],
    [4, [1, 1, 1, 0]],
    [5, [1, 2, 2, 0]],
    [6, [1, 1, 2, 0]],
    [7, [1, 2, 3, 0]],
  ])("of mask %i show their stored hashes below, their own above", (mask, shown) => {
    const cell = pruned(mask);
    const slice = cell.parseExotic();
    const own = sha256([8 | (mask << 5), slice.remainingBits / 4], slice.loadBytes(slice.remainingBits / 8));
    for (const form of [cell, again(cell)]) {
      expect(form.levelMask).toBe(mask);
      expect(hashes(form)).toEqual(shown.map((i) => (i === 0 ? own : hex(i * 0x11))));
      expect(depths(form)).toEqual(shown);
      expect(() => form.parse()).toThrow(expect.objectContaining({ code: "pruned" }));
    }
  });
});

describe("cells above pruned branches", () => {
  test("have a hash per level, computed with the lower hash instead of the data but with the length of the data", () => {
    const cell = cellWith([0xabc, 12], pruned(3));
    const zero = sha256([1, 3], [0xab, 0xc8], [0, 1], fill(0x11));
    const one = sha256([1 | (1 << 5), 3], Buffer.from(zero, "hex"), [0, 2], fill(0x22));
    const two = sha256([1 | (3 << 5), 3], Buffer.from(one, "hex"), [0, 0], pruned(3).hash());
    for (const form of [cell, again(cell)]) {
      expect(hashes(form)).toEqual([zero, one, two, two]);
      expect(depths(form)).toEqual([2, 3, 1, 1]);
    }
  });

  test("with a gap in the mask have no hash for the missing level", () => {
    const cell = cellWith([1, 8], pruned(2), beginCell().endCell());
    const empty = beginCell().endCell();
    const zero = sha256([2, 2], [1], [0, 1, 0, 0], fill(0x11), empty.hash());
    const two = sha256(
      [2 | (2 << 5), 2],
      Buffer.from(zero, "hex"),
      [0, 0, 0, 0],
      pruned(2).hash(),
      empty.hash(),
    );
    for (const form of [cell, again(cell)]) {
      expect(form.levelMask).toBe(2);
      expect(hashes(form)).toEqual([zero, zero, two, two]);
    }
  });

  test("Merkle cells remove one level", () => {
    const tree = cellWith(pruned(3));
    const proof = fieldsWith([3, 8], tree.hash(0), [tree.depth(0), 16], tree);
    const cell = proof.endExotic();
    expect([cell.type, cell.levelMask]).toEqual(["merkleProof", 1]);
    const data = Buffer.concat([Buffer.of(3), tree.hash(0), Buffer.of(0, tree.depth(0))]);
    const zero = sha256([9, 70], data, [0, tree.depth(1)], tree.hash(1));
    const one = sha256([9 | 32, 70], Buffer.from(zero, "hex"), [0, tree.depth(2)], tree.hash(2));
    for (const form of [cell, again(cell)]) expect(hashes(form)).toEqual([zero, one, one, one]);
  });
});

describe("exotic cells that break the rules", () => {
  const leaf = cellWith([5, 8]);
  const proof = (hash: Uint8Array, depth: number) => fieldsWith([3, 8], hash, [depth, 16], leaf);
  const update = (first: Uint8Array, second: Uint8Array, depth: number) =>
    fieldsWith([4, 8], first, second, [0, 16], [depth, 16], leaf, leaf);

  test.each([
    ["no type", beginCell()],
    ["type 0", fieldsWith([0, 8])],
    ["type 5", fieldsWith([5, 8])],
    ["a library cell with a reference", fieldsWith([2, 8], fill(1), leaf)],
    ["a library cell of 255 bits", fieldsWith([2, 8], [0, 255])],
    ["a pruned branch with hashes for another mask", fieldsWith([1, 8], [3, 8], [0, 272])],
    ["a pruned branch with a reference", fieldsWith([1, 8], [1, 8], [0, 272], leaf)],
    ["a pruned branch deeper than the limit", fieldsWith([0x0101, 16], fill(1), [1025, 16])],
    ["a proof of another hash", proof(fill(1), 0)],
    ["a proof of another depth", proof(leaf.hash(), 1)],
    ["a proof without tree", fieldsWith([3, 8], fill(1), [0, 16])],
    ["an update from another hash", update(fill(1), leaf.hash(), 0)],
    ["an update to another hash", update(leaf.hash(), fill(1), 0)],
    ["an update to another depth", update(leaf.hash(), leaf.hash(), 3)],
  ])("%s is refused by the builder and in a bag", (_title, builder) => {
    expect(() => builder.endExotic()).toThrow(CellError);
    const bag = serializeBoc(builder.endCell(), { crc32: false });
    // Sets the exotic flag of the root: the first cell after a header of 11 bytes.
    bag[11]! |= 8;
    if (builder.bits >= 16 && bag[13] === 1) bag[11]! |= bag[14]! << 5;
    expect(() => parseBoc(bag)).toThrow(CellError);
  });

  test("with deferred verification a wrong hash in a Merkle cell is detected when the cell is hashed", () => {
    const good = serializeBoc(proof(leaf.hash(), 0).endExotic(), { crc32: false });
    const bad = Uint8Array.from(good);
    bad[14]! ^= 1;
    expect(() => parseBocRoot(bad)).toThrow(CellError);
    expect(() => parseBocRoot(bad, { verify: "later" }).hash()).toThrow(CellError);
    expect(parseBocRoot(good, { verify: "later" }).type).toBe("merkleProof");
  });
});
