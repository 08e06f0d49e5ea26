/** Parses an amount in nanotons from an answer. Throws a TypeError if it is not a whole number. */
export function nano(text: string | number): bigint {
  return wholeNumber(text, "an amount");
}

/** Parses a logical time from an answer. Throws a TypeError if it is not a whole number. */
export function lt(text: string | number): bigint {
  return wholeNumber(text, "a logical time");
}

function wholeNumber(value: string | number, kind: string): bigint {
  if (typeof value === "number" ? Number.isSafeInteger(value) : /^-?\d+$/.test(value)) return BigInt(value);
  throw new TypeError(`${value} is not ${kind}`);
}

const nanosPerTon = 1_000_000_000n;

/** Converts TON to nanotons: `"1.5"` is `1500000000n`. Throws a TypeError if the text is not an amount. */
export function toNano(tons: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(tons);
  if (!match) throw new TypeError(`${tons} is not an amount of TON`);
  const [, sign, whole, part = ""] = match;
  const nanos = BigInt(whole!) * nanosPerTon + BigInt(part.padEnd(9, "0"));
  return sign ? -nanos : nanos;
}

/** Converts nanotons to TON: `1500000000n` is `"1.5"`. */
export function fromNano(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const part = (size % nanosPerTon)
    .toString()
    .padStart(9, "0")
    .replace(/0{1,9}$/, "");
  return `${nanos < 0n ? "-" : ""}${size / nanosPerTon}${part && `.${part}`}`;
}
