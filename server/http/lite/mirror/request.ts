import type { TlObject, TlValue } from "../../../../shared/ton/tl/codec.js";
import { wire } from "../../../../shared/ton/tl/codecs.js";
import type { Field } from "../../../../shared/ton/tl/declaration.js";
import { ServiceError } from "../../../errors.js";
import { type Mirror, snakeCase } from "./functions.js";
import { readFlag, readValue } from "./values.js";

/** Parameters by name, as text of a query or values of JSON. */
export type Given = ReadonlyMap<string, unknown>;

/** Whether a function reads at a block that its caller may leave out. */
export function hasDefaultBlock({ fields }: Mirror): boolean {
  return fields.some(isBlock);
}

/** Whether the caller has left that block out. */
export function lacksBlock(mirror: Mirror, given: Given): boolean {
  return hasDefaultBlock(mirror) && (given.get("id") ?? "") === "";
}

/** The query in TL. `newest` is the block of callers that name none. Throws `invalid-params`. */
export function encodeRequest(mirror: Mirror, given: Given, newest?: TlValue): Uint8Array {
  const values: Record<string, TlValue> = {};
  let mode = given.has("mode") ? (required(given, modeField) as number) : 0;
  for (const [option, bit] of mirror.options) if (isSet(given, option)) mode |= 1 << bit;
  for (const field of mirror.fields) {
    const { name, flag } = field;
    const isGiven = given.has(snakeCase(name));
    if (flag && !isGiven && (mode & (1 << flag.bit)) === 0) continue;
    values[name] = !isGiven && newest !== undefined && isBlock(field) ? newest : required(given, field);
    if (flag) mode |= 1 << flag.bit;
  }
  return wire.encode(mirror.name, { ...values, ...(mirror.hasMode && { mode: mode >>> 0 }) } as TlObject);
}

/** Names that the function does not have. */
export function unknownNames({ fields, options, hasMode }: Mirror, given: Given): string[] {
  const known = new Set([...fields.map(({ name }) => snakeCase(name)), ...options.keys()]);
  if (hasMode) known.add("mode");
  return [...given.keys()].filter((name) => !known.has(name) && !name.startsWith("@"));
}

const modeField = { name: "mode", type: { kind: "flags" } } as const;

function isBlock({ name, type }: Field): boolean {
  return name === "id" && type.kind === "bare" && type.constructor === "tonNode.blockIdExt";
}

function isSet(given: Given, option: string): boolean {
  if (!given.has(option)) return false;
  return readFlag(given.get(option)) ?? refuse(option, `${option} should be true or false`);
}

function required(given: Given, field: Field): TlValue {
  const name = snakeCase(field.name);
  const value = given.get(name);
  if (value === undefined || value === null) refuse(name, `${name} is required`);
  return readValue(field, value) ?? refuse(name, `failed to parse ${name}`);
}

function refuse(param: string, text: string): never {
  throw new ServiceError("invalid-params", text, { data: { param } });
}
