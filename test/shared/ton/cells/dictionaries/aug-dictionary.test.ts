import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBocRoot, serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../../shared/ton/cells/cell.js";
import {
  AugDictionary,
  type Augmentation,
} from "../../../../../shared/ton/cells/dictionaries/aug-dictionary.js";
import { uintKey } from "../../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { ValueCodec } from "../../../../../shared/ton/cells/dictionaries/dictionary-codec.js";
import { loadLabel, storeLabel } from "../../../../../shared/ton/cells/dictionaries/dictionary-label.js";

type Entry = { n: number; memo: Cell };
/** Not commutative, so the test detects swapped branches. */
type Extra = { sum: bigint; trail: number };

const bits = 10;
const values: ValueCodec<Entry> = {
  store: ({ n, memo }, b) => b.storeUint(n, 16).storeRef(memo),
  load: (s) => ({ n: s.loadUint(16), memo: s.loadRef() }),
};
const augmentation: Augmentation<Entry, Extra> = {
  // Has a reference, like the extra currencies of a balance.
  codec: {
    store: ({ sum, trail }, b) => b.storeCoins(sum).storeRef(beginCell().storeUint(trail, 32).endCell()),
    load: (s) => ({ sum: s.loadCoins(), trail: s.loadRef().parse().loadUint(32) }),
  },
  empty: { sum: 0n, trail: 0 },
  leaf: ({ n }) => ({ sum: BigInt(n), trail: n }),
  fork: (left, right) => ({
    sum: left.sum + right.sum,
    trail: (left.trail * 31 + right.trail * 17) % 0xffffffff,
  }),
};
const empty = AugDictionary.empty(uintKey(bits), values, augmentation);
const entry = (n: number): Entry => ({ n, memo: beginCell().storeUint(n, 16).endCell() });

/** Reference implementation: computes root cell and extra from all entries in one pass. */
function naive(entries: readonly [string, Entry][], left = bits): { cell: Cell; extra: Extra } {
  const [first] = entries[0]!;
  let shared = 0;
  while (shared < left && entries.every(([key]) => key[shared] === first[shared])) shared++;
  const builder = beginCell();
  const label = beginCell();
  for (const bit of first.slice(0, shared)) label.storeBit(bit === "1");
  const { data } = label.endCell();
  storeLabel(builder, { bytes: data, at: 0, count: shared }, left);
  if (shared === left) {
    const extra = augmentation.leaf(entries[0]![1]);
    augmentation.codec.store(extra, builder);
    values.store(entries[0]![1], builder);
    return { cell: builder.endCell(), extra };
  }
  const [zero, one] = ["0", "1"].map((bit) =>
    naive(
      entries
        .filter(([key]) => key[shared] === bit)
        .map(([key, value]) => [key.slice(shared + 1), value] as [string, Entry]),
      left - shared - 1,
    ),
  );
  const extra = augmentation.fork(zero!.extra, one!.extra);
  augmentation.codec.store(extra, builder.storeRef(zero!.cell).storeRef(one!.cell));
  return { cell: builder.endCell(), extra };
}

describe("augmented dictionaries", () => {
  test("roots and extras equal those computed from scratch after any changes", () => {
    const change = fc.tuple(fc.nat(1023), fc.option(fc.nat(65535), { nil: undefined }));
    fc.assert(
      fc.property(fc.array(fc.array(change), { maxLength: 4 }), (batches) => {
        let dictionary = empty;
        let single = empty;
        const map = new Map<number, number>();
        for (const batch of batches) {
          dictionary = dictionary.update(batch.map(([k, n]) => [k, n === undefined ? undefined : entry(n)]));
          for (const [k, n] of batch) {
            single = n === undefined ? single.delete(k) : single.set(k, entry(n));
            if (n === undefined) map.delete(k);
            else map.set(k, n);
          }
        }
        const sorted = [...map].sort(([a], [b]) => a - b);
        const expected =
          sorted.length === 0
            ? undefined
            : naive(sorted.map(([k, n]) => [k.toString(2).padStart(bits, "0"), entry(n)]));
        expect(dictionary.root?.hashHex()).toBe(expected?.cell.hashHex());
        expect(single.root?.hashHex()).toBe(expected?.cell.hashHex());
        expect(dictionary.extra).toEqual(expected?.extra ?? augmentation.empty);
        expect([...dictionary.entries()].map(([k, { n }]) => [k, n])).toEqual(sorted);
      }),
    );
  });

  test("survive a round trip, with and without entries", () => {
    for (const dictionary of [empty, empty.set(3, entry(1)), empty.set(3, entry(1)).set(700, entry(2))]) {
      const builder = beginCell();
      dictionary.store(builder);
      const slice = parseBocRoot(serializeBoc(builder.storeUint(9, 7).endCell())).parse();
      const read = AugDictionary.load(slice, uintKey(bits), values, augmentation);
      expect(slice.loadUint(7)).toBe(9);
      expect(read.extra).toEqual(dictionary.extra);
      expect(read.root?.hashHex()).toBe(dictionary.root?.hashHex());
      expect(read.get(3)?.n).toBe(dictionary.get(3)?.n);
    }
  });

  test("an inline one is read from its slice to the last bit and has its extra", () => {
    for (const keys of [[5], [5, 6, 900]]) {
      const dictionary = empty.update(keys.map((key) => [key, entry(key)]));
      const builder = beginCell();
      dictionary.storeDirect(builder);
      const slice = builder.storeUint(1, 2).storeRef(beginCell().endCell()).endCell().parse();
      const read = AugDictionary.loadDirect(slice, uintKey(bits), values, augmentation);
      expect([read.extra, [...read.keys()]]).toEqual([dictionary.extra, keys]);
      expect([slice.remainingBits, slice.remainingRefs]).toEqual([2, 1]);
    }
  });

  test("extras are recomputed only on the path to a change", () => {
    let forks = 0;
    const counting: Augmentation<Entry, Extra> = {
      ...augmentation,
      fork: (left, right) => {
        forks++;
        return augmentation.fork(left, right);
      },
    };
    const full = AugDictionary.empty(uintKey(bits), values, counting).update(
      Array.from({ length: 1024 }, (_, k) => [k, entry(k)] as const),
    );
    expect(forks).toBe(1023);
    full.set(77, entry(1));
    expect(forks).toBe(1033);
  });

  test("labels are written in the form that the node chooses", () => {
    // Bits of the label, key bits left, expected bits; the last two cases are ties between two forms.
    const cases: [string, number, string][] = [
      ["", 8, "00"],
      ["1", 8, "0101"],
      ["11", 8, "01101" + "1"],
      ["111", 8, "1110011"],
      ["0000", 8, "1100100"],
      ["1010", 8, "01111" + "01010"],
      ["10101", 8, "10" + "0101" + "10101"],
      ["11", 2, "11110"],
      ["1", 1, "0101"],
    ];
    for (const [label, left, expected] of cases) {
      const source = beginCell();
      for (const bit of label) source.storeBit(bit === "1");
      const builder = beginCell();
      storeLabel(builder, { bytes: source.endCell().data, at: 0, count: label.length }, left);
      const slice = builder.endCell().parse();
      const written = Array.from({ length: slice.remainingBits }, () => (slice.loadBit() ? "1" : "0")).join(
        "",
      );
      expect([label, written]).toEqual([label, expected]);
      expect(loadLabel(builder.endCell().parse(), left).count).toBe(label.length);
    }
  });
});
