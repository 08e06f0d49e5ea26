import { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";

/** One text per meaning: equal parameters give equal keys, in whatever form and order they were sent. */
export function cacheKey(method: string, params: Readonly<Record<string, unknown>>): string {
  let key = method;
  // The schema made this object, so its members stand in the definition's order.
  for (const name in params) {
    if (params[name] !== undefined) key += ` ${name}=${keyOf(params[name])}`;
  }
  return key;
}

/** Every kind of value has a first character of its own. */
function keyOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `i${value}`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Address) return `@${value.workchain}:${characters(value.hash)}`;
  if (value instanceof Uint8Array) return `*${bytesToBase64(value)}`;
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  return `{${cacheKey("", value as Record<string, unknown>)}}`;
}

/** One character per byte: shorter and faster than any text a person could read. */
function characters(bytes: Uint8Array): string {
  return Reflect.apply(String.fromCharCode, undefined, bytes);
}
