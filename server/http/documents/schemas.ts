import * as z from "zod";
import type { AnyDefinition } from "../../../shared/methods/define.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";

const componentPrefix = "#/components/schemas/";

/**
 * Collects the schemas of one document. Named schemas become components that are referenced wherever they occur. A
 * name comes from `.meta({ id })` or, in results, from a constant `@type`.
 */
export class SchemaCollection {
  readonly #components = new Map<string, JsonSchema>();

  /** The named schemas so far, sorted by name. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** JSON Schema of a method's parameters. */
  params(definition: AnyDefinition): JsonSchema & { properties: Record<string, JsonSchema> } {
    const schema = this.#take(definition.params, "input");
    return { ...schema, properties: schema.properties ?? {} };
  }

  /** JSON Schema of a method's result. */
  result(definition: AnyDefinition): JsonSchema {
    return this.#take(definition.result, "output");
  }

  /** JSON Schema of something that is no method's. */
  of(source: z.ZodType, io: "input" | "output"): JsonSchema {
    return this.#take(source, io);
  }

  #take(source: z.ZodType, io: "input" | "output"): JsonSchema {
    const { $schema: _, $defs = {}, ...schema } = converted(source, io);
    const place = (each: JsonSchema, trail: readonly string[] = []): JsonSchema => {
      const unnamed = unnamedTarget(each);
      if (unnamed !== undefined) {
        if (trail.includes(unnamed)) throw new Error("a recursive schema needs a name: .meta({ id })");
        const { $ref: _, ...beside } = each;
        return { ...place($defs[unnamed] ?? schema, [...trail, unnamed]), ...beside };
      }
      const placed = mapSubschemas(each, (inner) => place(inner, trail));
      return io === "output" ? this.#extract(placed) : placed;
    };
    const within = (named: JsonSchema) => mapSubschemas(named, (inner) => place(inner));
    for (const [name, named] of Object.entries($defs)) if (isName(name)) this.#name(name, within(named));
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
      throw new Error(`two different schemas have the name ${name}; rename one of them by .meta({ id })`);
    this.#components.set(name, schema);
  }
}

type Converted = JsonSchema & { $defs?: Record<string, JsonSchema> };

const conversions = {
  input: new WeakMap<z.ZodType, Converted>(),
  output: new WeakMap<z.ZodType, Converted>(),
};

/** Converts each schema once: all documents describe the same methods. */
function converted(source: z.ZodType, io: "input" | "output"): Converted {
  const known = conversions[io].get(source);
  if (known) return known;
  // Parameters parse text forms in transforms, which zod cannot convert; they carry their JSON Schema as metadata.
  const schema = z.toJSONSchema(source, { io, unrepresentable: "any" }) as Converted;
  conversions[io].set(source, schema);
  return schema;
}

const definitions = "#/$defs/";

/** zod generates names for recursive schemas. Those are inlined, because they would clash and change. */
const isName = (name: string) => !name.startsWith("__schema");

/** The target of a reference to an unnamed schema; `#` is the whole schema. */
function unnamedTarget({ $ref }: JsonSchema): string | undefined {
  if ($ref === undefined || $ref.startsWith(componentPrefix)) return undefined;
  const name = $ref.replace(definitions, "");
  return isName(name) && name !== "#" ? undefined : name;
}

const maps = new Set(["properties", "anyOf", "oneOf", "allOf", "prefixItems"]);
const singles = new Set(["items", "additionalProperties"]);

/** Applies `change` to each direct subschema, and points `$ref` at the components. */
function mapSubschemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === "$ref") return [keyword, (value as string).replace(definitions, componentPrefix)];
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
