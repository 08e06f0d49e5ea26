import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { CellFile } from "../../../server/indexer/bootstrap/cell-file.js";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellError } from "../../../shared/ton/cells/cell-error.js";
import { createMerkleProof } from "../../../shared/ton/cells/merkle/proof.js";
import { flippedBits } from "../../helpers/chain/flipped-bits.js";
import { bagOf, hostileBags } from "../../helpers/chain/hostile-bags.js";
import { nodeBag } from "../../helpers/chain/node-bag.js";
import { isLong, sized } from "../../helpers/effort.js";
import { pseudoRandom } from "../../helpers/pseudo-random.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { describeWithChain } from "../../helpers/test-data.js";

const unstopped = new AbortController().signal;

/** Opens a file with these bytes. */
async function open(bytes: Uint8Array): Promise<CellFile> {
  const folder = temporaryFolder();
  const path = join(folder, "bag.boc");
  writeFileSync(path, bytes);
  const file = await CellFile.open(path, join(folder, "work"), { signal: unstopped });
  onTestFinished(() => file.close());
  return file;
}

const reasonOf = (error: unknown) =>
  error instanceof CellError ? error.message.replace(/^invalid bag of cells: /, "") : error;

const refusal = (bytes: Uint8Array): Promise<unknown> => open(bytes).then(() => "accepted", reasonOf);

/** Compares all members of all cells. */
function expectEqual(found: Cell, expected: Cell): void {
  const members = ({ bits, refCount, exotic, type, levelMask }: Cell) => ({
    ...{ bits, refCount, exotic, type, levelMask },
  });
  expect(members(found)).toEqual(members(expected));
  for (let level = 0; level <= 3; level++)
    expect([found.depth(level), found.hashHex(level)]).toEqual([
      expected.depth(level),
      expected.hashHex(level),
    ]);
  for (let k = 0; k < expected.refCount; k++) expectEqual(found.ref(k), expected.ref(k));
}

/** A tree of different cells above so many leaves; some of them have several parents. */
function treeOf(leaves: number): Cell {
  const numbers = pseudoRandom(7);
  const random = (below: number) => Math.floor(numbers.next().value * below);
  let made = 0;
  const make = (refs: readonly Cell[]) => {
    const builder = beginCell()
      .storeUint(made++, 32)
      .storeBytes(new Uint8Array(random(90)).fill(made));
    for (const ref of refs) builder.storeRef(ref);
    return builder.endCell();
  };
  let row = Array.from({ length: leaves }, () => make([]));
  while (row.length > 1) {
    const below = row;
    row = Array.from({ length: Math.ceil(below.length / 3) }, (_, i) => {
      const own = below.slice(3 * i, 3 * i + 3);
      return make(random(3) > 0 ? [...own, below[random(below.length)]!] : own);
    });
  }
  return row[0]!;
}

