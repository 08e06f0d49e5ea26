import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SchemaCollection } from "../../../server/http/documents/schemas.js";
import { type AnyDefinition, defineMethod } from "../../../shared/methods/define.js";
import { tree } from "../../helpers/http/example-registry.js";

function answering(result: z.ZodType): AnyDefinition {
  const example = { params: {}, result: undefined };
  return defineMethod({
    summary: "",
    group: "",
    params: z.object({}),
    result,
    verbs: [],
    freshness: { kind: "none" },
    examples: [example],
  });
}

const record = (members: z.ZodRawShape) => z.object({ "@type": z.literal("a.record"), ...members });

describe("schemas of a document", () => {
  it("name records by their type and share them between methods", () => {
    const schemas = new SchemaCollection();
    const inner = record({ value: z.string() });
    expect(schemas.result(answering(inner))).toEqual({ $ref: "#/components/schemas/a.record" });
    expect(schemas.result(answering(z.record(z.string(), inner.describe("Under its name."))))).toMatchObject({
      additionalProperties: { $ref: "#/components/schemas/a.record", description: "Under its name." },
    });
    expect(schemas.components).toEqual({
      "a.record": {
        type: "object",
        properties: { "@type": { type: "string", const: "a.record" }, value: { type: "string" } },
        required: ["@type", "value"],
        additionalProperties: false,
      },
    });
  });

  it("refuse two different records with the same name", () => {
    const schemas = new SchemaCollection();
    schemas.result(answering(record({ value: z.string() })));
    expect(() => schemas.result(answering(record({ value: z.int() })))).toThrow(
      "two different schemas have the name a.record; rename one of them by .meta({ id })",
    );
    const renamed = record({ value: z.int() }).meta({ id: "a.record.counted" });
    expect(schemas.result(answering(renamed))).toEqual({ $ref: "#/components/schemas/a.record.counted" });
  });

  it("let a named record hold itself, and refuse one without a name", () => {
    const schemas = new SchemaCollection();
    schemas.result(answering(tree));
    expect(schemas.components).toEqual({
      Node: {
        type: "object",
        properties: {
          value: expect.objectContaining({ type: "integer", description: "What it holds." }),
          children: {
            type: "array",
            items: { $ref: "#/components/schemas/Node" },
            description: "Nodes below.",
          },
        },
        required: ["value"],
        additionalProperties: false,
      },
    });
    const list: z.ZodType = z.lazy(() => z.array(list));
    expect(() => schemas.result(answering(list))).toThrow("a recursive schema needs a name: .meta({ id })");
  });
});
