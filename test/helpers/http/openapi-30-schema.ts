import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";

type Components = { components: { schemas: Record<string, JsonSchema> } };

/** The components of an OpenAPI 3.0 document as JSON Schemas: `nullable` lets null through beside what else is said. */
export function openApi30Schema({ components }: Components): Components {
  const entries = Object.entries(components.schemas).map(([name, schema]) => [name, jsonSchema(schema)]);
  return { components: { schemas: Object.fromEntries(entries) } };
}

export function jsonSchema({ nullable, discriminator: _, ...schema }: JsonSchema): JsonSchema {
  const inner = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === "properties") {
      const members = Object.entries(value as Record<string, JsonSchema>);
      return [keyword, Object.fromEntries(members.map(([name, each]) => [name, jsonSchema(each)]))];
    }
    if (keyword === "oneOf" || keyword === "allOf") return [keyword, (value as JsonSchema[]).map(jsonSchema)];
    const isSchema = keyword === "items" || keyword === "additionalProperties";
    return [keyword, isSchema ? jsonSchema(value as JsonSchema) : value];
  });
  const converted = Object.fromEntries(inner) as JsonSchema;
  return nullable ? { anyOf: [converted, { type: "null" }] } : converted;
}