describe("A file with a bag of cells", () => {
  test.each([
    ["a node's", (root: Cell) => nodeBag(root)],
    ["one with an index", (root: Cell) => serializeBoc(root, { index: true })],
    ["one with a checksum alone", (root: Cell) => serializeBoc(root)],
    ["one without anything more", (root: Cell) => serializeBoc(root, { crc32: false })],
    ["one with hashes alone", (root: Cell) => nodeBag(root, { index: false, hashes: true, crc32: false })],
  ])("has the cells that a bag in memory has: %s", async (_, write) => {
    const root = beginCell().storeUint(5, 3).storeRef(treeOf(9)).endCell();
    expectEqual((await open(write(root))).root, root);
  });

  test("has pruned cells and proofs with all their hashes", async () => {
    const whole = treeOf(8);
    const proof = createMerkleProof(whole, (cell) => cell.depth() > 2);
    const twice = createMerkleProof(proof, (cell) => cell.depth() > 3);
    const root = beginCell().storeRef(proof).storeRef(twice).storeRef(twice.ref(0)).endCell();
    const file = await open(nodeBag(root));
    expectEqual(file.root, root);
    expect(parseBocRoot(serializeBoc(file.root)).hashHex()).toBe(root.hashHex());
  });

  test("is read in pages, across their borders", async () => {
    const leaves = sized(2000, 8000);
    const root = treeOf(leaves);
    const bytes = serializeBoc(root);
    expect(bytes.length).toBeGreaterThan(sized(2, 4) * 65_536);
    const file = await open(bytes);
    expect(file.root.hashHex()).toBe(root.hashHex());
    expect(serializeBoc(file.root)).toEqual(bytes);
    expect(file.countCells(file.root, 100)).toBe(101);
    expect(file.countCells(file.root, 100_000)).toBeGreaterThan(1.4 * leaves);
  });

  test.each([
    ["with an index", (root: Cell) => nodeBag(root)],
    ["without an index", (root: Cell) => serializeBoc(root)],
  ])("%s is indexed from where a stopped process was", async (_, write) => {
    const root = beginCell()
      .storeRef(createMerkleProof(treeOf(sized(1200, 20_000)), ({ bits }) => bits > 64))
      .endCell();
    const folder = temporaryFolder();
    const [path, work] = [join(folder, "bag.boc"), join(folder, "work")];
    writeFileSync(path, write(root));
    /** Runs until a share of the work is done; returns the cells that were done at the first and the last look. */
    const runTo = async (share: number) => {
      const stop = new AbortController();
      const looks: number[] = [];
      const onProgress = (done: number, all: number) => {
        looks.push(done / all);
        if (done > share * all) stop.abort();
      };
      const opening = CellFile.open(path, work, {
        signal: stop.signal,
        stride: sized(250, 1000),
        onProgress,
      });
      await expect(opening).rejects.toMatchObject({ name: "AbortError" });
      return [looks[0]!, looks.at(-1)!] as const;
    };
    let reached = 0;
    for (const share of isLong ? [0.2, 0.4, 0.6, 0.8] : [0.3, 0.7]) {
      const [first, last] = await runTo(share);
      expect(first).toBeGreaterThan(reached - 0.1);
      expect(last).toBeGreaterThan(share);
      reached = last;
    }
    const file = await CellFile.open(path, work, { signal: unstopped });
    expect(file.root.hashHex()).toBe(root.hashHex());
    expect(serializeBoc(file.root)).toEqual(serializeBoc(root));
    file.close();

    const looks: number[] = [];
    const again = { signal: unstopped, onProgress: (done: number) => void looks.push(done) };
    (await CellFile.open(path, work, again)).close();
    expect(looks).toEqual([]);
    writeFileSync(path, write(beginCell().storeRef(root).endCell()));
    const other = await CellFile.open(path, work, again);
    expect(other.root.ref(0).hashHex()).toBe(root.hashHex());
    expect(looks.length).toBeGreaterThan(0);
    other.close();
  });
});

describe("A hostile file", () => {
  test.each(hostileBags)("with %s is refused", async (_title, hex, message) => {
    const said = await refusal(bagOf(hex));
    expect([message, "2 roots exceed the limit"]).toContain(said);
  });

  test("with a chain that is too deep is refused", async () => {
    const count = 3000;
    const cells = Array.from({ length: count - 1 }, (_, i) => `0100${(i + 1).toString(16).padStart(4, "0")}`);
    const size = (4 * (count - 1) + 2).toString(16).padStart(4, "0");
    const head = `b5ee9c72 02 02 ${count.toString(16).padStart(4, "0")} 0001 0000 ${size} 0000`;
    expect(await refusal(bagOf(`${head}${cells.join("")}0000`))).toBe("the cell tree is deeper than 1024");
  });

  test("that unfolds to 4^500 cells is read as its 501 cells", async () => {
    let cell = beginCell().endCell();
    for (let i = 0; i < 500; i++) {
      const next = beginCell();
      for (let k = 0; k < 4; k++) next.storeRef(cell);
      cell = next.endCell();
    }
    const file = await open(nodeBag(cell));
    expect([file.root.hashHex(), file.countCells(file.root, 1000)]).toEqual([cell.hashHex(), 501]);
  });

  test("that is cut or has a flipped bit is refused", async () => {
    const leaf = beginCell().storeUint(1, 33).endCell();
    const inner = beginCell().storeRef(leaf).storeBytes(new Uint8Array(9)).endCell();
    const good = nodeBag(beginCell().storeRef(leaf).storeRef(inner).endCell());
    for (let length = 0; length < good.length; length++)
      expect(await refusal(good.subarray(0, length)), `length ${length}`).toEqual(expect.any(String));
    for (const { bit, flipped } of flippedBits(good)) {
      if (bit % 5 > 0) continue;
      const said = await refusal(flipped);
      expect([bit, typeof said, said === "accepted"]).toEqual([bit, "string", false]);
    }
  });
});

describeWithChain("A file of the real networks", (chain) => {
  test("has its root hash, or is refused as in memory", async () => {
    const files = chain.entries
      .filter(({ file, roots }) => file.includes("state") && roots === 1)
      .filter((_, at) => at % sized(3, 1) === 0);
    let whole = 0;
    for (const { read, rootHash, file } of files) {
      const opened = await open(read()).catch(reasonOf);
      if (!(opened instanceof CellFile)) {
        expect(() => parseBocRoot(read()), file).toThrow(String(opened));
        continue;
      }
      expect([file, opened.root.hashHex()]).toEqual([file, rootHash]);
      whole++;
    }
    expect(whole).toBeGreaterThan(sized(2, 8));
  });
});
