import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../../server/errors.js";
import { ParamReader, takes } from "../../../server/rpc/params/params.js";
import { Positions } from "../../../server/rpc/params/positions.js";
import { input } from "../../../shared/schema/input.js";

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

  describe("of an object of many names", () => {
    /** An object that counts how often its names are listed. */
    function listed(object: object) {
      let times = 0;
      const ownKeys = (target: object) => {
        times++;
        return Reflect.ownKeys(target);
      };
      return { object: new Proxy(object, { ownKeys }) as Record<string, unknown>, times: () => times };
    }
    const others = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`@k${i}`, i]));

    it("lists the names once", () => {
      const reader = new ParamReader(schema, "v2");
      const { object, times } = listed({ x: 1, ...others, a: "1", list: ["x"], y: 2 });
      expect(reader.read({ object }).values).toEqual({ a: "1", list: ["x"] });
      expect(reader.sent({ object })).toEqual({ a: "1", list: ["x"] });
      expect(reader.unknown({ object })).toEqual(["x", "y"]);
      expect(reader.given({ object }, "a")).toBe("1");
      expect(reader.demand({ object })).toEqual({ limit: 0, values: 1 });
      expect(() => reader.read({ object }, true)).toThrow("unknown parameter x");
      expect(times()).toBe(1);
    });

    it("takes v3 names in any case, and the last of equal ones", () => {
      const reader = new ParamReader(schema, "v3");
      const object = { A: "1", ...others, aB: "x", a: "2" };
      expect(reader.read({ object }).values).toEqual({ a: "2", ab: "x" });
    });
  });
});

const text = z.string();

it("a parameter takes the types of its input, in any of its forms", () => {
  const types = ["array", "object", "null"] as const;
  const taken = (field: z.ZodType) => types.filter((type) => takes(field, type));
  expect(taken(text)).toEqual([]);
  expect(taken(z.array(text))).toEqual(["array"]);
  expect(taken(z.object({ a: text }).optional())).toEqual(["object"]);
  expect(taken(text.nullable())).toEqual(["null"]);
  expect(taken(z.union([z.array(text), z.object({}), z.null()]))).toEqual([...types]);
  expect(taken(text.transform((value) => [value]))).toEqual([]);
  expect(taken(input({ type: ["object", "null"] }, String))).toEqual(["object", "null"]);
  // A field without a JSON schema takes none of them.
  expect(taken(z.bigint())).toEqual([]);
});

describe("parameters by position", () => {
  const plain = new Positions(z.object({ a: text, b: text.optional() }));

  it("have the names of the definition, in its order", () => {
    expect(plain.named([])).toEqual({});
    expect(plain.named(["x"])).toEqual({ a: "x" });
    expect(plain.named(["x", "y"])).toEqual({ a: "x", b: "y" });
    expect(plain.named([null])).toEqual({ a: null });
    expect(plain.named([["x"]])).toEqual({ a: ["x"] });
  });

  it("are by name in one object, unless the first parameter may be an object", () => {
    expect(plain.named([{ b: "y" }])).toEqual({ b: "y" });
    expect(plain.named([{ b: "y" }, "z"])).toEqual({ a: { b: "y" }, b: "z" });
    const stack = new Positions(z.object({ stack: z.union([text, z.object({})]), b: text.optional() }));
    for (let turn = 0; turn < 2; turn++) expect(stack.named([{ b: "y" }])).toEqual({ stack: { b: "y" } });
    expect(new Positions(z.object({})).named([{ b: "y" }])).toEqual({ b: "y" });
  });

  it("are refused if there are more than the method has", () => {
    const refusal = plain.named(["x", "y", "z"]);
    expect(refusal).toBeInstanceOf(ServiceError);
    expect(refusal).toMatchObject({
      code: "invalid-params",
      message: "too many parameters: the method takes a, b",
      data: { max: 2 },
    });
    expect(new Positions(z.object({})).named(["x"])).toMatchObject({
      message: "too many parameters: the method takes none",
      data: { max: 0 },
    });
  });
});
