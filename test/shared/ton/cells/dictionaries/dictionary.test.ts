import { Dictionary as CoreDictionary, beginCell as coreBuilder } from "@ton/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBocRoot, serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../../shared/ton/cells/cell.js";
import { CellError } from "../../../../../shared/ton/cells/cell-error.js";
import {
  bigUintKey,
  bytesKey,
  cellRef,
  Dictionary,
  intKey,
  uintKey,
} from "../../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { KeyCodec, ValueCodec } from "../../../../../shared/ton/cells/dictionaries/dictionary-codec.js";
import { createMerkleProof, openMerkleProof } from "../../../../../shared/ton/cells/merkle/proof.js";
import { bytesEqual } from "../../../../../shared/values/bytes.js";
import { sized } from "../../../../helpers/effort.js";
import { describeWithChain } from "../../../../helpers/test-data.js";

const value: ValueCodec<number> = { store: (n, b) => b.storeUint(n, 16), load: (s) => s.loadUint(16) };
const changesOf = <K>(key: fc.Arbitrary<K>) =>
  fc.array(fc.tuple(key, fc.option(fc.nat(65535), { nil: undefined })), { maxLength: 60 });

/** The @ton/core dictionary after the same changes. */
function coreRoot<K extends number | bigint | Buffer>(
  keys: ReturnType<typeof CoreDictionary.Keys.Uint> | ReturnType<typeof CoreDictionary.Keys.BigUint>,
  entries: Iterable<readonly [K, number]>,
): string {
  const core = CoreDictionary.empty(keys as never, CoreDictionary.Values.Uint(16));
  for (const [key, n] of entries) core.set(key as never, n);
  return coreBuilder().storeDict(core).endCell().hash().toString("hex");
}

const rootHash = <K>(dictionary: Dictionary<K, number>) => {
  const builder = beginCell();
  dictionary.store(builder);
  return builder.endCell().hashHex();
};

/** Compares sets and deletes, in any order and grouping, with @ton/core and with a Map. */
function agrees<K extends number | bigint>(
  codec: KeyCodec<K>,
  core: Parameters<typeof coreRoot>[0],
  key: fc.Arbitrary<K>,
): void {
  fc.assert(
    fc.property(fc.array(changesOf(key), { maxLength: 4 }), key, (batches, from) => {
      let single = Dictionary.empty(codec, value);
      let batched = single;
      const map = new Map<K, number>();
      for (const batch of batches) {
        batched = batched.update(batch);
        for (const [k, n] of batch) {
          single = n === undefined ? single.delete(k) : single.set(k, n);
          if (n === undefined) map.delete(k);
          else map.set(k, n);
        }
      }
      const expected = [...map].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(rootHash(batched)).toBe(coreRoot(core, map));
      expect(rootHash(single)).toBe(rootHash(batched));
      expect([...batched.entries()]).toEqual(expected);
      expect([...batched.entries(from)]).toEqual(expected.filter(([k]) => k >= from));
      const backwards = expected.toReversed();
      expect([...batched.entries(undefined, { reverse: true })]).toEqual(backwards);
      expect([...batched.entries(from, { reverse: true })]).toEqual(backwards.filter(([k]) => k <= from));
      for (const [k] of batches.flat()) expect(batched.get(k)).toBe(map.get(k));
      expect(batched.has(from)).toBe(map.has(from));
    }),
    { numRuns: sized(25, 100) },
  );
}

