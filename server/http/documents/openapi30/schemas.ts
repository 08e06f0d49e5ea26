import type { JsonSchema } from "../../../../shared/rpc/open-rpc.js";
import { itemAt, memberOf } from "../../../../shared/values/lookups.js";
import { variantName } from "../../../../shared/values/type-names.js";
import { plainForm } from "../plain-form.js";
import { componentOf, componentPrefix, sortedByName } from "../subschemas.js";
import { variantsOf } from "../variants.js";
import { singular, typeName, withMemberNames } from "./names.js";
import { orNull, plain, withOwnDefault, withoutNull } from "./plain.js";
import { commonTag, merged, wordsOf } from "./records.js";

/** Place of a schema: values sent by callers have one type, and a record without a name gets this one. */
export type Place = { readonly io: "input" | "output"; readonly name: string };

/**
 * Converts the schemas of a 3.1 document to 3.0. Records become named components. A component is converted at its first
 * reference.
 */
export class Schemas30 {
  readonly #source: Readonly<Record<string, JsonSchema>>;
  readonly #converted = new Map<string, JsonSchema>();
  readonly #sides = new Map<string, Place["io"]>();

  constructor(source: Readonly<Record<string, JsonSchema>>) {
    this.#source = source;
  }

  get components(): Record<string, JsonSchema> {
    return sortedByName(this.#converted);
  }

  /** A converted schema, or the component that it refers to. */
  resolve(converted: JsonSchema): JsonSchema {
    return this.#converted.get(componentOf(converted) ?? "") ?? converted;
  }

  /** The schema in the form of 3.0. A record in it becomes a component, and so does the schema itself if it is one. */
  named(schema: JsonSchema, at: Place): JsonSchema {
    const converted = this.convert(schema, at);
    if (converted.properties === undefined) return converted;
    const { nullable, ...record } = converted;
    const reference = this.#add(at.name, record);
    return nullable ? orNull(reference) : reference;
  }

  convert(schema: JsonSchema, at: Place): JsonSchema {
    const component = componentOf(schema);
    if (component !== undefined) return this.#component(component, schema, at);
    const found = variantsOf(schema);
    if (found) return this.#union(schema, found.variants, at);
    if (schema.allOf) return { ...schema, allOf: schema.allOf.map((each) => this.convert(each, at)) };
    return this.#single(schema, at);
  }

  /** The schema itself, or the component that it refers to. */
  #resolve(schema: JsonSchema): JsonSchema {
    const component = componentOf(schema);
    return component === undefined ? schema : this.#resolve(memberOf(this.#source, component));
  }

  #component(component: string, { description, default: initial }: JsonSchema, at: Place): JsonSchema {
    const source = memberOf(this.#source, component);
    const name = typeName(component, source);
    if (!this.#isKept(source)) {
      const own = {
        ...(description !== undefined && { description }),
        ...(initial !== undefined && { default: initial }),
      };
      return withOwnDefault({ ...this.convert(source, at), ...own });
    }
    const side = this.#sides.get(name) ?? at.io;
    if (side !== at.io) throw new Error(`${name} is in requests and in answers, where its types may differ`);
    this.#sides.set(name, side);
    if (!this.#converted.has(name)) {
      // Register before converting the schemas inside, which may refer to this one.
      this.#converted.set(name, {});
      this.#converted.set(name, this.convert(source, { ...at, name }));
    }
    return { $ref: componentPrefix + name };
  }

  /** Whether a component becomes a named type; texts, numbers, and lists of them do not. */
  #isKept(source: JsonSchema): boolean {
    if (source.allOf) return true;
    const found = variantsOf(source);
    return found
      ? commonTag(found.variants.map((each) => this.#resolve(each))) !== undefined ||
          this.#areRecords(found.variants)
      : source.type === "object";
  }

  #areRecords(variants: readonly JsonSchema[]): boolean {
    return variants.every((each) => this.#resolve(each).properties !== undefined);
  }

  #add(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#converted.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two different schemas have the name ${name}`);
    this.#converted.set(name, schema);
    return { $ref: componentPrefix + name };
  }

