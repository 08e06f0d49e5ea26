import { Address } from "../../values/address.js";
import { base64ToBytes, readHash } from "../../values/bytes.js";
import { Fault, input, type ListRules, list, type Read, textOfNumber, unreadable } from "../input.js";
import {
  addressPattern,
  addressText,
  base64Matching,
  base64Pattern,
  decimals,
  longest,
  matching,
  someBase64Pattern,
} from "../patterns.js";

// Parameter types of v3, which differ from v2's in many details. All malformed values give the same conversion error,
// whose text is made where the parameter's name is known.

const addressSchema = {
  ...addressText,
  "x-name": "Address",
  description: "Address in the friendly form (base64 or base64url) or `<workchain>:<64 hex>`.",
};

const readAddress: Read<Address> = (given) =>
  (typeof given === "string" ? Address.read(given.trim())?.address : undefined) ?? unreadable;

/** An address in any form. */
export const address = input<string, Address>(addressSchema, readAddress);
/** An address; the empty text is none. */
export const addressOrEmpty = input<string, Address | undefined>(
  { ...matching(`(?:${addressPattern})?`), description: "Address in any form; empty for none." },
  (given) => (given === "" ? undefined : readAddress(given)),
);
/** A required standard address. `null` is refused like an absent one. */
export const standardAddress = (missing: string) => {
  const refusal = new Fault("range", () => missing);
  return input<string, Address>(
    addressSchema,
    (given) => (noAddress.has(given) ? refusal : readAddress(given)),
    refusal,
  );
};
const { maxLength: _, "x-name": __, ...anyLength } = addressSchema;

/** An address that is ignored if it is malformed, however long it is. */
export const lenientAddress = input<unknown, Address | undefined>(anyLength, (given) => {
  const read = readAddress(given);
  return read instanceof Fault ? undefined : read;
});
/** A list of addresses. */
export const addresses = list(addressSchema, readAddress, { name: "AddressList" });
/** A list of addresses with rules for its length. */
export const someAddresses = (rules: ListRules) => list(addressSchema, readAddress, rules);

/** A list of addresses of a bulk read. */
export const manyAddresses = someAddresses({
  name: "AddressListTo1000",
  atMost: { count: 1000, text: "maximum 1000 addresses allowed" },
});

/** The refusal of a legacy call that lacks a required parameter: status 401, as TON Center answers. */
const unauthorized = (text: string) => new Fault("range", () => text, { status: 401 });

/** A required address of a legacy method. */
export const requiredAddress = (missing: string) =>
  input<string, Address>(addressSchema, readAddress, unauthorized(missing));

const noAddress: ReadonlySet<unknown> = new Set([null, "null", "addr_none"]);

/** An address, or `null` for no address, as on one side of an external message: the word, or JSON `null`. */
export const nullableAddress = input<string | null, Address | null>(
  {
    anyOf: [{ ...addressText, ...matching(`${addressPattern}|null|addr_none`) }, { type: "null" }],
    description: "Address in any form, or `null` (also as a word) for no address.",
  },
  (given) => (noAddress.has(given) ? null : readAddress(given)),
);

const hashSchema = {
  "x-name": "v3.Hash",
  ...matching("(?:0[xX])?[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}={0,8}", longest.hash),
  description: "256-bit hash: 64 hex digits (also after `0x`), base64 or base64url.",
};

const readGiven: Read<Uint8Array> = (given) =>
  (typeof given === "string" ? readHash(given) : undefined) ?? unreadable;

/** A 256-bit hash in hex or base64. */
export const hash = input<string, Uint8Array>(hashSchema, readGiven);
/** A list of hashes. */
export const hashes = list(hashSchema, readGiven, { name: "v3.HashList" });

/** A public key or an ADNL address, in the forms of a hash. */
export const bytes32 = input<string, Uint8Array>(hashSchema, (given) => {
  const read = readGiven(given);
  if (!(read instanceof Fault)) return read;
  return new Fault("range", (name) => `${name} must be a 32-byte value in hex, base64 or base64url format`);
});

/** A shard as signed 64-bit value, from hex (tried first) or signed decimal. */
export const shard = input<string | number | bigint, bigint>(
  {
    ...matching(`(?:0[xX])?[0-9a-fA-F]{1,16}|${signedText(64)}`),
    description: "Shard in hex (with or without `0x`), or as a signed decimal.",
  },
  (given) => {
    const text = textOf(given);
    const hex = /^(?:0x)?([0-9a-f]{1,16})$/i.exec(text);
    if (hex) return BigInt.asIntN(64, BigInt(`0x${hex[1]}`));
    return signed(text, 64) ?? unreadable;
  },
);

/** Decimals with a sign or at least nine digits: shorter text is hex. */
const decimalOpcode = `\\+${decimals(0n, 2n ** 31n - 1n)}|-${decimals(0n, 2n ** 31n)}|${decimals(10n ** 8n, 2n ** 31n - 1n)}`;

