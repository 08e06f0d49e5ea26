import { Address as CoreAddress, Cell as CoreCell, beginCell as coreBuilder } from "@ton/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { type Builder, beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { CellError } from "../../../../shared/ton/cells/cell-error.js";
import type { Slice } from "../../../../shared/ton/cells/slice.js";
import { Address } from "../../../../shared/values/address.js";
import { sized } from "../../../helpers/effort.js";
import { bitText, coreBits } from "./arbitrary.js";

type CoreBuilder = ReturnType<typeof coreBuilder>;

/** A value with the calls that store and load it in both libraries. */
type Step = {
  store(builder: Builder): void;
  core(builder: CoreBuilder): void;
  load(slice: Slice): unknown;
  value: unknown;
};

const uint = fc.integer({ min: 1, max: 48 }).chain((bits) =>
  fc.nat({ max: Math.min(2 ** bits - 1, Number.MAX_SAFE_INTEGER) }).map(
    (value): Step => ({
      store: (b) => b.storeUint(value, bits),
      core: (b) => b.storeUint(value, bits),
      load: (s) => s.loadUint(bits),
      value,
    }),
  ),
);
const int = fc.integer({ min: 1, max: 48 }).chain((bits) =>
  fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 }).map(
    (value): Step => ({
      store: (b) => b.storeInt(value, bits),
      core: (b) => b.storeInt(value, bits),
      load: (s) => s.loadInt(bits),
      value,
    }),
  ),
);
const bigUint = fc.integer({ min: 1, max: 256 }).chain((bits) =>
  fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }).map(
    (value): Step => ({
      store: (b) => b.storeUint(value, bits),
      core: (b) => b.storeUint(value, bits),
      load: (s) => s.loadBigUint(bits),
      value,
    }),
  ),
);
const bigInt = fc.integer({ min: 2, max: 257 }).chain((bits) =>
  fc.bigInt({ min: -(1n << BigInt(bits - 1)), max: (1n << BigInt(bits - 1)) - 1n }).map(
    (value): Step => ({
      store: (b) => b.storeInt(value, bits),
      core: (b) => b.storeInt(value, bits),
      load: (s) => s.loadBigInt(bits),
      value,
    }),
  ),
);
const coins = fc.bigInt({ min: 0n, max: (1n << 120n) - 1n }).map(
  (value): Step => ({
    store: (b) => b.storeCoins(value),
    core: (b) => b.storeCoins(value),
    load: (s) => s.loadCoins(),
    value,
  }),
);
/** The minimum of an n-byte integer, for which @ton/core uses one byte more than necessary. */
const isLowest = (value: bigint) => /^-10{7}(0{8})*$/.test(value.toString(2));
const varInt = fc
  .bigInt({ min: -(1n << 119n), max: (1n << 119n) - 1n })
  .filter((value) => !isLowest(value))
  .map(
    (value): Step => ({
      store: (b) => b.storeVarInt(value, 4),
      core: (b) => b.storeVarInt(value, 4),
      load: (s) => s.loadVarInt(4),
      value,
    }),
  );