  #union(schema: JsonSchema, variants: readonly JsonSchema[], at: Place): JsonSchema {
    const { anyOf: _, oneOf: __, ...beside } = schema;
    const all = variants.flatMap((each) => this.#flat(each));
    const forms = all.filter(({ type }) => type !== "null");
    const isNullable = forms.length < all.length;
    const converted =
      forms.length === 1
        ? this.#only(itemAt(forms, 0), beside, at)
        : withOwnDefault({ ...this.#several(forms, at), ...beside });
    return isNullable ? orNull(converted) : converted;
  }

  /** The alternatives of a union inside a union. */
  #flat(schema: JsonSchema): readonly JsonSchema[] {
    const inside = variantsOf(schema);
    return inside ? inside.variants.flatMap((each) => this.#flat(each)) : [schema];
  }

  #only(form: JsonSchema, beside: JsonSchema, at: Place): JsonSchema {
    const converted = this.named(form, at);
    return converted.$ref === undefined ? withOwnDefault({ ...converted, ...beside }) : converted;
  }

  #several(forms: readonly JsonSchema[], at: Place): JsonSchema {
    const resolved = forms.map((each) => this.#resolve(each));
    const tag = commonTag(resolved);
    if (tag !== undefined) return this.#tagged(forms, tag, at);
    if (areTuples(forms)) return this.#single(itemAt(forms, 0), at);
    if (at.io === "input") return this.convert(canonical(forms, resolved), at);
    return this.#areRecords(forms) ? this.#single(merged(resolved), at) : {};
  }

  /** A union with a discriminator: a member that identifies the variant. */
  #tagged(forms: readonly JsonSchema[], tag: string, at: Place): JsonSchema {
    const mapping: Record<string, string> = {};
    const oneOf = forms.map((form) => {
      const values = wordsOf(this.#resolve(form), tag)!;
      const reference = this.named(form, { ...at, name: variantName(at.name, itemAt(values, 0)) });
      for (const value of values) mapping[value] = reference.$ref!;
      return reference;
    });
    return { oneOf, discriminator: { propertyName: tag, mapping } };
  }

  #single(schema: JsonSchema, at: Place): JsonSchema {
    const { items, prefixItems, properties, additionalProperties, ...rest } = withoutNull(schema);
    const result = plain(plainForm(rest));
    if (result.type === "array")
      result.items = prefixItems ? {} : this.named(items ?? {}, { ...at, name: singular(at.name) });
    if (properties) result.properties = withMemberNames(this.#members(properties, at));
    else if (isSchema(additionalProperties))
      result.additionalProperties = this.named(additionalProperties, { ...at, name: `${at.name}Entry` });
    return result;
  }

  #members(properties: Record<string, JsonSchema>, at: Place): Record<string, JsonSchema> {
    const entries = Object.entries(properties).map(([key, schema]) => [
      key,
      this.named(schema, { ...at, name: at.name + typeName(key) }),
    ]);
    return Object.fromEntries(entries);
  }
}

/**
 * The form of a parameter that programs send: a list rather than its text, text rather than a number that may lose
 * precision, else the first.
 */
function canonical(forms: readonly JsonSchema[], resolved: readonly JsonSchema[]): JsonSchema {
  const hasText = resolved.some(({ type }) => type === "string");
  const list = resolved.findIndex(({ type }) => type === "array");
  if (hasText && list >= 0) return itemAt(forms, list);
  const isExact = ({ format, maximum }: JsonSchema) => !/64$/.test(format ?? "") || maximum !== undefined;
  return itemAt(forms, Math.max(0, hasText ? resolved.findIndex(isExact) : 0));
}

const areTuples = (forms: readonly JsonSchema[]) =>
  forms.every(
    ({ prefixItems }) => prefixItems && prefixItems.length === itemAt(forms, 0).prefixItems?.length,
  );

const isSchema = (value: boolean | JsonSchema | undefined): value is JsonSchema =>
  typeof value === "object" && Object.keys(value).some((keyword) => keyword !== "description");
