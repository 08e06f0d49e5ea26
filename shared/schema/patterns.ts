// Regular expressions for the documents. They allow what the parameters accept; where an accepted form is rare, they may
// allow less, but never more, so that a value made from a document is not refused. A text matches an item of a list in one
// way only: in two ways, a list of n items would match in 2^n ways, and clients that check a value try them all.

/** The longest texts of parameters. Lists, and bags of cells, are as long as a request may be. */
export const longest = {
  /** Addresses, numbers, times and words. Error texts quote this many characters. */
  short: 128,
  /** Names, and other freely chosen texts. */
  name: 256,
  /** Hashes, whose base64 some clients pad again and again. */
  hash: 512,
  cursor: 512,
} as const;

/** JSON Schema of text that matches a pattern as a whole. */
export function matching(pattern: string, maxLength: number = longest.short) {
  return { ...matchingAnyLength(pattern), maxLength };
}

/** As `matching`, for text that only the size of a request bounds. */
export function matchingAnyLength(pattern: string) {
  return { type: "string", pattern: `^(?:${pattern})$` } as const;
}

/** JSON Schema of base64 that matches a pattern as a whole. */
export function base64Matching(pattern: string) {
  return { ...matchingAnyLength(pattern), contentEncoding: "base64" } as const;
}

/** The pattern inside a schema made by `matching`, to be part of another one. */
export function patternIn({ pattern }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof pattern === "string" && pattern.startsWith("^(?:") ? pattern.slice(1, -1) : undefined;
}

const base64Digit = "[A-Za-z0-9+/_-]";
const workchain = "-?(?:\\d{1,2}|0\\d\\d|1[01]\\d|12[0-7])|-128";

/** The friendly form of an address begins with its flags; no pattern can check its checksum. */
export const friendlyPattern = `[EUk0][Q-Za-f]${base64Digit}{46}`;

/** An address in any form. */
export const addressPattern = `(?:${workchain}):[0-9a-fA-F]{64}|${friendlyPattern}`;

/** An address in any form; the format stands for the checksum of the friendly form. */
export const addressText = { ...matching(addressPattern), format: "ton-address" } as const;

/** Base64 in any alphabet, with or without padding. */
export const base64Pattern = `(?:${base64Digit}{4})*(?:${base64Digit}{2}(?:==)?|${base64Digit}{3}=?)?`;
/** As `base64Pattern`, at least one byte. */
export const someBase64Pattern = `(?:${base64Digit}{4})*(?:${base64Digit}{2}(?:==)?|${base64Digit}{3}=?|${base64Digit}{4})`;

/** An integer of up to 257 bits as decimal or hex text, except the longest decimals. */
export const integerPattern = "-?(?:0[xX][0-9a-fA-F]{1,64}|\\d{1,77})";

/** A word in any case. */
export function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

const maxDecimalDigits = 20;

/** A decimal from `min` to `max`, with leading zeros up to 20 digits. `plus` allows a plus sign. */
export function decimals(min: bigint, max: bigint, { plus = false } = {}): string {
  const upward = `${plus ? "\\+?" : ""}${magnitudes(min < 0n ? 0n : min, max)}`;
  return min < 0n ? `${upward}|-${magnitudes(0n, -min)}` : upward;
}

function magnitudes(min: bigint, max: bigint): string {
  const alternatives = min === 0n ? ["0"] : [];
  let [shortest, longest] = [0, 0];
  for (let from = min === 0n ? 1n : min; from <= max; ) {
    const [low, next] = [String(from), 10n ** BigInt(String(from).length)];
    const high = String(next - 1n < max ? next - 1n : max);
    // Lengths of which every number is allowed become one alternative.
    if (isLowest(low, "1") && isHighest(high)) [shortest, longest] = [shortest || low.length, low.length];
    else alternatives.push(between(low, high));
    from = next;
  }
  if (longest > 0) alternatives.push(`[1-9]\\d{${shortest - 1},${longest - 1}}`);
  return `0{0,${maxDecimalDigits - String(max).length}}(?:${alternatives.join("|")})`;
}

/** The numbers from `low` to `high`, two texts of the same length, digit by digit. */
function between(low: string, high: string): string {
  if (low === "") return "";
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (low[0] === high[0]) return low[0] + between(lowRest, highRest);
  const first = Number(low[0]) + (isLowest(lowRest) ? 0 : 1);
  const last = Number(high[0]) - (isHighest(highRest) ? 0 : 1);
  const alternatives = [
    ...(isLowest(lowRest) ? [] : [low[0] + between(lowRest, lowRest.replace(/./g, "9"))]),
    ...(first <= last ? [`[${first}-${last}]\\d{${lowRest.length}}`] : []),
    ...(isHighest(highRest) ? [] : [high[0] + between(highRest.replace(/./g, "0"), highRest)]),
  ];
  return `(?:${alternatives.join("|")})`;
}

const isLowest = (digits: string, first = "0") =>
  digits === first.padEnd(digits.length, "0") || digits === "";
const isHighest = (digits: string) => /^9*$/.test(digits);
