/** An amount of nanotons as answers have it, as a number one can count with. */
export function nano(text: string | number): bigint {
  return wholeNumber(text, "an amount");
}

/** A logical time as answers have it. */
export function lt(text: string | number): bigint {
  return wholeNumber(text, "a logical time");
}

function wholeNumber(given: string | number, what: string): bigint {
  if (typeof given === "number" ? Number.isSafeInteger(given) : /^-?\d+$/.test(given)) return BigInt(given);
  throw new TypeError(`${given} is not ${what}`);
}

const nanosPerTon = 1_000_000_000n;

/** `"1.5"` TON in nanotons. */
export function toNano(tons: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(tons);
  if (!match) throw new TypeError(`${tons} is not an amount of TON`);
  const [, sign, whole, part = ""] = match;
  const nanos = BigInt(whole!) * nanosPerTon + BigInt(part.padEnd(9, "0"));
  return sign ? -nanos : nanos;
}

/** Nanotons in TON: `1500000000n` is `"1.5"`. */
export function fromNano(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const part = (size % nanosPerTon).toString().padStart(9, "0").replace(/0+$/, "");
  return `${nanos < 0n ? "-" : ""}${size / nanosPerTon}${part && `.${part}`}`;
}
