import { Address } from "../../values/address.js";
import { base64ToBytes } from "../../values/bytes.js";
import { Fault, input, list, quote, unreadable } from "../input.js";
import {
  addressText,
  base64Matching,
  base64Pattern,
  decimals,
  friendlyPattern,
  matching,
  someBase64Pattern,
} from "../patterns.js";

// Parameter types of v4, whose clients write them into paths.

/** An account by its friendly address. */
export const friendlyAccount = input<string, Address>(
  {
    ...addressText,
    ...matching(friendlyPattern),
    "x-name": "v4.Address",
    description: "Address in the friendly form, 48 characters; in paths base64url.",
  },
  (given) => {
    const read = typeof given === "string" ? Address.read(given) : undefined;
    return read?.form === "friendly"
      ? read.address
      : new Fault("parse", () => `not a friendly address: '${quote(given)}'`);
  },
);

/** Most numbers of parameters in a call; networks have about 60. */
const maxParamIds = 256;
const int32Bound = 2 ** 31;

/** Numbers of configuration parameters. */
export const configIds = list<number, string | number>(
  {
    "x-name": "v4.ConfigId",
    anyOf: [
      { type: "integer", minimum: -int32Bound, maximum: int32Bound - 1 },
      matching(decimals(BigInt(-int32Bound), BigInt(int32Bound - 1))),
    ],
  },
  (given) => {
    const text = typeof given === "number" ? String(given) : given;
    const id = typeof text === "string" && /^ *-?\d{1,20} *$/.test(text) ? Number(text) : Number.NaN;
    return id >= -int32Bound && id < int32Bound ? id : unreadable;
  },
  { atMost: { count: maxParamIds, text: `at most ${maxParamIds} parameters of the configuration` } },
);

/** Longest arguments of a get-method, as in liteservers. */
const maxArguments = 65_535;
const maxCharacters = Math.ceil(maxArguments / 3) * 4;

/** A stack in a bag of cells; the empty text is no argument. */
export const stackBytes = input<string, Uint8Array>(
  {
    "x-name": "v4.Stack",
    ...matching(base64Pattern, maxCharacters),
    contentEncoding: "base64",
  },
  (given) => {
    const bytes = typeof given === "string" ? base64ToBytes(given) : undefined;
    return bytes && bytes.length <= maxArguments ? bytes : unreadable;
  },
);

/** A message in a bag of cells. */
export const messageBytes = input<string, Uint8Array>(
  { "x-name": "SomeBase64", ...base64Matching(someBase64Pattern) },
  (given) => {
    const bytes = typeof given === "string" ? base64ToBytes(given) : undefined;
    return bytes?.length ? bytes : unreadable;
  },
  new Fault("missing", (name) => `${name} is required`, { status: 400 }),
);
