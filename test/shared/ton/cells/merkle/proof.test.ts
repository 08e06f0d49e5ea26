import { Cell as CoreCell } from "@ton/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBoc, parseBocRoot, serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../../shared/ton/cells/cell.js";
import { CellError } from "../../../../../shared/ton/cells/cell-error.js";
import { cellRef, Dictionary, uintKey } from "../../../../../shared/ton/cells/dictionaries/dictionary.js";
import {
  createMerkleProof,
  openAll,
  openMerkleProof,
  recordProof,
} from "../../../../../shared/ton/cells/merkle/proof.js";
import { fromCore } from "../../../../helpers/chain/core-cell.js";
import { flippedBits } from "../../../../helpers/chain/flipped-bits.js";
import { sized } from "../../../../helpers/effort.js";
import { describeWithChain } from "../../../../helpers/test-data.js";
import { coreTree } from "../arbitrary.js";

const entry = (n: number) =>
  beginCell().storeUint(n, 8).storeRef(beginCell().storeUint(n, 9).endCell()).endCell();
const dictionary = Dictionary.empty(uintKey(16), cellRef).update(
  Array.from({ length: 200 }, (_, i) => [i * 300, entry(i % 256)] as const),
);
const state = beginCell().storeUint(7, 32).storeMaybeRef(dictionary.root).storeRef(entry(1)).endCell();
const readEntry = (key: number) => (root: Cell) =>
  Dictionary.load(root.parse().skip(32), uintKey(16), cellRef).get(key)?.parse().loadUint(8);
const pruned = expect.objectContaining({ code: "pruned" });

describe("proofs", () => {
  test("contain the cells that were read and nothing else", () => {
    const { value, proof } = recordProof(state, readEntry(900));
    expect(value).toBe(3);
    const root = openMerkleProof(parseBocRoot(serializeBoc(proof)));
    expect(root.equals(state)).toBe(true);
    expect([root.hashHex(), root.depth(), root.levelMask]).toEqual([state.hashHex(), state.depth(), 0]);
    expect(readEntry(900)(root)).toBe(3);
    expect(() => readEntry(30000)(root)).toThrow(pruned);
    expect(() => root.ref(1).parse()).toThrow(pruned);
    expect(serializeBoc(proof).length).toBeLessThan(serializeBoc(state).length / 5);
  });

  test("have the same hashes for any order of reads", () => {
    const kept = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
    const asked = fc.array(fc.tuple(fc.array(fc.nat(3), { maxLength: 10 }), fc.nat(3)), { maxLength: 12 });
    const prove = (tree: Cell, choices: readonly boolean[]) => {
      let next = 0;
      return createMerkleProof(tree, () => choices[next++ % choices.length]!);
    };
    fc.assert(
      fc.property(coreTree, kept, kept, asked, (core, inner, outer, questions) => {
        const tree = fromCore(core);
        const around = beginCell().storeRef(tree).storeRef(prove(tree, inner)).endCell();
        const built = prove(around, [true, ...outer]);
        const parsed = parseBocRoot(serializeBoc(built), { verify: "later" });
        for (const [path, level] of questions) {
          let [expected, cell] = [built, parsed];
          for (const step of path) {
            if (expected.refCount === 0) break;
            [expected, cell] = [expected, cell].map((each) => each.ref(step % each.refCount)) as [Cell, Cell];
          }
          expect(cell.hashHex(level)).toBe(expected.hashHex(level));
        }
        openMerkleProof(parsed);
        expect(parsed.hashHex()).toBe(built.hashHex());
      }),
    );
  });

  test("prove absence", () => {
    const { value, proof } = recordProof(state, readEntry(901));
    expect(value).toBeUndefined();
    expect(readEntry(901)(openMerkleProof(proof))).toBeUndefined();
  });

  test("contain whole subtrees on request, and only the root if nothing was read", () => {
    const { proof } = recordProof(state, (root) => openAll(root.ref(1)));
    const kept = openMerkleProof(proof).ref(1);
    expect(serializeBoc(kept)).toEqual(serializeBoc(entry(1)));
    const header = recordProof(state, (root) => root.parse().loadUint(32)).proof;
    expect(header.ref(0).refs.map((ref) => ref.type)).toEqual(["pruned", "pruned"]);
  });

  test("can be created from proofs", () => {
    const wide = recordProof(state, (root) => [readEntry(900)(root), readEntry(30000)(root)]).proof;
    const { value, proof } = recordProof(openMerkleProof(wide), readEntry(30000));
    expect(value).toBe(100);
    expect(openMerkleProof(proof).equals(state)).toBe(true);
    expect(readEntry(30000)(openMerkleProof(proof))).toBe(100);
    expect(() => readEntry(900)(openMerkleProof(proof))).toThrow(pruned);
  });

  test("are accepted by @ton/core", () => {
    const { proof } = recordProof(state, readEntry(900));
    const core = CoreCell.fromBoc(Buffer.from(serializeBoc(proof)))[0]!;
    expect(core.hash().toString("hex")).toBe(proof.hashHex());
  });

  test("are refused after a flipped bit", () => {
    const { proof } = recordProof(state, readEntry(900));
    const good = serializeBoc(proof, { crc32: false });
    for (const { bit, flipped } of flippedBits(good, { step: sized(7, 1) })) {
      const open = () => {
        const root = openMerkleProof(parseBocRoot(flipped));
        if (!root.equals(state)) throw new CellError("proof", "another tree");
      };
      expect(open, `bit ${bit}`).toThrow(CellError);
    }
  });

  test("other cells are refused as proofs", () => {
    expect(() => openMerkleProof(state)).toThrow("expected a Merkle proof, got a cell of type ordinary");
  });

  test("a cell built upon a part of a proof has the hash of the full tree but cannot be serialized", () => {
    const part = openMerkleProof(recordProof(state, readEntry(900)).proof);
    const built = beginCell().storeRef(part).endCell();
    expect(built.equals(beginCell().storeRef(state).endCell())).toBe(true);
    expect(() => serializeBoc(built)).toThrow(
      "a cell that contains virtualized cells of a proof cannot be serialized",
    );
    expect(parseBocRoot(serializeBoc(part)).levelMask).toBe(1);
  });
});

describeWithChain("proofs of the real networks", (chain) => {
  const proofs = chain.entries.filter((entry) => /merkle_proof|block_proof/.test(entry.kind));

  test.each(proofs.map((entry) => [entry.file, entry] as const))(
    "%s opens to the tree that it proves",
    (_file, entry) => {
      for (const cell of parseBoc(entry.read())) {
        // block_proof#c3 proof_for:BlockIdExt root:^Cell ...
        const proof = entry.kind === "block_proof" ? cell.ref(0) : cell;
        const root = openMerkleProof(proof);
        expect(root.levelMask).toBe(0);
        if (entry.kind === "block_proof") expect(root.hashHex()).toBe(entry.facts["virtual_root_hash"]);
        // A proof of the virtual tree is the same proof.
        const all = createMerkleProof(root, () => true);
        expect(all.hashHex()).toBe(proof.hashHex());
      }
    },
  );
});
