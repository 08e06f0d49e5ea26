// TypeScript declarations made from schemas, with their descriptions as documentation. Used by client-types.mjs.
import { z } from "zod";
import { compiled } from "./compiled.mjs";

const { pascal, variantName } = await compiled("shared/values/type-names.js");

/** A documentation comment. Hover documentation without a text is a defect. */
export function comment(text, indent = "") {
  if (!text) throw new Error("a declaration has no description");
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

/** A property name, in quotes if it needs them. */
export const propertyName = (key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

const idOf = (schema) => z.globalRegistry.get(schema)?.id;

/** The schema that this one differs from by its description only. */
function originOf(schema) {
  let origin = schema;
  while (origin._zod.parent && !idOf(origin)) origin = origin._zod.parent;
  // A parameter has its JSON Schema in front of its reader.
  return origin._zod.def.type === "pipe" && !idOf(origin) ? originOf(origin._zod.def.in) : origin;
}

/**
 * Collects the declarations of records that types refer to. A record is named after its id, the constant that exports
 * its schema, its `@type`, or else the place where it is met first.
 */
export class Declarations {
  /** Texts by name, in the order in which records are met. */
  #texts = new Map();
  /** Structures by name: two different records cannot share one. */
  #structures = new Map();
  /** Names by the origin of the schema. */
  #names = new Map();
  /** Names of exported constants by the origin of the schema. */
  #exported;
  /** Types of members without a schema, by `<record>.<member>`. */
  #given;
  /** Origins by number; JSON Schemas carry the number. */
  #origins = [];

  /** `exported` has the constants of the schema modules as pairs of name and schema. */
  constructor(exported, given) {
    this.#given = given;
    this.#exported = new Map(exported.map(([name, schema]) => [originOf(schema), pascal(name)]));
  }

  get text() {
    return [...this.#texts.values()].join("\n");
  }

  /** The type of a schema. A record without a name is named `name` and documented as `about`. */
  typeOf(schema, io, name, about) {
    const json = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        jsonSchema.origin ??= this.#numberOf(originOf(zodSchema));
      },
    });
    return this.#type(json, { io, name, about, root: json, $defs: json.$defs ?? {} });
  }

  #numberOf(origin) {
    const known = this.#origins.indexOf(origin);
    return known < 0 ? this.#origins.push(origin) - 1 : known;
  }

  /** `at.name` and `at.about` are for a record without a name. */
  #type(schema, at) {
    if (schema.$ref) return this.#type(target(schema, at), at);
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
    if (schema.allOf) return this.#record(schema, at);
    const variants = variantsOf(schema);
    if (variants)
      return variants.some(isRecord) && this.#ownName(schema)
        ? this.#record(schema, at)
        : this.#union(variants, at);
    switch (schema.type) {
      case "integer":
        return /64/.test(schema.format) ? "number | bigint" : "number";
      case "number":
      case "boolean":
      case "string":
      case "null":
        return schema.type;
      case "array":
        return this.#array(schema, at);
      case "object":
        return isRecord(schema) ? this.#record(schema, at) : this.#dictionary(schema, at);
      default:
        return "unknown";
    }
  }

  #array({ items = {}, prefixItems }, at) {
    const modifier = at.io === "input" ? "readonly " : "";
    if (prefixItems) return `${modifier}[${prefixItems.map((each) => this.#type(each, at)).join(", ")}]`;
    const item = this.#type(items, { ...at, name: at.name.replace(/(?<=[^s])s$/, "") });
    return `${modifier}${/[|&]/.test(item) ? `(${item})` : item}[]`;
  }

  #dictionary({ additionalProperties: values = {}, origin }, at) {
    const name = this.#exported.get(this.#origins[origin]) ?? at.name;
    return `Record<string, ${this.#type(values, { ...at, name: `${name}Entry` })}>`;
  }

  #union(variants, at) {
    const types = variants.map((each) =>
      this.#type(each, { ...at, name: recordName(each, at), about: undefined }),
    );
    // Words for true and false are for query strings.
    return at.io === "input" && types.includes("boolean") ? "boolean" : union(types);
  }

  /** The name of a record, which is declared when it is met first. */
  #record(schema, at) {
    const origin = this.#origins[schema.origin];
    const known = this.#names.get(origin);
    if (known) return known;
    const name = this.#ownName(schema) ?? at.name;
    const structure = JSON.stringify(schema, (key, value) =>
      /^(description|origin)$/.test(key) ? undefined : value,
    );
    if (this.#structures.get(name) === structure) return name;
    if (this.#structures.has(name)) throw new Error(`two different records have the name ${name}`);
    this.#structures.set(name, structure);
    if (origin) this.#names.set(origin, name);
    // Records inside a parameter that has its schema have no origin.
    const registered = origin && z.globalRegistry.get(origin);
    const about = registered?.description ?? schema.description ?? at.about ?? stated(schema);
    // Register before the records inside it.
    this.#texts.set(name, "");
    this.#texts.set(
      name,
      comment(about) + this.#declaration(schema, name, { ...at, name, about: undefined }),
    );
    return name;
  }

  /** The name that a schema has wherever it is met. */
  #ownName({ origin: number, properties }) {
    const origin = this.#origins[number];
    const id = origin && idOf(origin);
    const type = properties?.["@type"]?.const;
    return (id && pascal(id)) ?? this.#exported.get(origin) ?? (type && pascal(type));
  }

  #declaration(schema, name, at) {
    if (schema.allOf) {
      const inside = { ...at, name: `${name}Frame`, about: `What every \`${name}\` has.` };
      return `export type ${name} = ${schema.allOf.map((each) => this.#type(each, inside)).join(" & ")};\n`;
    }
    const variants = variantsOf(schema);
    if (variants) return `export type ${name} = ${this.#union(variants, at)};\n`;
    const { properties, required = [], additionalProperties: further } = schema;
    const members = Object.entries(properties).map(([key, value]) =>
      this.#member(key, value, required.includes(key), at),
    );
    // A member without a description is not listed.
    if (further?.description)
      members.push(`${comment(further.description, "  ")}  [name: string]: ${this.#type(further, at)};\n`);
    return `export interface ${name} {\n${members.join("")}}\n`;
  }

  #member(key, schema, required, at) {
    const inside = { ...at, name: at.name + pascal(key), about: `An entry of \`${key}\`.` };
    const type = this.#given[`${at.name}.${key}`] ?? this.#type(schema, inside);
    const about = schema.description ?? target(schema, at).description;
    const preset = schema.default === undefined ? "" : ` Default: \`${JSON.stringify(schema.default)}\`.`;
    const name = (at.io === "input" ? "readonly " : "") + propertyName(key);
    return `${comment(about + preset, "  ")}  ${name}${required ? `: ${type}` : `?: ${type} | undefined`};\n`;
  }
}

/** The schema that a reference names; other schemas are returned unchanged. */
function target(schema, { root, $defs }) {
  if (!schema.$ref) return schema;
  return schema.$ref === "#" ? root : $defs[schema.$ref.replace("#/$defs/", "")];
}

const isRecord = ({ type, $ref, properties }) =>
  $ref !== undefined || (type === "object" && properties !== undefined);
const variantsOf = ({ anyOf, oneOf }) => anyOf ?? oneOf;
const union = (types) => [...new Set(types)].join(" | ");

/** A name for one of several records: after the type that it states, or the flag that distinguishes it. */
function recordName({ properties = {}, required = [] }, { name, io }) {
  const [key, { const: value } = {}] = Object.entries(properties).find(([, each]) => "const" in each) ?? [];
  const [first] = Object.keys(properties);
  if (key === undefined && io === "input" && first && required[0] === first) return name + pascal(first);
  if (key === undefined) return name;
  if (typeof value === "boolean") return name + (value ? "" : "Not") + pascal(key);
  return variantName(name, value);
}

/** The type that a record states. */
function stated({ properties }) {
  const type = properties?.["@type"]?.const ?? properties?.type?.const;
  return type && `A record of the type \`${type}\`.`;
}
