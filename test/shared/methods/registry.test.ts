import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { utilHandlers } from "../../../server/methods/v2/utils.js";
import { bind, implement } from "../../../server/rpc/bind.js";
import { defineMethod, flatten, type Handlers, restPaths } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import { rpcMethods } from "../../../shared/methods/rpc.js";
import { utilMethods } from "../../../shared/methods/v2/utils.js";
import { errorTable } from "../../../shared/rpc/errors.js";
import type { ParsedAddress } from "../../../shared/values/address.js";

type Schema = { description?: string; properties?: Record<string, Schema>; [keyword: string]: unknown };

/** Dotted paths of all members without a description, those of named schemas too. */
function undescribed(schema: Schema, path: string): string[] {
  const named = (schema["$defs"] ?? {}) as Record<string, Schema>;
  return [
    ...undescribedIn(schema, path, named),
    ...Object.entries(named).flatMap(([name, each]) => undescribedIn(each, name, named)),
  ];
}

function undescribedIn(schema: Schema, path: string, named: Record<string, Schema>): string[] {
  const isDescribed = ({ description, $ref }: Schema) =>
    description ?? named[String($ref).replace("#/$defs/", "")]?.description;
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    ...(isDescribed(member) ? [] : [`${path}.${name}`]),
    ...undescribedIn(member, `${path}.${name}`, named),
  ]);
  const parts = ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap(
    (keyword) => (schema[keyword] as Schema[]) ?? [],
  );
  const single = ["items", "additionalProperties"].map((keyword) => schema[keyword]);
  const nested = [...parts, ...single].filter(
    (each): each is Schema => typeof each === "object" && each !== null,
  );
  return [...members, ...nested.flatMap((each) => undescribedIn(each, path, named))];
}

/** The schemas of texts of any length. The text form of a list, beside its array, is as long as a request may be. */
function unboundedTexts(schema: unknown): unknown[] {
  if (typeof schema !== "object" || schema === null) return [];
  if (Array.isArray(schema)) {
    const array = (schema as Schema[]).find(({ type }) => type === "array");
    return (array ? [array] : schema).flatMap(unboundedTexts);
  }
  const { type, enum: words, maxLength, contentEncoding, format } = schema as Schema;
  // All forms of an address are short.
  if (type === "string") return (words ?? maxLength ?? contentEncoding ?? format) ? [] : [schema];
  return Object.values(schema).flatMap(unboundedTexts);
}

const methods = flatten(registry);
const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
/** Many parameters have one schema, and each takes milliseconds to compile. */
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
function validatorOf(field: z.ZodType) {
  const schema = z.toJSONSchema(field, { io: "input", unrepresentable: "any" });
  const text = JSON.stringify(schema);
  return compiled.get(text) ?? compiled.set(text, ajv.compile(schema)).get(text)!;
}

