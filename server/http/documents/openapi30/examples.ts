import type { JsonSchema } from "../../../../shared/rpc/open-rpc.js";

/** A body whose members have the types that its schema has for them. */
export function bodyExample(value: unknown, { properties = {} }: JsonSchema): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, typed(each, properties[name]?.type)]);
  return Object.fromEntries(entries);
}

function typed(value: unknown, type: JsonSchema["type"]): unknown {
  if (type === "integer" && typeof value === "string") return Number(value);
  if (type === "string" && typeof value === "number") return String(value);
  return type === "string" && typeof value === "object" ? JSON.stringify(value) : value;
}
