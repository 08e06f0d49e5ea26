import * as z from "zod";
import type { AnyDefinition } from "../../../shared/methods/define.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { variantName } from "../../../shared/values/type-names.js";
import { plainForm } from "./plain-form.js";
import { componentPrefix, definitions, mapSubschemas, sortedByName } from "./subschemas.js";
import { distributed, tagOf, variantsOf } from "./variants.js";

/**
 * Collects the schemas of one document. Named schemas become components that are referenced wherever they occur. A
 * name comes from `.meta({ id })`, in parameters from `x-name` or `$anchor`, in results from a constant `@type`; variants of a named
 * union are named after it.
 */
export class SchemaCollection {
  readonly #components = new Map<string, JsonSchema>();

  /** The named schemas so far, sorted by name. */
  get components(): Record<string, JsonSchema> {
    return sortedByName(distributed(this.#components));
  }

  /**
   * As `components`, but with intersections of a record and a union unchanged, so that the record is not repeated for
   * each variant.
   */
  get intersected(): Record<string, JsonSchema> {
    return sortedByName(this.#components);
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
      const placed = plainForm(mapSubschemas(each, (inner) => place(inner, trail)));
      return this.#extract(placed, io === "output" ? tagOf(placed, "@type") : undefined);
    };
    const within = (named: JsonSchema) => plainForm(mapSubschemas(named, (inner) => place(inner)));
    for (const [name, named] of Object.entries($defs)) if (isName(name)) this.#name(name, within(named));
    return place(schema);
  }

  #extract(schema: JsonSchema, type: string | undefined): JsonSchema {
    const { description, default: initial, $anchor: anchor, "x-name": given, ...record } = schema;
    const name = ((given ?? anchor) as string | undefined) ?? type;
    if (name === undefined) return schema;
    this.#name(name, record);
    return {
      $ref: componentPrefix + name,
      ...(description !== undefined && { description }),
      ...(initial !== undefined && { default: initial }),
    };
  }

  #name(name: string, schema: JsonSchema): void {
    const named = this.#withNamedVariants(name, schema);
    const known = this.#components.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(named))
      throw new Error(`two different schemas have the name ${name}; rename one of them by .meta({ id })`);
    this.#components.set(name, named);
  }

  #withNamedVariants(name: string, schema: JsonSchema): JsonSchema {
    const found = variantsOf(schema);
    if (!found) return schema;
    const variants = found.variants.map((variant) => {
      const tag = tagOf(variant);
      return tag === undefined
        ? variant
        : this.#extract({ ...variant, "x-name": variantName(name, tag) }, tag);
    });
    return { ...schema, [found.keyword]: variants };
  }
}

type Converted = JsonSchema & { $defs?: Record<string, JsonSchema> };

// Module state: memos by schema.
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

/** zod generates names for recursive schemas. Those are inlined, because they would clash and change. */
const isName = (name: string) => !name.startsWith("__schema");

/** The target of a reference to an unnamed schema; `#` is the whole schema. */
function unnamedTarget({ $ref }: JsonSchema): string | undefined {
  if ($ref === undefined || $ref.startsWith(componentPrefix)) return undefined;
  const name = $ref.replace(definitions, "");
  return isName(name) && name !== "#" ? undefined : name;
}
