import { Address, type WrittenAddress } from "../values/address.js";
import { base64ToBytes, hexToBytes } from "../values/bytes.js";
import { digits, Fault, type InputSchema, input, list, quote, type Read, unreadable } from "./input.js";

// The text forms of the v2 interface. v3 words its errors differently and takes other forms: v3-params.ts.

const addressSchema = {
  type: "string",
  minLength: 1,
  description: "Address in the friendly form (48 characters, base64 or base64url) or `<workchain>:<64 hex>`.",
};

const readWritten: Read<WrittenAddress> = (given) =>
  (typeof given === "string" ? Address.read(given) : undefined) ??
  new Fault("parse", () => `Failed to parse ton_addr: '${quote(given)}'`);

/** An account, whichever way its address was written. */
export const accountAddress = input<string, Address>(addressSchema, (given) => {
  const written = readWritten(given);
  return written instanceof Fault ? written : written.address;
});

/** An address with the flags of its text form, for methods that answer in the same form. */
export const writtenAddress = input<string, WrittenAddress>(addressSchema, readWritten);

const hashSchema = {
  type: "string",
  description:
    "256-bit hash: 64 hex digits, base64 (44 characters) or base64url (44, or 43 without padding).",
};

const readHash: Read<Uint8Array> = (given) =>
  (typeof given === "string" ? readHashForm(given) : undefined) ??
  new Fault("parse", () => `invalid hash: '${quote(given)}'`);

/** Two or more trailing `=` count as one: real clients send base64 with a second padding behind the first. */
export function readHashForm(text: string): Uint8Array | undefined {
  if (text.length === 64) return hexToBytes(text);
  const match = /^([A-Za-z0-9+/_-]{43})(=*)$/.exec(text.length < 512 ? text : "");
  if (!match) return undefined;
  const digits = match[1]!;
  const standard = /[+/]/.test(digits);
  if (standard && (/[-_]/.test(digits) || match[2] === "")) return undefined;
  return base64ToBytes(digits);
}

/** A hash; the empty text has a refusal of its own. */
export const nonEmptyHash = input<string, Uint8Array>({ ...hashSchema, minLength: 1 }, (given) =>
  given === "" ? new Fault("bare", (name) => `empty ${name}`) : readHash(given),
);

/** A hash that may be left out; the empty text says the same. */
export const optionalHash = input<string, Uint8Array | undefined>(hashSchema, (given) =>
  given === "" ? undefined : readHash(given),
).optional();

export const hashes = list(hashSchema, readHash);

/** The account part of a transaction cursor: a bare account id, or an address whose id is taken. */
export const optionalAccountId = input<string, Uint8Array | undefined>(
  { type: "string", description: "Account id as a hash, or an address of the account in any form." },
  (given) => {
    if (given === "") return undefined;
    const id = readHash(given);
    return id instanceof Fault && typeof given === "string"
      ? (Address.read(given)?.address.hash ?? unreadable)
      : id;
  },
).optional();

export type IntegerOptions = {
  /** 0: `<name> should be non-negative`; 1: `<name> should be positive`. */
  atLeast?: 0 | 1;
  /** `<name> should be less or equal <atMost>`. */
  atMost?: number;
  /** Text of a missing parameter where it differs from the usual one. */
  missing?: (name: string) => string;
};

/** A 32-bit integer: a JSON number or decimal text. */
export function int32(options: IntegerOptions = {}) {
  const read = bounded(32, options);
  return input<number | string, number>(
    integerSchema(32, options),
    (given) => toNumber(read(given)),
    options.missing,
  );
}

/** A 64-bit integer: decimal text, or a JSON integer at the value its double has. */
export function int64(options: IntegerOptions = {}) {
  const schema = integerSchema(64, options);
  return input<number | string | bigint, bigint>(schema, bounded(64, options), options.missing);
}

/** How many of something: read like `int64`, handed on as a number. */
export function count(options: IntegerOptions & { atMost: number }) {
  const read = bounded(64, options);
  return input<number | string, number>(
    integerSchema(64, options),
    (given) => toNumber(read(given)),
    options.missing,
  );
}

