import { Address, type ParsedAddress } from "../../values/address.js";
import { base64ToBytes, hexToBytes } from "../../values/bytes.js";
import { int32Bound, readMethodName } from "../../values/method-name.js";
import {
  Fault,
  type InputSchema,
  input,
  list,
  quote,
  type Read,
  textOfNumber,
  unreadable,
} from "../input.js";

import {
  addressPattern,
  addressText,
  anyCase,
  base64Matching,
  base64Pattern,
  decimals,
  longest,
  matching,
  someBase64Pattern,
} from "../patterns.js";

// Parameter types of v2. v3 accepts other text forms and has other error texts: v3-params.ts.

const addressSchema = {
  ...addressText,
  "x-name": "Address",
  description: "Address in the friendly form (48 characters, base64 or base64url) or `<workchain>:<64 hex>`.",
};

const readWritten: Read<ParsedAddress> = (given) =>
  (typeof given === "string" ? Address.read(given) : undefined) ??
  new Fault("parse", () => `Failed to parse ton_addr: '${quote(given)}'`);

/** An account, by its address in any form. */
export const accountAddress = input<string, Address>(addressSchema, (given) => {
  const written = readWritten(given);
  return written instanceof Fault ? written : written.address;
});

/** An address with the flags of its text form, for methods whose answer has the same form. */
export const parsedAddress = input<string, ParsedAddress>(addressSchema, readWritten);

const hexOrPadded = "[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}={1,8}";
const hashPattern = `${hexOrPadded}|[A-Za-z0-9_-]{43}={0,8}`;
const hashSchema = {
  "x-name": "v2.Hash",
  ...matching(hashPattern, longest.hash),
  description:
    "256-bit hash: 64 hex digits, base64 (44 characters) or base64url (44, or 43 without padding).",
};

const readHash: Read<Uint8Array> = (given) =>
  (typeof given === "string" ? readHashForm(given) : undefined) ??
  new Fault("parse", () => `invalid hash: '${quote(given)}'`);

/** Parses a hash in hex or base64. Extra trailing `=` are accepted: some clients pad base64 twice. */
export function readHashForm(text: string): Uint8Array | undefined {
  if (text.length === 64) return hexToBytes(text);
  const match = /^([A-Za-z0-9+/_-]{43})(=*)$/.exec(text.length < 512 ? text : "");
  if (!match) return undefined;
  const digits = match[1]!;
  const standard = /[+/]/.test(digits);
  if (standard && (/[-_]/.test(digits) || match[2] === "")) return undefined;
  return base64ToBytes(digits);
}

/** A required hash; the empty text has its own error text. */
export const nonEmptyHash = input<string, Uint8Array>(hashSchema, (given) =>
  given === "" ? new Fault("bare", (name) => `empty ${name}`) : readHash(given),
);

/** An optional hash; the empty text counts as absent. */
export const optionalHash = input<string, Uint8Array | undefined>(
  { ...hashSchema, "x-name": "v2.OptionalHash", ...matching(`(?:${hashPattern})?`, longest.hash) },
  (given) => (given === "" ? undefined : readHash(given)),
).optional();

/** A list of hashes. Documented without base64url that is padded, which could also be base64. */
export const hashes = list(
  { ...hashSchema, ...matching(`${hexOrPadded}|[A-Za-z0-9_-]{43}`, longest.hash) },
  readHash,
);

/** The account part of a transaction cursor: an account id, or an address. */
export const optionalAccountId = input<string, Uint8Array | undefined>(
  {
    ...addressText,
    ...matching(`(?:${hashPattern}|${addressPattern})?`, longest.hash),
    description: "Account id as a hash, or the account's address in any form.",
  },
  (given) => {
    if (given === "") return undefined;
    const id = readHash(given);
    return id instanceof Fault && typeof given === "string"
      ? (Address.read(given)?.address.hash ?? unreadable)
      : id;
  },
).optional();