const opcodeSchema = {
  "x-name": "Opcode",
  ...matching(`(?:0[xX])?[0-9a-fA-F]{1,8}|${decimalOpcode}`),
  description: "32-bit opcode in hex (with or without `0x`); decimals with more than 8 digits also work.",
};

const readOpcode: Read<number> = (given) => {
  const text = textOf(given);
  const hex = /^(?:0x)?([0-9a-f]+)$/i.exec(text)?.[1]?.replace(/^0+(?=.)/, "");
  if (hex !== undefined && hex.length <= 8) return Number.parseInt(hex, 16);
  const value = signed(text, 32);
  return value === undefined ? unreadable : Number(BigInt.asUintN(32, value));
};

/** An opcode filter as unsigned 32-bit value. */
export const opcode = input<string | number, number>(opcodeSchema, readOpcode);
/** A list of opcodes as unsigned 32-bit values. */
export const someOpcodes = (rules: ListRules) => list(opcodeSchema, readOpcode, rules);

/** A list of opcodes as text. Numbers become hex, because a text of digits is read as hex first. */
export const someOpcodeTexts = (rules: ListRules) =>
  list<string, string | number>(
    {
      anyOf: [
        { type: "string", maxLength: longest.short },
        { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 32 - 1 },
      ],
    },
    (given) => {
      if (typeof given === "string") return given;
      const isOpcode = Number.isInteger(given) && Number(given) >= -(2 ** 31) && Number(given) < 2 ** 32;
      return isOpcode ? `0x${(Number(given) >>> 0).toString(16)}` : unreadable;
    },
    rules,
  );

/** Numbers with an exponent, below 4e9. */
const exponentials = "[1-3](?:\\.\\d*)?[eE]\\+?0*9|\\d(?:\\.\\d*)?[eE](?:\\+?0*[0-8]|-\\d+)";

