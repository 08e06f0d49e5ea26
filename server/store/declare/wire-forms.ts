import { bytesToBase64, bytesToHex } from "../../../shared/values/bytes.js";
import { rawAddressFromBytes } from "../address-bytes.js";

/**
 * The form of a value in answers, as SQL and as JavaScript. Both must give the same text for every value; the test
 * `records.test.ts` compares them.
 */
export type WireForm<T, Wire> = {
  /** `text`: a JSON string without characters to escape; `bare`: JSON as it is; `flag`: a boolean. */
  readonly kind: "text" | "bare" | "flag";
  /** SQL for the text between the quotes, or for the bare JSON; null for null. */
  sql(expression: string): string;
  present(value: T): Wire;
  /** The words of a code, which is a position among them. */
  readonly words?: readonly string[];
};

const same = (expression: string) => expression;

export const decimal: WireForm<bigint | number, string> = { kind: "text", sql: same, present: String };
export const number: WireForm<number, number> = { kind: "bare", sql: same, present: (value) => value };
/** A number of 64 bits as JSON has it: beyond 2^53 clients lose digits. */
export const bigNumber: WireForm<bigint, number> = { kind: "bare", sql: same, present: Number };
export const flag: WireForm<boolean, boolean> = { kind: "flag", sql: same, present: (value) => value };
/** Any text: `to_json` escapes it. */
export const anyText: WireForm<string, string> = {
  kind: "bare",
  sql: (expression) => `to_json(${expression})`,
  present: (value) => value,
};
export const json: WireForm<object, object> = { kind: "bare", sql: same, present: (value) => value };
export const currencies: WireForm<Record<string, string>, Record<string, string>> = {
  kind: "bare",
  sql: same,
  present: (value) => value,
};
export const attributes: WireForm<Readonly<Record<string, string>>, Record<string, string>> = {
  kind: "bare",
  sql: same,
  present: (value) => ({ ...value }),
};
export const list: WireForm<readonly number[], number[]> = {
  kind: "bare",
  sql: (expression) => `to_json(${expression})`,
  present: (values) => [...values],
};
export const decimals: WireForm<readonly bigint[], string[]> = {
  kind: "bare",
  sql: (expression) => `to_json(${expression}::text[])`,
  present: (values) => values.map(String),
};
export const texts: WireForm<readonly string[], string[]> = {
  kind: "bare",
  sql: (expression) => `to_json(${expression})`,
  present: (values) => [...values],
};
/** Base64 of at most 57 bytes, as PostgreSQL breaks longer texts into lines. */
export const shortBase64: WireForm<Uint8Array, string> = {
  kind: "text",
  sql: (expression) => `wire_hash(${expression})`,
  present: bytesToBase64,
};
export const base64: WireForm<Uint8Array, string> = {
  kind: "text",
  sql: (expression) => `wire_boc(${expression})`,
  present: bytesToBase64,
};
/** A public key or an ADNL address. */
export const upperHex: WireForm<Uint8Array, string> = {
  kind: "text",
  sql: (expression) => `upper(encode(${expression}, 'hex'))`,
  present: (bytes) => bytesToHex(bytes).toUpperCase(),
};
/** `workchain:HASH`, the hash in upper case. */
export const rawAddress: WireForm<Uint8Array, string> = {
  kind: "text",
  sql: (expression) => `wire_address(${expression})`,
  present: (bytes) => rawAddressFromBytes(bytes),
};
/** Hashes in base64, in their order. */
export const hashes: WireForm<readonly Uint8Array[], string[]> = {
  kind: "bare",
  sql: (expression) => listOf("wire_hash", expression),
  present: (values) => values.map(bytesToBase64),
};
/** Raw addresses in their order. */
export const rawAddresses: WireForm<readonly Uint8Array[], string[]> = {
  kind: "bare",
  sql: (expression) => listOf("wire_address", expression),
  present: (values) => values.map((bytes) => rawAddressFromBytes(bytes)),
};

/** A list of texts that a function of SQL makes of each entry. */
function listOf(form: string, expression: string): string {
  return `(select coalesce(json_agg(${form}(entry) order by place), '[]'::json) from unnest(${expression}) with ordinality entries(entry, place))`;
}

/** Upper case without leading zeros. */
export const shardHex: WireForm<bigint, string> = {
  kind: "text",
  sql: (expression) => `wire_shard(${expression})`,
  present: (shard) => BigInt.asUintN(64, shard).toString(16).toUpperCase(),
};
/** `0x` and eight digits in lower case. */
export const opcodeHex: WireForm<number, string> = {
  kind: "text",
  sql: (expression) => `wire_opcode(${expression})`,
  present: (opcode) => `0x${(opcode >>> 0).toString(16).padStart(8, "0")}`,
};

/** The word of a code: a code is a position in `words`. */
export function wordForm<const Words extends readonly string[]>(
  words: Words,
): WireForm<number, Words[number]> {
  const literals = words.map((word) => `'${word}'`).join(", ");
  return {
    kind: "text",
    sql: (expression) => `(array[${literals}])[${expression} + 1]`,
    present: (code) => words[code]!,
    words,
  };
}
