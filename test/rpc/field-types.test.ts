import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../server/errors.js";
import { takes } from "../../server/rpc/field-types.js";
import { Positions } from "../../server/rpc/positions.js";
import { input } from "../../shared/schema/input.js";

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