/**
 * A shard as a signed decimal. One in hex must not be taken for it: those are sixteen digits, of which all but the
 * first few are zeros, as no shard in decimal has them.
 */
export function shardNumber({ missing }: Pick<IntegerOptions, "missing"> = {}) {
  return input<number | string | bigint, bigint>(
    integerSchema(64, {}),
    (given) =>
      typeof given === "string" && /^\d{4}0{12}$/.test(given) ? unreadable : bounded(64, {})(given),
    missing,
  );
}

export const shard = shardNumber();

const toNumber = (value: bigint | Fault): number | Fault => (value instanceof Fault ? value : Number(value));

function bounded(bits: 32 | 64, { atLeast, atMost }: IntegerOptions): Read<bigint> {
  const limit = 1n << BigInt(bits - 1);
  return (given) => {
    const value = integerOf(given);
    if (value === undefined || value < -limit || value >= limit) return unreadable;
    if (atLeast !== undefined && value < atLeast) {
      const wanted = atLeast === 1 ? "positive" : "non-negative";
      return new Fault("range", (name) => `${name} should be ${wanted}`);
    }
    if (atMost !== undefined && value > atMost)
      return new Fault("range", (name) => `${name} should be less or equal ${atMost}`);
    return value;
  };
}

function integerOf(given: unknown): bigint | undefined {
  if (typeof given === "bigint") return given;
  if (typeof given === "number") return Number.isInteger(given) ? BigInt(given) : undefined;
  return typeof given === "string" && /^-?\d{1,20}$/.test(given) ? BigInt(given) : undefined;
}

function integerSchema(bits: 32 | 64, { atLeast, atMost }: IntegerOptions): InputSchema {
  // Doubles cannot hold the bounds of 64 bits exactly, so those go unsaid.
  const minimum = atLeast ?? (bits === 32 ? -(2 ** 31) : undefined);
  const maximum = atMost ?? (bits === 32 ? 2 ** 31 - 1 : undefined);
  return {
    anyOf: [
      {
        type: "integer",
        ...(bits === 64 && { format: "int64" }),
        ...(minimum !== undefined && { minimum }),
        ...(maximum !== undefined && { maximum }),
      },
      { type: "string", pattern: atLeast === undefined ? "^-?\\d+$" : digits(atLeast) },
    ],
  };
}

const truths = new Map<unknown, boolean>([
  ...[true, 1, "1", "y", "yes", "t", "true", "on"].map((text) => [text, true] as const),
  ...[false, 0, "0", "n", "no", "f", "false", "off"].map((text) => [text, false] as const),
]);

/** A choice that may be left out: a JSON boolean, 0 or 1, or one of the usual words in any case. */
export const optionalFlag = input<boolean | number | string, boolean | undefined>(
  { anyOf: [{ type: "boolean" }, { type: "integer", enum: [0, 1] }, { type: "string" }] },
  (given) => {
    if (given === "") return undefined;
    return truths.get(typeof given === "string" ? given.toLowerCase() : given) ?? unreadable;
  },
).optional();

/** Bytes as base64, forgiving alphabet, padding and line breaks; the empty text is no bytes. */
export const bytes = input<string, Uint8Array>(
  { type: "string", contentEncoding: "base64" },
  (given) => (typeof given === "string" ? base64ToBytes(given) : undefined) ?? unreadable,
);

/** As `bytes`, where there must be some. */
export const nonEmptyBytes = input<string, Uint8Array>(
  { type: "string", minLength: 1, contentEncoding: "base64" },
  (given) => {
    const read = typeof given === "string" ? base64ToBytes(given) : undefined;
    return read?.length === 0 ? new Fault("range", (name) => `empty ${name}`) : (read ?? unreadable);
  },
);

export const text = input<string, string>({ type: "string" }, (given) =>
  typeof given === "string" ? given : unreadable,
);