describe("dictionaries", () => {
  test("short unsigned keys", () => {
    agrees(uintKey(6), CoreDictionary.Keys.Uint(6), fc.nat(63));
  });

  test("unsigned keys of 32 bits", () => {
    agrees(uintKey(32), CoreDictionary.Keys.Uint(32), fc.nat(0xffffffff));
  });

  test("signed keys, negative ones first", () => {
    agrees(intKey(32), CoreDictionary.Keys.Int(32), fc.integer({ min: -1000, max: 1000 }));
    agrees(intKey(5), CoreDictionary.Keys.Int(5), fc.integer({ min: -16, max: 15 }));
  });

  test("keys of 256 bits", () => {
    const some = fc.oneof(fc.bigInt({ min: 0n, max: 40n }), fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }));
    agrees(bigUintKey(256), CoreDictionary.Keys.BigUint(256), some);
  });

  test("keys as bytes are ordered byte by byte", () => {
    const keys = [
      [2, 0],
      [1, 255],
      [1, 2],
      [255, 0],
    ].map((bytes) => Uint8Array.from(bytes));
    const dictionary = Dictionary.empty(bytesKey(2), value).update(keys.map((key, i) => [key, i] as const));
    expect([...dictionary.keys()].map((key) => [...key])).toEqual([
      [1, 2],
      [1, 255],
      [2, 0],
      [255, 0],
    ]);
    expect([...dictionary.values()]).toEqual([2, 1, 0, 3]);
    expect(() => dictionary.get(new Uint8Array(3))).toThrow("a key has 24 bits instead of 16");
  });

  test("subtrees that a change does not touch stay the same cells", () => {
    const entries = Array.from({ length: 64 }, (_, i) => [i, i] as const);
    const before = Dictionary.empty(uintKey(6), value).update(entries);
    const after = before.set(63, 7);
    expect(after.root!.ref(0)).toBe(before.root!.ref(0));
    expect(after.root!.ref(1)).not.toBe(before.root!.ref(1));
    expect(
      before
        .delete(64 % 64)
        .set(0, 0)
        .root!.equals(before.root!),
    ).toBe(true);
    const sparse = Dictionary.empty(uintKey(16), value).update(entries);
    expect(
      sparse.update([
        [4000, undefined],
        [5000, undefined],
        [70, undefined],
      ]).root,
    ).toBe(sparse.root);
  });

  test("the last change of a key in a batch wins", () => {
    const dictionary = Dictionary.empty(uintKey(8), value).update([
      [1, 1],
      [2, 2],
      [1, undefined],
      [2, 3],
    ]);
    expect([...dictionary.entries()]).toEqual([[2, 3]]);
  });

  test("an inline dictionary is read from its slice to the last bit", () => {
    for (const count of [1, 2, 30]) {
      const dictionary = Dictionary.empty(uintKey(8), value).update(
        Array.from({ length: count }, (_, i) => [i, i]),
      );
      const builder = beginCell();
      dictionary.storeDirect(builder);
      const slice = builder.storeUint(5, 3).storeRef(beginCell().endCell()).endCell().parse();
      const read = Dictionary.loadDirect(slice, uintKey(8), value);
      expect([...read.entries()]).toEqual([...dictionary.entries()]);
      expect(read.root!.equals(dictionary.root!)).toBe(true);
      expect([slice.loadUint(3), slice.remainingBits, slice.remainingRefs]).toEqual([5, 0, 1]);
    }
    expect(() => Dictionary.empty(uintKey(8), value).storeDirect(beginCell())).toThrow(CellError);
  });

  test("entries behind a pruned branch are not absent", () => {
    const whole = Dictionary.empty(uintKey(16), cellRef).update(
      Array.from({ length: 40 }, (_, i) => [i * 1000, beginCell().storeUint(i, 8).endCell()]),
    );
    const opened = new Set<Cell>();
    const root = whole.root!;
    opened.add(root).add(root.ref(0));
    const proof = createMerkleProof(root, (cell) => opened.has(cell));
    const partial = Dictionary.loadDirect(openMerkleProof(proof), uintKey(16), cellRef);
    expect(() => partial.get(0)).toThrow(expect.objectContaining({ code: "pruned" }));
    expect(() => partial.set(0, beginCell().endCell())).toThrow(expect.objectContaining({ code: "pruned" }));
    expect(() => [...partial.entries()]).toThrow(expect.objectContaining({ code: "pruned" }));
  });

  test.each([
    [
      "a label longer than the key",
      beginCell().storeUint(0b1101, 4).storeUint(15, 4),
      "a label has 15 bits where at most 8 are possible",
    ],
    ["a unary label without end", beginCell().storeUint(0b0111, 4), "cannot read 1 bits"],
    [
      "a short label longer than the key",
      beginCell()
        .storeUint(2 ** 11 - 2, 12)
        .storeUint(0, 20),
      "a label has 10 bits where at most 8 are possible",
    ],
    ["a fork without branches", beginCell().storeUint(0, 2), "cannot read a reference"],
    ["a leaf without value", beginCell().storeUint(0b110, 3).storeUint(8, 4), "cannot read 16 bits"],
    ["an empty cell", beginCell(), "cannot read 1 bits"],
  ])("%s is an error", (_title, builder, message) => {
    const hostile = Dictionary.loadDirect(builder.endCell(), uintKey(8), value);
    expect(() => hostile.get(0)).toThrow(message);
    expect(() => [...hostile.entries()]).toThrow(message);
  });

  test("a tree of forks deeper than the key is an error", () => {
    let cell = beginCell().storeUint(0, 2).endCell();
    for (let i = 0; i < 20; i++) cell = beginCell().storeUint(0, 2).storeRef(cell).storeRef(cell).endCell();
    const hostile = Dictionary.loadDirect(cell, uintKey(8), value);
    for (const act of [() => hostile.get(3), () => hostile.set(3, 1).delete(3).get(4)])
      expect(act).toThrow(CellError);
  });
});

describeWithChain("real configurations", (chain) => {
  const entries = chain.where({ kind: "config_dictionary" });
  // ConfigParams: config_addr:bits256 config:^(Hashmap 32 ^Cell)
  const load = (bytes: Uint8Array) => Dictionary.loadDirect(parseBocRoot(bytes).ref(0), intKey(32), cellRef);

  test.each(entries.map((entry) => [entry.file, entry] as const))("%s has its parameters", (_file, entry) => {
    const dictionary = load(entry.read());
    const hashes = [...dictionary.entries()].map(([param, cell]) => [`${param}`, cell.hashHex()]);
    expect(Object.fromEntries(hashes)).toEqual(entry.facts["param_hashes"]);
    expect([...dictionary.keys()]).toEqual(entry.facts["params"]);
  });

  test("a rebuilt dictionary has the same bytes", () => {
    // Not all of them: some were written by a library that does not choose the shortest labels.
    const areSame = entries.map((entry) => {
      const dictionary = load(entry.read());
      const again = Dictionary.empty(intKey(32), cellRef).update([...dictionary.entries()].reverse());
      return bytesEqual(serializeBoc(again.root!), serializeBoc(dictionary.root!));
    });
    expect(areSame).toContain(true);
  });
});