/** A unix time; numbers with fractions and exponents are truncated to whole seconds. */
export const utime = input<number | string, number>(
  {
    "x-name": "v3.UnixTime",
    anyOf: [
      { type: "integer", minimum: 0, maximum: 2 ** 32 - 1 },
      matching(`\\+?(?:(?:${decimals(0n, 2n ** 32n - 1n)})(?:\\.\\d*)?|\\.\\d+|${exponentials})`),
    ],
  },
  (given) => {
    const text = textOf(given);
    // Digits can match in one way only: `\d+\.?\d*` would try all divisions of a long text.
    if (!/^\+?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return unreadable;
    const seconds = Math.trunc(Number(text));
    return seconds <= 2 ** 32 - 1 ? seconds : unreadable;
  },
);

/** A logical time. */
export const lt = input<string | number | bigint, bigint>(
  {
    "x-name": "v3.LogicalTime",
    anyOf: [
      matching(`(?:${decimals(0n, 2n ** 64n - 1n)})?`),
      { type: "integer", format: "uint64", minimum: 0 },
    ],
  },
  (given) => {
    const text = textOf(given);
    if (text === "") return 0n;
    const value = /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;
    return value >= 0n && value < 1n << 64n ? value : unreadable;
  },
);

/** The window of a list in unix time, both ends inclusive. */
export function utimeWindow(what: string) {
  return {
    start_utime: utime.optional().describe(`Minimum unix time, inclusive: ${what}.`),
    end_utime: utime.optional().describe("Maximum unix time, inclusive."),
  };
}

/** The time window of a list, both ends inclusive. */
export function window(what: string) {
  return {
    ...utimeWindow(what),
    start_lt: lt.optional().describe("Minimum logical time, inclusive."),
    end_lt: lt.optional().describe("Maximum logical time, inclusive."),
  };
}

const int32Schema = {
  "x-name": "v3.Int32",
  anyOf: [{ type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }, matching(`(?:${signedText(32)})?`)],
};

const readInt32: Read<number> = (given) => {
  const value = given === "" ? 0n : signed(textOf(given), 32);
  return value === undefined ? unreadable : Number(value);
};

/** A 32-bit integer; the empty text is 0. */
export const int32 = input<number | string, number>(int32Schema, readInt32);

const truths = new Map<unknown, boolean>([
  ...[true, "1", "t", "T", "true", "TRUE", "True", "on"].map((text) => [text, true] as const),
  ...[false, "", "0", "f", "F", "false", "FALSE", "False"].map((text) => [text, false] as const),
]);
const truthTexts = [...truths.keys()].filter((given) => typeof given === "string");

/** A boolean: JSON, or one of the words that TON Center accepts. */
export const bool = input<boolean | string, boolean>(
  { "x-name": "v3.Boolean", anyOf: [{ type: "boolean" }, matching(truthTexts.join("|"))] },
  (given) => truths.get(given) ?? unreadable,
);

const readText: Read<string> = (given) => (typeof given === "string" ? given : unreadable);
const textSchema = { type: "string", maxLength: longest.name };
/** A text without the character 0, which PostgreSQL refuses. */
export const readStorableText: Read<string> = (given) => {
  const read = readText(given);
  return typeof read === "string" && read.includes("\0") ? unreadable : read;
};
export const storableText = matching("[^\\u0000]*", longest.name);
export const text = input<string, string>(storableText, readStorableText);
export const someTexts = (rules: ListRules) => list(textSchema, readText, rules);
/** A list of bags of cells as text. */
export const someBodyTexts = (rules: ListRules) => list({ type: "string" }, readText, rules);
/** A place in a stream of events. */
export const cursorText = input<string, string>({ type: "string", maxLength: longest.cursor }, readText);

/** A required text of a legacy method; empty counts as absent. */
export const requiredText = (missing: string) =>
  input<string, string>(
    { ...textSchema, minLength: 1 },
    (given) => (given === "" ? unauthorized(missing) : readText(given)),
    unauthorized(missing),
  );

/** For a method that v2 runs, which refuses invalid base64 with the text of v2. */
const readBytes: Read<Uint8Array> = (given) => {
  const read = readText(given);
  if (read instanceof Fault) return read;
  return (
    base64ToBytes(read) ??
    new Fault("range", (name) => `failed to parse post request: failed to parse ${name}`)
  );
};

/** Bytes in base64 of a legacy method; the empty text is zero bytes. */
export const bytes = input<string, Uint8Array>(
  { "x-name": "Base64", ...base64Matching(base64Pattern) },
  readBytes,
);

/** Required bytes of a legacy method; empty counts as absent. */
export const requiredBytes = (missing: string) =>
  input<string, Uint8Array>(
    base64Matching(someBase64Pattern),
    (given) => (given === "" ? unauthorized(missing) : readBytes(given)),
    unauthorized(missing),
  );

const actionTypePattern = "[A-Za-z0-9_.]*";
const actionType = /^[A-Za-z0-9_.]*$/;

/** A list of action types and of words for sets of them; unknown words are ignored. */
export const actionWords = list(matching(actionTypePattern, longest.name), readStorableText, {
  name: "ActionWordList",
});

/** A list of action types. `name` is the parameter, for the error text. */
export const actionTypesOf = (name: string, rules: ListRules = { name: "ActionTypeList" }) =>
  list(
    matching(actionTypePattern),
    (given) =>
      typeof given === "string" && actionType.test(given)
        ? given
        : new Fault("range", () => `${name} contains invalid characters`),
    rules,
  );

const indexSchema = matching("\\d{1,80}");

/** Numbers of items in their collections. */
export const itemIndexes = list(indexSchema, (given) => {
  const digitsOnly = textOf(given);
  if (!/^\d+$/.test(digitsOnly)) return new Fault("range", () => "index should contain digits only");
  // No index has more digits than a 257-bit integer.
  return digitsOnly.length > 80 ? -1n : BigInt(digitsOnly);
});

function sideOf<const Side extends string>(sides: readonly Side[]) {
  return input<string, Side>(
    { type: "string", enum: sides },
    (given) =>
      sides.find((side) => side === given) ?? new Fault("range", () => "direction should be one of: in, out"),
  );
}

/** The side of a message: `in` for the receiver's, `out` for the sender's. */
export const direction = sideOf(["in", "out"]);

/** A side, or both. */
export const directions = sideOf(["in", "out", "both"]);

/** `limit` and `offset` of a list method. A `limit` below 1 counts as 1. */
export function page({ initial, max }: { initial: number; max: number }) {
  const limit = input<number | string, number>(
    {
      "x-name": `LimitTo${max}`,
      anyOf: [
        { type: "integer", minimum: 1, maximum: max },
        matching(`(?:${decimals(-(2n ** 31n), BigInt(max), { plus: true })})?`),
      ],
    },
    (given) => {
      const value = readInt32(given);
      if (value instanceof Fault) return value;
      if (value > max) return new Fault("range", () => `limit is not allowed: ${value} > ${max}`);
      return Math.max(value, 1);
    },
  );
  const offset = input<number | string, number>(int32Schema, (given) => {
    const value = readInt32(given);
    return value instanceof Fault ? value : Math.max(value, 0);
  });
  return {
    limit: limit.prefault(initial).describe(`Maximum number of rows, at most ${max}.`),
    offset: offset.prefault(0).describe("Number of rows to skip."),
  };
}

/** Sort order of a list. */
export const sort = input<string, "asc" | "desc">({ type: "string", enum: ["asc", "desc"] }, (given) => {
  const word = textOf(given).toLowerCase();
  if (word === "asc" || word === "a") return "asc";
  if (word === "desc" || word === "d") return "desc";
  return new Fault("range", () => "wrong value for sort parameter");
})
  .prefault("desc")
  .describe("`desc` for the newest first, `asc` for the oldest first.");

/** The pattern of a signed integer as text. */
function signedText(bits: 32 | 64): string {
  const limit = 1n << BigInt(bits - 1);
  return decimals(-limit, limit - 1n, { plus: true });
}

function signed(text: string, bits: number): bigint | undefined {
  if (!/^[+-]?\d{1,20}$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(bits, value) === value ? value : undefined;
}

/** The text of a value; numbers become decimal text, other types an invalid text. */
function textOf(given: unknown): string {
  return typeof given === "string" ? given : (textOfNumber(given) ?? "\0");
}
