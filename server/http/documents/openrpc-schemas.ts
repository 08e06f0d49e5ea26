import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { addressText } from "../../../shared/schema/patterns.js";
import { pascal } from "../../../shared/values/type-names.js";
import { componentOf, mapSubschemas } from "./subschemas.js";

// Tools of OpenRPC replace each reference by its target, name types by `title`, expect `items` in every list, and refuse
// formats that JSON Schema does not define.

/** Formats of OpenAPI, and our own; bounds and patterns beside them have the same effect. */
const otherFormats = ["int32", "int64", "uint64", addressText.format];

/** A schema in the form that these tools expect. */
export function openRpcSchema({ format, ...schema }: JsonSchema): JsonSchema {
  const { prefixItems, items = {} } = schema;
  const expected = {
    ...schema,
    ...(format !== undefined && !otherFormats.includes(format) && { format }),
    ...(prefixItems && { items }),
  };
  return mapSubschemas(expected, openRpcSchema);
}

/** Components in the form that these tools expect. They name the type of a method after it, which no record may be. */
export function openRpcComponents(
  components: Record<string, JsonSchema>,
  methods: readonly string[],
): Record<string, JsonSchema> {
  const taken = new Set(methods.map(pascal));
  const titled = Object.entries(components).map(([name, schema]) => [
    name,
    { title: taken.has(pascal(name)) ? `${name}Record` : name, ...openRpcSchema(schema) },
  ]);
  return withoutCycles(Object.fromEntries(titled));
}

/**
 * A reference from a component back to itself becomes `$dynamicRef`. For validators it is equivalent to `$ref`; tools that
 * replace each `$ref` would not terminate.
 */
function withoutCycles(components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const open = new Set<string>();
  const done = new Map<string, JsonSchema>();
  const anchors = new Set<string>();
  const place = (schema: JsonSchema): JsonSchema => {
    const target = componentOf(schema);
    if (target !== undefined && open.has(target)) {
      anchors.add(target);
      const { $ref: _, ...beside } = schema;
      return { ...beside, $dynamicRef: `#${target}` };
    }
    if (target !== undefined) follow(target);
    return mapSubschemas(schema, place);
  };
  const follow = (name: string) => {
    if (done.has(name)) return;
    open.add(name);
    done.set(name, place(components[name]!));
    open.delete(name);
  };
  for (const name of Object.keys(components)) follow(name);
  const placed = Object.keys(components).map((name) => [
    name,
    { ...(anchors.has(name) && { $dynamicAnchor: name }), ...done.get(name) },
  ]);
  return Object.fromEntries(placed);
}