describe.each(methods)("the definition of %s", (name, definition) => {
  it("has examples that its own schemas accept", () => {
    for (const { params, result } of definition.examples) {
      expect(definition.params.safeParse(params).error).toBeUndefined();
      expect(definition.result.parse(result)).toEqual(result);
    }
  });

  it("documents as allowed nothing empty, and no zero, that it refuses", () => {
    for (const [key, field] of Object.entries<z.ZodType>(definition.params.shape)) {
      const isAllowed = validatorOf(field);
      const takesNumber = isAllowed(1);
      for (const value of takesNumber ? ["", 0, "0", []] : ["", []])
        if (isAllowed(value))
          expect([key, value, field.safeParse(value).success]).toEqual([key, value, true]);
    }
  });

  it("bounds every text of its parameters that is neither a list nor a bag of cells", () => {
    const params = z.toJSONSchema(definition.params, { io: "input", unrepresentable: "any" }) as Schema;
    const bagsOfCells = name === "v3.decode" ? ["bodies"] : [];
    for (const [key, field] of Object.entries(params.properties ?? {}))
      if (!bagsOfCells.includes(key)) expect([key, unboundedTexts(field)]).toEqual([key, []]);
  });

  it("describes every parameter and every field of its result", () => {
    const params = z.toJSONSchema(definition.params, { io: "input", unrepresentable: "any" }) as Schema;
    const result = z.toJSONSchema(definition.result, { io: "output" }) as Schema;
    const missing = [...undescribed(params, "params"), ...undescribed(result, "result")];
    if (!result.description && !result.properties && !result["$ref"]) missing.push("result");
    expect(missing).toEqual([]);
    expect(definition.summary).toMatch(/^[A-Z].*\.$|`.*\.$/);
    expect(definition.group).not.toBe("");
  });

  it("refuses pages that are too long, and orders that are none", () => {
    const [{ params }] = definition.examples;
    for (const [key, wrong] of Object.entries({ limit: 2000, sort: "up" }))
      if (key in definition.params.shape)
        expect([key, definition.params.safeParse({ ...params, [key]: wrong }).success]).toEqual([key, false]);
  });

  it("pins its freshness to parameters it has", () => {
    const { freshness } = definition;
    const pinnedBy = freshness.kind === "head" ? (freshness.pinnedBy ?? []) : [];
    expect(Object.keys(definition.params.shape)).toEqual(expect.arrayContaining([...pinnedBy]));
  });

  it("does not stand in the way of another method or path", () => {
    const names = methods.flatMap(([each, { aliases = [] }]) => [each, ...aliases]);
    const paths = methods.flatMap(([each, other]) => restPaths(each, other));
    for (const own of [name, ...(definition.aliases ?? [])])
      expect(names.filter((each) => each === own)).toEqual([own]);
    for (const own of restPaths(name, definition))
      expect(paths.filter((each) => each === own)).toEqual([own]);
  });
});

describe("paths", () => {
  const method = (verbs: readonly ("GET" | "POST")[], aliases: readonly string[] = []) =>
    defineMethod({
      summary: "Test.",
      group: "Test",
      params: z.object({}),
      result: z.null(),
      verbs,
      aliases,
      freshness: { kind: "none" },
      examples: [{ params: {}, result: null }],
    });

  it("are made from names", () => {
    expect(restPaths("getShards", method(["GET"], ["shards"]))).toEqual([
      "/api/v2/getShards",
      "/api/v2/shards",
    ]);
    expect(restPaths("v3.staking.nominatorPools.pool", method(["GET"]))).toEqual([
      "/api/v3/staking/nominatorPools/pool",
    ]);
    expect(restPaths("v3.addressInformation", method(["GET"], ["v3.account"]))).toEqual([
      "/api/v3/addressInformation",
      "/api/v3/account",
    ]);
    expect(restPaths("devnet.mine", method([], ["devnet.step"]))).toEqual([]);
  });

  it("and aliases lead to one method", () => {
    const group = { getShards: method(["GET"], ["shards"]) };
    const bound = bind(group, { getShards: () => null }, "testnet");
    expect([...bound.keys()]).toEqual(["getShards", "shards"]);
    expect(bound.get("shards")).toBe(bound.get("getShards"));
    expect(bound.get("shards")?.name).toBe("getShards");
  });

  it("leave out the methods of another network", () => {
    const mine = defineMethod({ ...method([]), network: "devnet" });
    const all = { devnet: { mine }, v3: { list: method(["GET"]) } };
    const v3 = { list: () => null };
    expect([...bind(all, { v3 }, "mainnet").keys()]).toEqual(["v3.list"]);
    const devnet = { mine: () => null };
    expect([...bind(all, { v3, devnet }, "devnet").keys()]).toEqual(["devnet.mine", "v3.list"]);
    expect(() => bind(all, { v3 }, "devnet")).toThrow("the method devnet.mine has no handler");
  });
});

describe("types", () => {
  it("give handlers the output types of the schemas", () => {
    type Pack = Handlers<typeof utilMethods>["packAddress"];
    expectTypeOf<Parameters<Pack>[0]>().toEqualTypeOf<{ address: ParsedAddress }>();
  });

  it("refuse a group with a handler missing, misspelt or of another kind", () => {
    const { packAddress: _, ...incomplete } = utilHandlers;
    expectTypeOf(incomplete).not.toExtend<typeof utilHandlers>();
    const withNumber = { ...utilHandlers, packAddress: () => 5 };
    expectTypeOf(withNumber).not.toExtend<typeof utilHandlers>();
    const misspelt = { ...incomplete, packAdress: utilHandlers.packAddress };
    expectTypeOf(misspelt).not.toExtend<typeof utilHandlers>();
    const group = { ...utilMethods, rpc: rpcMethods };
    // @ts-expect-error: the group rpc is missing
    const run = () => bind(group, implement(utilHandlers, undefined), "devnet");
    expect(run).toThrow("the method rpc.ping has no handler");
  });
});

describe("the error table", () => {
  it.each(Object.entries(errorTable))("%s has a status and a code that fit together", (_, row) => {
    expect(row.http).toBeGreaterThanOrEqual(400);
    expect([-32700, -32600, -32601, -32602, -32603, -32000]).toContain(row.jsonRpc);
    expect(row.text).not.toBe("");
    if (row.jsonRpc === -32603) expect(row.http).toBe(500);
  });
});
