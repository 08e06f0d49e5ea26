import * as z from "zod";
import type { AnyDefinition } from "../../../shared/methods/define.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";

const definitions = "#/$defs/";
export const componentPrefix = "#/components/schemas/";

/**
 * Collects the schemas of one document. What carries a name, by `.meta({ id })` or as a record of an answer by its
 * constant `@type`, becomes a component and is referred to wherever it occurs.
 */
export class SchemaCollection {
  readonly #components = new Map<string, JsonSchema>();

  /** The named schemas met so far, sorted so that documents do not depend on the order of methods. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** What a caller may send. */
  params(definition: AnyDefinition): JsonSchema & { properties: Record<string, JsonSchema> } {
    const schema = this.#take(definition.params, "input");
    return { ...schema, properties: schema.properties ?? {} };
  }

  /** What a caller gets. */
  result(definition: AnyDefinition): JsonSchema {
    return this.#take(definition.result, "output");
  }

  #take(source: z.ZodType, io: "input" | "output"): JsonSchema {
    // Parameters read their own text forms, which zod cannot see into; they bring their schema as metadata.
    const converted = z.toJSONSchema(source, { io, unrepresentable: "any" }) as JsonSchema;
    const { $schema: _, $defs, ...schema } = converted;
    const place = (each: JsonSchema): JsonSchema => {
      const placed = mapSubschemas(each, place);
      return io === "output" ? this.#extract(placed) : placed;
    };
    for (const [name, named] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>))
      this.#name(name, mapSubschemas(named, place));
    return place(schema);
  }

  #extract(schema: JsonSchema): JsonSchema {
    const name = schema.properties?.["@type"]?.const;
    if (typeof name !== "string") return schema;
    const { description, ...record } = schema;
    this.#name(name, record);
    return { $ref: componentPrefix + name, ...(description !== undefined && { description }) };
  }

  #name(name: string, schema: JsonSchema): void {
    const known = this.#components.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(
        `two different records are called ${name}; give one of them another id by .meta({ id })`,
      );
    this.#components.set(name, schema);
  }
}

const maps = new Set(["properties", "anyOf", "oneOf", "allOf", "prefixItems"]);
const singles = new Set(["items", "additionalProperties"]);

/** The schema with each schema directly in it changed, and its reference pointing at a component. */
function mapSubschemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === "$ref") return [keyword, componentRef(value as string)];
    if (maps.has(keyword)) return [keyword, mapValues(value, change)];
    if (singles.has(keyword) && typeof value === "object") return [keyword, change(value as JsonSchema)];
    return [keyword, value];
  });
  return Object.fromEntries(entries) as JsonSchema;
}

function mapValues(value: unknown, change: (schema: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map(change);
  const entries = Object.entries(value as Record<string, JsonSchema>);
  return Object.fromEntries(entries.map(([name, schema]) => [name, change(schema)]));
}

function componentRef(ref: string): string {
  const name = ref.startsWith(definitions) ? ref.slice(definitions.length) : "";
  // zod numbers what has no name, per method: such names would clash and change.
  if (name === "" || name.startsWith("__")) throw new Error("a recursive schema needs a name: .meta({ id })");
  return componentPrefix + name;
}
