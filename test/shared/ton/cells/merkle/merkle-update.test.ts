import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBocRoot, serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../../shared/ton/cells/cell.js";
import { bytesKey, cellRef, Dictionary } from "../../../../../shared/ton/cells/dictionaries/dictionary.js";
import {
  applyMerkleUpdate,
  createMerkleUpdate,
  settle,
  updateHashes,
} from "../../../../../shared/ton/cells/merkle/merkle-update.js";
import { createMerkleProof, openMerkleProof } from "../../../../../shared/ton/cells/merkle/proof.js";
import { readArchive } from "../../../../helpers/chain/archive.js";
import { flippedBits } from "../../../../helpers/chain/flipped-bits.js";
import { sized } from "../../../../helpers/effort.js";
import { describeWithChain } from "../../../../helpers/test-data.js";

const updateOf = (block: Cell) => block.ref(2);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describeWithChain("the first blocks of mainnet", (chain) => {
  const zeroStates = () =>
    chain.where({ kind: "shard_state", seqno: 0 }).map((entry) => parseBocRoot(entry.read()));
  const blocks = chain
    .where({ kind: "archive_pack" })
    .flatMap((pack) => readArchive(pack.read()))
    .filter((entry) => entry.kind === "block")
    .map((entry) => ({ ...entry, root: parseBocRoot(entry.data) }))
    .sort((a, b) => a.seqno - b.seqno);

  test("their updates lead from the zero states to the stated states, across shard splits", () => {
    const states = new Map(zeroStates().map((state) => [state.hashHex(), state]));
    for (const { root } of blocks) {
      const { from, to } = updateHashes(updateOf(root));
      const next = applyMerkleUpdate(updateOf(root), states.get(hex(from))!);
      expect(next.hashHex()).toBe(hex(to));
      states.set(hex(to), next);
    }
    const stated = chain.recordedBlocks().map(({ state_new: state }) => state);
    expect(blocks.length).toBe(stated.length);
    expect(stated.filter((state) => !states.has(state))).toEqual([]);
  });

  test("updates rebuilt from both states give the same states and are no larger than those of the node", () => {
    const states = new Map(zeroStates().map((state) => [state.hashHex(), state]));
    for (const state of states.values()) settle(state);
    let ours = 0;
    let theirs = 0;
    for (const { root } of blocks) {
      const { from, to } = updateHashes(updateOf(root));
      const old = states.get(hex(from))!;
      const next = applyMerkleUpdate(updateOf(root), old);
      const made = createMerkleUpdate(old, next);
      ours += countCells(made);
      theirs += countCells(updateOf(root));
      const read = parseBocRoot(serializeBoc(made));
      expect(applyMerkleUpdate(read, old).equals(next)).toBe(true);
      settle(next);
      states.set(hex(to), next);
    }
    expect(ours).toBeLessThanOrEqual(theirs);
  });

  test("an update does not apply to another state, and not with a flipped bit", () => {
    const [first, second] = blocks.filter(({ workchain }) => workchain === -1);
    const zero = zeroStates().find(
      (state) => hex(updateHashes(updateOf(first!.root)).from) === state.hashHex(),
    )!;
    expect(() => applyMerkleUpdate(updateOf(second!.root), zero)).toThrow("is applied to");
    const bytes = serializeBoc(updateOf(first!.root), { crc32: false });
    for (const { bit, flipped } of flippedBits(bytes, { step: sized(229, 29) })) {
      expect(() => applyMerkleUpdate(parseBocRoot(flipped), zero), `bit ${bit}`).toThrow();
      expect(
        () => applyMerkleUpdate(parseBocRoot(flipped, { verify: "later" }), zero),
        `bit ${bit}`,
      ).toThrow();
    }
  });
});

