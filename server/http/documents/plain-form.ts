import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";

/** The schema in the form that most generators of clients read, without details that break them for little gain. */
export function plainForm({ $defs: _, ...schema }: JsonSchema): JsonSchema {
  if (schema.prefixItems) return ofLength(schema, schema.prefixItems.length);
  return schema.type === "integer" ? withFormat(schema) : schema;
}

/** A tuple without `items: false`: generators expect an object there. */
function ofLength({ items: _, ...tuple }: JsonSchema, length: number): JsonSchema {
  return { ...tuple, minItems: length, maxItems: length };
}

/** An integer with the smallest format that its bounds allow. Bounds that equal zod's check of integers are omitted. */
function withFormat(schema: JsonSchema): JsonSchema {
  const { format = "int64" } = schema;
  if (format !== "int64" || schema.enum !== undefined) return schema;
  const {
    minimum: least = Number.MIN_SAFE_INTEGER,
    maximum: most = Number.MAX_SAFE_INTEGER,
    ...rest
  } = schema;
  return {
    ...rest,
    format: least >= -(2 ** 31) && most < 2 ** 31 ? "int32" : "int64",
    ...(least !== Number.MIN_SAFE_INTEGER && { minimum: least }),
    ...(most !== Number.MAX_SAFE_INTEGER && { maximum: most }),
  };
}
