import fc from "fast-check";
import { expect, it } from "vitest";
import { cacheKey } from "../../../shared/rpc/cache-key.js";
import { Address } from "../../../shared/values/address.js";

const address = new Address(0, new Uint8Array(32).fill(0xab));

it("a key has the method and each parameter that was given", () => {
  expect(cacheKey("method", {})).toBe("method");
  expect(cacheKey("method", { a: 1, b: undefined, c: "x y", d: 5n, e: true, f: null })).toBe(
    'method a=1 c="x y" d=i5 e=true f=null',
  );
  expect(
    cacheKey("method", { list: [1, "1", 1n], object: { inner: [] }, bytes: Uint8Array.of(1, 2, 3) }),
  ).toBe('method list=[1,"1",i1] object={ inner=[]} bytes=*AQID');
});

it("values of different kinds that look alike have different keys", () => {
  const values = [
    1,
    "1",
    1n,
    [1],
    ["1"],
    { 1: 1 },
    true,
    "true",
    null,
    "null",
    "i1",
    "*AQID",
    "[]",
    [],
    "{}",
    {},
  ];
  const bytes = [Uint8Array.of(1, 2, 3), address, `@${address.workchain}:`, address.toRawUpper()];
  const keys = [...values, ...bytes].map((value) => cacheKey("method", { value }));
  expect(new Set(keys).size).toBe(keys.length);
});

it("addresses are equal by workchain and hash", () => {
  const keyOf = (workchain: number, byte: number) =>
    cacheKey("method", { at: new Address(workchain, new Uint8Array(32).fill(byte)) });
  expect(keyOf(0, 0xab)).toBe(cacheKey("method", { at: address }));
  expect(new Set([keyOf(0, 1), keyOf(-1, 1), keyOf(0, 2)]).size).toBe(3);
});

it("different texts have different keys, whatever they contain", () => {
  const text = fc.string({ unit: fc.constantFrom("a", " ", "b", "=", '"', "\\", ","), maxLength: 8 });
  const params = fc.record({
    a: text,
    b: fc.option(text, { nil: undefined }),
    list: fc.array(text, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(params, params, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(cacheKey("m", one) === cacheKey("m", other)).toBe(isSame);
    }),
    { numRuns: 500 },
  );
});