/** Bounds and error text of an integer parameter. */
type IntegerOptions = {
  /** 0: `<name> should be non-negative`; 1: `<name> should be positive`. */
  atLeast?: 0 | 1;
  /** `<name> should be less or equal <atMost>`. */
  atMost?: number;
  /** Error text for a missing parameter, if it is not the default one. */
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

/** The name of a get-method, or its id as a number or text. */
export const methodNameOrId = input<string | number, string | number>(
  {
    anyOf: [
      { type: "string", maxLength: longest.name },
      { type: "integer", minimum: -int32Bound, maximum: int32Bound - 1 },
    ],
  },
  (given) => readMethodName(given) ?? unreadable,
);

/** A 64-bit integer: decimal text, or a JSON integer. */
export function int64(options: IntegerOptions = {}) {
  const schema = integerSchema(64, options);
  return input<number | string | bigint, bigint>(schema, bounded(64, options), options.missing);
}

/** A count: parsed like `int64`, but a number. */
export function count(options: IntegerOptions & { atMost: number }) {
  const read = bounded(64, options);
  return input<number | string | bigint, number>(
    integerSchema(64, options),
    (given) => toNumber(read(given)),
    options.missing,
  );
}

/**
 * A shard as a signed decimal. Shards in hex consist of a few digits and zeros, 16 in all, which no shard has in
 * decimal, so such text is refused rather than misread.
 */
export function shardNumber({ missing }: Pick<IntegerOptions, "missing"> = {}) {
  return input<number | string | bigint, bigint>(
    integerSchema(64, {}),
    (given) =>
      typeof given === "string" && /^\d{4}0{12}$/.test(given) ? unreadable : bounded(64, {})(given),
    missing,
  );
}

/** A required shard as a signed decimal. */
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
  const text = textOfNumber(given) ?? given;
  return typeof text === "string" && /^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

function integerSchema(bits: 32 | 64, { atLeast, atMost }: IntegerOptions): InputSchema {
  const limit = 1n << BigInt(bits - 1);
  const text = decimals(BigInt(atLeast ?? -limit), BigInt(atMost ?? limit - 1n));
  // As numbers, the bounds of 64-bit integers are omitted, because doubles cannot represent them exactly.
  const minimum = atLeast ?? (bits === 32 ? -(2 ** 31) : undefined);
  const maximum = atMost ?? (bits === 32 ? 2 ** 31 - 1 : undefined);
  const bounds = [atLeast === undefined ? "" : `From${atLeast}`, atMost === undefined ? "" : `To${atMost}`];
  return {
    "x-name": `v2.Int${bits}${bounds.join("")}`,
    anyOf: [
      {
        type: "integer",
        ...(bits === 64 && { format: "int64" }),
        ...(minimum !== undefined && { minimum }),
        ...(maximum !== undefined && { maximum }),
      },
      matching(text),
    ],
  };
}

const truths = new Map<unknown, boolean>([
  ...[true, 1, "1", "y", "yes", "t", "true", "on"].map((text) => [text, true] as const),
  ...[false, 0, "0", "n", "no", "f", "false", "off"].map((text) => [text, false] as const),
]);
const truthWords = [...truths.keys()].filter((given) => typeof given === "string").map(anyCase);

/** An optional boolean: a JSON boolean, 0 or 1, or a common word such as `yes` in any case. */
export const optionalFlag = input<boolean | number | string, boolean | undefined>(
  {
    "x-name": "v2.Boolean",
    anyOf: [{ type: "boolean" }, { type: "integer", enum: [0, 1] }, matching(`${truthWords.join("|")}|`)],
  },
  (given) => {
    if (given === "") return undefined;
    return truths.get(typeof given === "string" ? given.toLowerCase() : given) ?? unreadable;
  },
).optional();

/** Bytes in base64 with any alphabet, padding and line breaks; the empty text is zero bytes. */
export const bytes = input<string, Uint8Array>(
  { "x-name": "Base64", ...base64Matching(base64Pattern) },
  (given) => (typeof given === "string" ? base64ToBytes(given) : undefined) ?? unreadable,
);

/** As `bytes`, but not empty. */
export const nonEmptyBytes = input<string, Uint8Array>(
  { "x-name": "SomeBase64", ...base64Matching(someBase64Pattern) },
  (given) => {
    const read = typeof given === "string" ? base64ToBytes(given) : undefined;
    return read?.length === 0 ? new Fault("range", (name) => `empty ${name}`) : (read ?? unreadable);
  },
);

export const text = input<string, string>({ type: "string", maxLength: longest.name }, (given) =>
  typeof given === "string" ? given : unreadable,
);