describe("updates of dictionaries", () => {
  const leaf = (n: number) =>
    beginCell().storeUint(n, 32).storeRef(beginCell().storeUint(n, 64).endCell()).endCell();
  const key = (n: number) => beginCell().storeUint(n, 32).endCell().hash();
  const empty = Dictionary.empty(bytesKey(32), cellRef);
  const change = fc.tuple(fc.nat(60), fc.option(fc.nat(5), { nil: undefined }));

  test("any two versions, settled or not, have an update from one to the other", () => {
    fc.assert(
      fc.property(
        fc.array(change),
        fc.array(change),
        fc.boolean(),
        fc.nat(4),
        (first, second, settled, keep) => {
          const toEntries = (changes: typeof first) =>
            changes.map(([n, value]) => [key(n), value === undefined ? undefined : leaf(value)] as const);
          const wrap = (tree: typeof empty) =>
            beginCell()
              .storeMaybeRef(tree.root)
              .storeRef(beginCell().storeRef(leaf(3)).endCell())
              .endCell();
          const before = empty.update(toEntries(first));
          const old = wrap(before);
          if (settled) settle(old);
          const next = wrap(before.update(toEntries(second)));
          const update = parseBocRoot(serializeBoc(createMerkleUpdate(old, next, { keepOldLevels: keep })));
          expect(applyMerkleUpdate(update, old).equals(next)).toBe(true);
        },
      ),
    );
  });

  test("a cell settled as part of another tree does not count as part of the old one", () => {
    const foreign = beginCell().storeRef(leaf(1)).endCell();
    settle(foreign);
    const old = leaf(2);
    const next = beginCell().storeRef(foreign).storeRef(old).endCell();
    expect(applyMerkleUpdate(createMerkleUpdate(old, next), old).equals(next)).toBe(true);
  });

  test("the size of an update depends on the change, not on the tree", () => {
    const entries = Array.from({ length: 3000 }, (_, n) => [key(n), leaf(n)] as const);
    const before = empty.update(entries);
    settle(before.root!);
    const after = before.set(key(5), leaf(0));
    expect(countCells(createMerkleUpdate(before.root!, after.root!))).toBeLessThan(80);
  });

  test("the top of the old side can be kept unpruned", () => {
    const before = empty.update(Array.from({ length: 50 }, (_, n) => [key(n), leaf(n)] as const));
    const after = before.set(key(5), leaf(0));
    const update = createMerkleUpdate(before.root!, after.root!, { keepOldLevels: 3 });
    const top = (cell: Cell, level: number): Cell[] =>
      level === 0 ? [] : [cell, ...cell.refs.flatMap((ref) => top(ref, level - 1))];
    expect(top(update.ref(0), 3).map((cell) => cell.type)).toEqual(Array(7).fill("ordinary"));
    expect(applyMerkleUpdate(update, before.root!).equals(after.root!)).toBe(true);
  });

  test("a proof of a block prunes its update with pruned branches of level 2", () => {
    const before = empty.update(Array.from({ length: 50 }, (_, n) => [key(n), leaf(n)] as const));
    const after = before.set(key(5), leaf(0));
    const block = beginCell().storeRef(createMerkleUpdate(before.root!, after.root!)).endCell();
    const update = block.ref(0);
    const keep = new Set([block, update, update.ref(0), update.ref(1)]);
    const proof = parseBocRoot(serializeBoc(createMerkleProof(block, (cell) => keep.has(cell))));
    expect(openMerkleProof(proof).hashHex()).toBe(block.hashHex());
    const masks = new Set(
      proof
        .ref(0)
        .ref(0)
        .refs.flatMap((side) => side.refs.map((cell) => cell.levelMask)),
    );
    expect([...masks].sort()).toEqual([1, 3]);
  });
});

function countCells(root: Cell): number {
  const seen = new Set<string>();
  const visit = (cell: Cell): void => {
    if (seen.has(cell.hashHex())) return;
    seen.add(cell.hashHex());
    for (const ref of cell.refs) visit(ref);
  };
  visit(root);
  return seen.size;
}
