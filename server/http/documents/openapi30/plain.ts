import type { JsonSchema } from "../../../../shared/rpc/open-rpc.js";
import { itemAt } from "../../../../shared/values/lookups.js";

/** Keywords of 3.1 that 3.0 does not have, and whose loss makes a client no less right. */
const unknownKeywords = ["contentEncoding", "propertyNames", "$schema"];

/** A schema without schemas inside, in the words of 3.0. */
export function plain(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(([keyword]) => !unknownKeywords.includes(keyword));
  const { const: only, ...rest } = Object.fromEntries(entries) as JsonSchema;
  const values = rest.enum ?? (only === undefined ? undefined : [only]);
  if (values === undefined) return withFormat(rest);
  const type = rest.type ?? typeof values[0];
  const { enum: _, ...beside } = rest;
  // For a boolean, generators would make an enumeration of words.
  return { ...beside, type, ...(type !== "boolean" && { enum: values }) };
}

function withFormat(schema: JsonSchema): JsonSchema {
  return schema.format === "uint64" ? { ...schema, format: "int64" } : schema;
}

/** `type: [T, null]` as `nullable`; what may have several types may be anything. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  const { type, ...rest } = schema as JsonSchema & { type: readonly string[] };
  const types = type.filter((each) => each !== "null");
  if (types.length > 1) return rest;
  return { ...rest, type: itemAt(types, 0), ...(types.length < type.length && { nullable: true }) };
}

/**
 * The schema, or null. Beside a reference other keywords are ignored, so that it is put into `allOf`. A type beside `allOf` and
 * `oneOf`, which linters ask for, would make openapi-python-client drop the null.
 */
export function orNull(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) return { nullable: true, allOf: [schema] };
  if (schema.oneOf) return { ...schema, nullable: true };
  if (schema.type === undefined) return schema;
  // `nullable` lets null through for a type, not for a list of values.
  return { ...schema, nullable: true, ...(schema.enum && { enum: [...schema.enum, null] }) };
}

/**
 * The schema with its default as a value of its type. An empty default of a text with a pattern is omitted: Rust
 * generators cannot express it.
 */
export function withOwnDefault(schema: JsonSchema): JsonSchema {
  if (!("default" in schema)) return schema;
  const { default: initial, ...rest } = schema;
  if (initial === "" && rest.pattern !== undefined) return rest;
  return { ...rest, default: ofType(initial, schema.type) };
}

/** A value of 3.1 as one of the type that 3.0 has for it. */
export function ofType(value: unknown, type: JsonSchema["type"]): unknown {
  if (type === "integer" && typeof value === "string") return Number(value);
  if (type === "string" && typeof value === "number") return String(value);
  return type === "string" && typeof value === "object" ? JSON.stringify(value) : value;
}
