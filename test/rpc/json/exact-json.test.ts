import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasInexactNumber, parseExactly } from "../../../server/rpc/json/exact-json.js";

/** Spaces between the tokens of a JSON text, which must have no strings with brackets, commas or colons. */
const spaced = (text: string) => text.replace(/[[\]{},:]/g, (found) => ` ${found}\t\r\n`);

describe("the exact JSON reader", () => {
  it("reads integers beyond 2^53 as bigint, wherever they stand", () => {
    const text =
      '{"a":[9007199254740993,-9007199254740992],"b":{"c":18446744073709551615},"d":9007199254740991,"e":"9007199254740993"}';
    const value = {
      a: [9007199254740993n, -9007199254740992n],
      b: { c: 18446744073709551615n },
      d: Number.MAX_SAFE_INTEGER,
      e: "9007199254740993",
    };
    expect(parseExactly(text)).toEqual(value);
    expect(parseExactly(spaced(text))).toEqual(value);
    expect(parseExactly(" -12345678901234567890 ")).toBe(-12345678901234567890n);
  });

  it("leaves fractions, exponents and integers beyond the range of a double unchanged", () => {
    expect(parseExactly(`[1e20,9007199254740993.0,1E400,-1${"0".repeat(400)},-0]`)).toEqual([
      1e20,
      9007199254740992,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      -0,
    ]);
  });

  it("agrees with JSON.parse about everything else", () => {
    const text = fc
      .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, "\t"))
      .map(([value, indent]) => JSON.stringify(value, undefined, indent));
    fc.assert(
      fc.property(text, (text) => {
        const expected = JSON.parse(text);
        fc.pre(!hasInexactNumber(expected));
        expect(parseExactly(text)).toEqual(expected);
      }),
    );
  });

  it.each([
    '{"__proto__":{"a":1},"b":2,"b":3}',
    '["\\"\\\\","\\ud800\\u0000\\/",""]',
    "[true,false,null,[],{}]",
  ])("reads %s as JSON.parse does", (text) => {
    expect(parseExactly(text)).toStrictEqual(JSON.parse(text));
  });

  it("reads long texts with many escapes", () => {
    const value = ["\n".repeat(500_000), "x".repeat(500_000)];
    expect(parseExactly(JSON.stringify(value))).toEqual(value);
  });
});
