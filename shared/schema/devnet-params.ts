import { claimedText } from "../values/claimed-text.js";
import { Fault, input, textOfNumber, unreadable } from "./input.js";
import { decimals, matching } from "./patterns.js";
import { readHashForm } from "./v2/params.js";

// Parameters of the devnet's own methods.

export const maxInt64 = 2n ** 63n - 1n;

/** An amount in nanotons: decimal text, or a JSON integer. */
export function nanotons({ atLeast, atMost = maxInt64 }: { atLeast: 0n | 1n; atMost?: bigint }) {
  return input<string | number | bigint, bigint>(
    {
      ...(atMost === maxInt64 && { "x-name": `NanotonsFrom${atLeast}` }),
      anyOf: [
        matching(decimals(atLeast, atMost)),
        {
          type: "integer",
          format: "int64",
          minimum: Number(atLeast),
          ...(atMost < maxInt64 && { maximum: Number(atMost) }),
        },
      ],
    },
    (given) => {
      const value = amountOf(given);
      if (value === undefined) return unreadable;
      if (value < atLeast) return new Fault("range", (name) => `${name} should be positive`);
      if (value > atMost) return new Fault("range", (name) => `${name} should be less or equal ${atMost}`);
      return value;
    },
  );
}

/** A duration in milliseconds. */
export function milliseconds({ atLeast, atMost }: { atLeast: number; atMost: number }) {
  return input<number | string, number>(
    {
      anyOf: [
        { type: "integer", minimum: atLeast, maximum: atMost },
        matching(decimals(BigInt(atLeast), BigInt(atMost))),
      ],
    },
    (given) => {
      const value = amountOf(given);
      if (value === undefined) return unreadable;
      const allowed = value >= atLeast && value <= atMost;
      return allowed
        ? Number(value)
        : new Fault("range", (name) => `${name} should be from ${atLeast} to ${atMost}`);
    },
  );
}

export function amountOf(given: unknown): bigint | undefined {
  const text = textOfNumber(given) ?? given;
  return typeof text === "string" && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

/** One of the given words. */
export function oneOf<const Word extends string>(...words: Word[]) {
  return input<Word, Word>(
    { type: "string", enum: words },
    (given) =>
      words.find((word) => word === given) ??
      new Fault("parse", (name) => `${name} should be one of ${words.join(", ")}`),
  );
}

/** Begins with a letter, so that it is no number of a snapshot. */
export const snapshotName = input<string, string>(matching("[A-Za-z][A-Za-z0-9_.-]{0,63}"), (given) =>
  typeof given === "string" && /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(given)
    ? given
    : new Fault(
        "parse",
        (name) => `${name} should begin with a letter and have up to 64 letters, digits, "_", "." and "-"`,
      ),
);

/** A share from 0 to 1, as a number or its text. */
export const share = input<number | string, number>(
  { anyOf: [{ type: "number", minimum: 0, maximum: 1 }, matching("0|1|0?\\.[0-9]{1,20}")] },
  (given) => {
    const text = textOfNumber(given) ?? given;
    const isNumber =
      typeof text === "string" && /^(?:\d{1,3}|\d?\.\d{1,30}|\d(?:\.\d{1,20})?e-\d{1,3})$/.test(text);
    if (!isNumber) return unreadable;
    const value = Number(text);
    return value <= 1 ? value : new Fault("range", (name) => `${name} should be from 0 to 1`);
  },
);

const longestName = 64;

/** A name of an account: one line, as pages show it. */
export const accountName = input<string, string>(
  { type: "string", minLength: 1, maxLength: longestName },
  (given) =>
    typeof given === "string" && given !== "" && claimedText(given, longestName) === given
      ? given
      : new Fault(
          "parse",
          (name) => `${name} should have up to ${longestName} visible characters in one line`,
        ),
);

/** 32 secret bytes, in the forms of a hash, so that no error repeats them. */
export const secretKey = input<string, Uint8Array>(
  matching("[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=|[A-Za-z0-9_-]{43}"),
  (given) => {
    const read = typeof given === "string" ? readHashForm(given) : undefined;
    return read ?? new Fault("parse", (name) => `${name} should be 32 bytes in hex or base64`);
  },
);

/** A JSON boolean. */
export const flag = input<boolean, boolean>({ type: "boolean" }, (given) =>
  typeof given === "boolean" ? given : unreadable,
);

/** An object that callers pass on with another answer. It is not read. */
export const passedOn = input<object, object>({ type: "object" }, (given) =>
  typeof given === "object" && given !== null ? given : unreadable,
);
