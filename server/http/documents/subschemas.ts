import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";

export const componentPrefix = "#/components/schemas/";
/** References of zod, and to a schema of a parameter by its `$anchor`. */
export const definitions = /^#(?:\/\$defs\/(?=.)|(?=[A-Za-z]))/;

const maps = new Set(["properties", "anyOf", "oneOf", "allOf", "prefixItems", "$defs"]);
const singles = new Set(["items", "additionalProperties", "propertyNames"]);

/** Applies `change` to each direct subschema, and points `$ref` at the components. */
export function mapSubschemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === "$ref") return [keyword, (value as string).replace(definitions, componentPrefix)];
    if (Array.isArray(value) && maps.has(keyword)) return [keyword, value.map(change)];
    if (maps.has(keyword)) return [keyword, mapValues(value as Record<string, JsonSchema>, change)];
    if (singles.has(keyword) && typeof value === "object") return [keyword, change(value as JsonSchema)];
    return [keyword, value];
  });
  return Object.fromEntries(entries) as JsonSchema;
}

/** The object with changed values. */
export function mapValues<Value, Result>(
  object: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** Components as an object, sorted by name. */
export function sortedByName(components: Iterable<[string, JsonSchema]>): Record<string, JsonSchema> {
  return Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The name of the component that a schema refers to. */
export function componentOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(componentPrefix) ? $ref.slice(componentPrefix.length) : undefined;
}
