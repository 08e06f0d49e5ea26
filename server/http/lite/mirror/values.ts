import { readHashForm } from "../../../../shared/schema/v2/params.js";
import type { TlObject, TlValue } from "../../../../shared/ton/tl/codec.js";
import { wire } from "../../../../shared/ton/tl/codecs.js";
import type { Field, FieldType } from "../../../../shared/ton/tl/declaration.js";
import { methodId } from "../../../../shared/ton/tvm/method-id.js";
import { Address } from "../../../../shared/values/address.js";
import { base64ToBytes } from "../../../../shared/values/bytes.js";
import { foundIn } from "../../../../shared/values/lookups.js";
import { snakeCase } from "./functions.js";

/** Most items of a list. */
const maxItems = 256;

/** A value of TL from a text of a query or a value of JSON; `undefined` if it is not of the type. */
export function readValue({ name, type }: Pick<Field, "name" | "type">, given: unknown): TlValue | undefined {
  switch (type.kind) {
    case "int":
    case "flags": {
      const value = integerOf(given);
      return value !== undefined && value >= -0x80000000n && value <= 0xffffffffn ? Number(value) : undefined;
    }
    case "long":
      if (name === "shard") return shardOf(given);
      return name === "methodId" ? methodOf(given) : within64(integerOf(given));
    case "bool":
      return truths.get(given);
    case "int256":
      return typeof given === "string" ? readHashForm(given) : undefined;
    case "bytes":
      return typeof given === "string" ? base64ToBytes(given) : undefined;
    case "vector":
      return readList({ name, type: type.item }, given);
    case "bare":
      return readObject(type.constructor, given);
    default:
      return undefined;
  }
}

/** Whether an option is set, by words of a query or a value of JSON; `undefined` for other values. */
export function readFlag(given: unknown): boolean | undefined {
  return truths.get(given);
}

const truths = new Map<unknown, boolean>([
  ...[true, 1, "1", "true"].map((yes) => [yes, true] as const),
  ...[false, 0, "0", "false"].map((no) => [no, false] as const),
]);

function integerOf(given: unknown): bigint | undefined {
  if (typeof given === "bigint") return given;
  if (typeof given === "number") return Number.isSafeInteger(given) ? BigInt(given) : undefined;
  return typeof given === "string" && /^-?\d{1,20}$/.test(given) ? BigInt(given) : undefined;
}

function within64(value: bigint | undefined): bigint | undefined {
  if (value === undefined) return undefined;
  return BigInt.asIntN(64, value) === value || BigInt.asUintN(64, value) === value ? value : undefined;
}

/** A shard as 16 hex digits, as nodes write it, or as a decimal. No decimal of a shard has 16 digits. */
function shardOf(given: unknown): bigint | undefined {
  if (typeof given === "string" && /^[0-9a-f]{16}$/i.test(given)) return BigInt(`0x${given}`);
  const value = within64(integerOf(given));
  return value === undefined ? undefined : BigInt.asUintN(64, value);
}

/** A get-method by its number or its name. */
function methodOf(given: unknown): bigint | undefined {
  if (typeof given !== "string" || !/^[A-Za-z_]\w{0,127}$/.test(given)) return within64(integerOf(given));
  return BigInt(methodId(given));
}

function readList(item: { name: string; type: FieldType }, given: unknown): TlValue[] | undefined {
  const parts = typeof given === "string" ? given.split(",").filter((part) => part !== "") : given;
  if (!Array.isArray(parts) || parts.length > maxItems) return undefined;
  const items = parts.map((part) => readValue(item, part));
  return items.includes(undefined) ? undefined : (items as TlValue[]);
}

function readObject(typeName: string, given: unknown): TlObject | undefined {
  const { fields } = foundIn(wire.declarations, ({ name }) => name === typeName);
  if (typeName === "liteServer.accountId" && typeof given === "string") return accountOf(given);
  const values = typeof given === "string" ? partsOf(given) : membersOf(fields, given);
  if (values?.length !== fields.length) return undefined;
  const entries = fields.map((field, at) => [field.name, readValue(field, values[at])] as const);
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
}

function accountOf(text: string): TlObject | undefined {
  const read = Address.read(text);
  return read && { workchain: read.address.workchain, id: read.address.hash };
}

/** `(workchain,shard,seqno,root_hash,file_hash)`, or `(workchain,shard,seqno):root_hash:file_hash` as nodes write it. */
function partsOf(text: string): string[] {
  return text.split(/[(),:]/).filter((part) => part !== "");
}

function membersOf(fields: readonly Field[], given: unknown): unknown[] | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  return fields.map(({ name }) => (given as Record<string, unknown>)[snakeCase(name)]);
}
