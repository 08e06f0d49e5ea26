import { Address } from "../values/address.js";
import { bytesToBase64, bytesToCharacters } from "../values/bytes.js";

/** The cache key of a call. Parameters of equal meaning give equal keys, however they were sent. */
export function cacheKey(method: string, params: Readonly<Record<string, unknown>>): string {
  let key = method;
  // The schema created this object, so its members are in the order of the definition.
  for (const name in params) {
    if (params[name] !== undefined) key += ` ${name}=${keyOf(params[name])}`;
  }
  return key;
}

/** Each kind of value starts with a different character, so no two kinds collide. */
function keyOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `i${value}`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Address) return `@${value.workchain}:${bytesToCharacters(value.hash)}`;
  if (value instanceof Uint8Array) return `*${bytesToBase64(value)}`;
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  return `{${cacheKey("", value as Record<string, unknown>)}}`;
}