const bytes = fc.uint8Array({ maxLength: 60 }).map(
  (value): Step => ({
    store: (b) => b.storeBytes(value),
    core: (b) => b.storeBuffer(Buffer.from(value)),
    load: (s) => s.loadBytes(value.length),
    value,
  }),
);
const address = fc
  .tuple(fc.integer({ min: -128, max: 127 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(
    ([workchain, hash]): Step => ({
      store: (b) => b.storeAddress(new Address(workchain, hash)),
      core: (b) => b.storeAddress(new CoreAddress(workchain, Buffer.from(hash))),
      load: (s) => s.loadAddress(),
      value: new Address(workchain, hash),
    }),
  );
const bit = fc.boolean().map(
  (value): Step => ({
    store: (b) => b.storeBit(value),
    core: (b) => b.storeBit(value),
    load: (s) => s.loadBit(),
    value,
  }),
);
const steps = fc.array(fc.oneof(uint, int, bigUint, bigInt, coins, varInt, bytes, address, bit), {
  maxLength: 12,
});

describe("builders and slices", () => {
  test("any value is stored to the same cell as by @ton/core and read back", () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const core = coreBuilder();
        const ours = beginCell();
        const stored: Step[] = [];
        for (const step of taken) {
          const alone = beginCell();
          step.store(alone);
          if (ours.bits + alone.bits > 1023) break;
          step.core(core);
          step.store(ours);
          stored.push(step);
        }
        const cell = ours.endCell();
        const coreCell = core.endCell();
        expect(cell.hashHex()).toBe(coreCell.hash().toString("hex"));
        // Read from built cells and from cells in a bag, where the data has another byte offset.
        for (const source of [cell, parseBocRoot(coreCell.toBoc())]) {
          const slice = source.parse();
          for (const step of stored) expect(step.load(slice)).toEqual(step.value);
          slice.end();
        }
      }),
      { numRuns: sized(100, 500) },
    );
  });

  test("a number of variable length takes the minimum of bytes", () => {
    for (let bytes = 1; bytes <= 15; bytes++) {
      const beyond = 1n << BigInt(8 * bytes - 1);
      for (const value of [-beyond, beyond - 1n]) {
        const slice = beginCell().storeVarInt(value, 4).endCell().parse();
        expect(slice.remainingBits).toBe(4 + 8 * bytes);
        expect(slice.loadVarInt(4)).toBe(value);
      }
    }
  });

  test("parts of any bit alignment are copied between cells", () => {
    fc.assert(
      fc.property(bitText(500), bitText(500), fc.nat(500), (prefix, body, cut) => {
        const toCell = (text: string) => parseBocRoot(new CoreCell({ bits: coreBits(text) }).toBoc());
        const skipped = Math.min(cut, body.length);
        const slice = toCell(body).parse().skip(skipped);
        const joined = beginCell().storeSlice(toCell(prefix).parse()).storeSlice(slice);
        const expected = prefix + body.slice(skipped);
        const hash = new CoreCell({ bits: coreBits(expected) }).hash().toString("hex");
        expect(joined.endCell().hashHex()).toBe(hash);
        expect(beginCell().storeBuilder(joined).endCell().hashHex()).toBe(hash);
        const rest = new CoreCell({ bits: coreBits(body.slice(skipped)) });
        expect(slice.toCell().hashHex()).toBe(rest.hash().toString("hex"));
        expect(slice.remainingBits).toBe(body.length - skipped);
      }),
    );
  });

  test("a slice of a part ends where the part ends", () => {
    const leaf = beginCell().storeUint(1, 1).endCell();
    const slice = beginCell().storeUint(0xabcd, 16).storeRef(leaf).storeRef(Cell.empty).endCell().parse();
    const part = slice.loadBits(8, 1);
    expect(part.clone().loadUint(8)).toBe(0xab);
    expect(part.preloadRef()).toBe(leaf);
    expect(() => part.loadUint(9)).toThrow(CellError);
    expect(() => part.preloadRef(1)).toThrow(CellError);
    expect(part.toCell().equals(beginCell().storeUint(0xab, 8).storeRef(leaf).endCell())).toBe(true);
    expect([slice.remainingBits, slice.remainingRefs]).toEqual([8, 1]);
    expect(() => slice.end()).toThrow("8 bits and 1 references are left over");
  });

  test("references are read in order and optional ones by their bit", () => {
    const [a, b] = [1, 2].map((n) => beginCell().storeUint(n, 8).endCell()) as [Cell, Cell];
    const slice = beginCell().storeMaybeRef(undefined).storeMaybeRef(a).storeRef(b).endCell().parse();
    expect(slice.loadMaybeRef()).toBeUndefined();
    expect(slice.loadMaybeRef()).toBe(a);
    expect(slice.loadRef()).toBe(b);
    expect(() => slice.loadRef()).toThrow(CellError);
    expect(() => slice.loadBit()).toThrow(CellError);
  });

  const refused: [string, (b: Builder) => unknown][] = [
    ["a negative unsigned number", (b) => b.storeUint(-1, 8)],
    ["a number too large", (b) => b.storeUint(256, 8)],
    ["a bigint too large", (b) => b.storeUint(1n << 64n, 64)],
    ["a negative bigint", (b) => b.storeUint(-1n, 64)],
    ["a fraction", (b) => b.storeUint(0.5, 8)],
    ["no number", (b) => b.storeUint(Number.NaN, 8)],
    ["a number beyond 2^53", (b) => b.storeUint(2 ** 53, 64)],
    ["a signed number too large", (b) => b.storeInt(128, 8)],
    ["a signed number too small", (b) => b.storeInt(-129n, 8)],
    ["one in no bits", (b) => b.storeUint(1, 0)],
    ["minus one in no bits", (b) => b.storeInt(-1, 0)],
    ["coins of 16 bytes", (b) => b.storeCoins(1n << 120n)],
    ["negative coins", (b) => b.storeCoins(-1n)],
    ["1024 bits", (b) => b.storeBytes(new Uint8Array(128))],
    ["a fifth reference", (b) => [1, 2, 3, 4, 5].map(() => b.storeRef(Cell.empty))],
  ];
  test.each(refused)("%s is refused", (_title, store) => {
    expect(() => store(beginCell())).toThrow(CellError);
  });

  test("a refused value leaves the builder unchanged", () => {
    const builder = beginCell().storeBytes(new Uint8Array(127).fill(7));
    for (const bits of [8, 30, 48, 100]) expect(() => builder.storeUint(0, bits)).toThrow(CellError);
    expect(builder.storeUint(1, 7).endCell().bits).toBe(1023);
  });

  test("more than 48 bits are not read as a number", () => {
    const slice = beginCell().storeUint(1, 64).endCell().parse();
    expect(() => slice.loadUint(49)).toThrow(CellError);
    expect(slice.loadBigUint(64)).toBe(1n);
  });

  test.each([
    ["an external address", (b: Builder) => b.storeUint(1, 2).storeUint(8, 9).storeUint(1, 8)],
    ["a variable address", (b: Builder) => b.storeUint(3, 2).storeUint(0, 300)],
    ["an address with anycast", (b: Builder) => b.storeUint(5, 3).storeUint(0, 300)],
    ["an address cut off", (b: Builder) => b.storeUint(4, 3).storeUint(0, 200)],
  ])("%s is not read as a standard address", (_title, store) => {
    expect(() => store(beginCell()).endCell().parse().loadAddress()).toThrow(CellError);
    expect(beginCell().storeAddress(undefined).endCell().parse().loadAddress()).toBeUndefined();
  });

  test("a tree deeper than 1024 cannot be built", () => {
    let cell = Cell.empty;
    for (let i = 0; i < 1024; i++) cell = beginCell().storeRef(cell).endCell();
    expect(cell.depth()).toBe(1024);
    expect(() => beginCell().storeRef(cell).endCell()).toThrow("deeper than 1024");
  });
});
