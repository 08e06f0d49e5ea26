import type { JsonSchema } from "../../../../shared/rpc/open-rpc.js";
import { ofType } from "./plain.js";

/** A body whose members have the types that its schema has for them. */
export function bodyExample(value: unknown, { properties = {} }: JsonSchema): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, ofType(each, properties[name]?.type)]);
  return Object.fromEntries(entries);
}
