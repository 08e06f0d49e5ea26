import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { valueAt } from "../../../shared/values/lookups.js";
import { componentOf } from "./subschemas.js";

/** The alternatives of a schema, and where it has them. */
export function variantsOf(
  schema: JsonSchema,
): { keyword: "anyOf" | "oneOf"; variants: readonly JsonSchema[] } | undefined {
  for (const keyword of ["oneOf", "anyOf"] as const) {
    const variants = schema[keyword];
    if (variants) return { keyword, variants };
  }
  return undefined;
}

/** The text that a record has in each of its values: of member `name`, or of the first member with one. */
export function tagOf({ properties = {} }: JsonSchema, name?: string): string | undefined {
  const tag = (name === undefined ? Object.values(properties) : [properties[name]]).find(
    (member) => typeof member?.const === "string",
  );
  return tag?.const as string | undefined;
}

/**
 * The components with unions on the outside: an intersection of a record with a named union becomes a union of
 * intersections, because generators make types of these; the inner union is omitted.
 */
export function distributed(components: ReadonlyMap<string, JsonSchema>): Map<string, JsonSchema> {
  const result = new Map(components);
  for (const [name, { allOf, ...schema }] of components) {
    const inner = allOf?.map(componentOf).find((each) => each && variantsOf(components.get(each) ?? {}));
    const variants = inner === undefined ? undefined : variantsOf(valueAt(components, inner))?.variants;
    if (!allOf || inner === undefined || !variants) continue;
    const common = allOf.filter((each) => componentOf(each) !== inner);
    for (const variant of variants) {
      const own = componentOf(variant);
      if (own === undefined) throw new Error(`a variant of ${inner} has no name`);
      const { description, ...record } = valueAt(components, own);
      result.set(own, {
        allOf: [...common, record],
        ...(description !== undefined && { description }),
      });
    }
    result.set(name, { ...schema, oneOf: variants });
    result.delete(inner);
  }
  return result;
}
