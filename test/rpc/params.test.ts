import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ParamReader } from "../../server/rpc/params.js";

const scalar = z.union([z.string(), z.number(), z.boolean()]).optional();
const schema = z.object({ a: scalar, ab: scalar, list: z.array(z.string()).optional() });

describe("reading parameters", () => {
  it("takes the same ones from memory", () => {
    const reader = new ParamReader(schema, "v2");
    const first = reader.read({ object: { a: "x", ab: 1 } });
    expect(reader.read({ object: { a: "x", ab: 1 } })).toBe(first);
    expect(reader.read({ object: { a: "x", ab: "1" } })).not.toBe(first);
    expect(reader.read({ object: { list: ["x"] } })).not.toBe(reader.read({ object: { list: ["x"] } }));
  });

  it("takes those of an equal query from memory, without parsing it", () => {
    const reader = new ParamReader(schema, "v2");
    const first = reader.read({ query: [["a", "x"]], queryText: "a=x" });
    const again = {
      queryText: "a=x",
      get query(): never {
        throw new Error("the query was parsed");
      },
    };
    expect(reader.read(again)).toBe(first);
    expect(reader.read({ query: [["a", "y"]], queryText: "a=y" }).values).toEqual({ a: "y" });
    // The body counts too.
    expect(reader.read({ query: [["a", "x"]], queryText: "a=x", object: { a: "z" } }).values).toEqual({
      a: "z",
    });
  });

  it("refuses the same invalid ones each time", () => {
    const reader = new ParamReader(z.object({ a: z.string().max(1) }), "v2");
    for (let turn = 0; turn < 2; turn++) expect(() => reader.read({ object: { a: "long" } })).toThrow();
  });

  it("never takes other parameters from memory", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1", " ", "string", "number"), maxLength: 6 });
    const value = fc.oneof(text, fc.integer({ min: 0, max: 11 }), fc.boolean());
    const name = fc.constantFrom("a", "ab", "b", "1 1 string a");
    const reader = new ParamReader(schema, "v2");
    fc.assert(
      fc.property(fc.dictionary(name, value), (object) => {
        const { a, ab } = object;
        const expected = { ...(a !== undefined && { a }), ...(ab !== undefined && { ab }) };
        expect(reader.read({ object }).values).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
