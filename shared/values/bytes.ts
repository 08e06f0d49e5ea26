// Text forms of byte strings, for both browsers and Node (no Buffer).

// Available in browsers and Node; declared here because shared/ compiles without DOM and Node types.
declare function btoa(binary: string): string;

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Encodes bytes as lower-case hex. */
export function bytesToHex(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i++) text += hexDigits[bytes[i]!];
  return text;
}

const hexValues = digitValues("0123456789abcdef", "0123456789ABCDEF");
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const base64Values = digitValues(`${letters}+/`, `${letters}-_`);
const noDigit = 255;

/** A lookup table from ASCII characters to digit values, for speed: most requests contain hex or base64. */
function digitValues(...alphabets: readonly string[]): Uint8Array {
  const values = new Uint8Array(128).fill(255);
  for (const digits of alphabets) {
    for (let value = 0; value < digits.length; value++) values[digits.charCodeAt(value)] = value;
  }
  return values;
}

/** Decodes hex in either case; `undefined` for any other text. */
export function hexToBytes(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const high = hexValues[text.charCodeAt(2 * i)] ?? noDigit;
    const low = hexValues[text.charCodeAt(2 * i + 1)] ?? noDigit;
    if ((high | low) > 15) return undefined;
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}

/** Encodes bytes as standard base64 with padding. */
export function bytesToBase64(bytes: Uint8Array): string {
  let binary = "";
  // In slices, because the number of arguments is limited by the engine's stack.
  for (let i = 0; i < bytes.length; i += 10_000) binary += bytesToCharacters(bytes.subarray(i, i + 10_000));
  return btoa(binary);
}

/**
 * One character per byte, for up to some thousand bytes: the shortest and fastest text form of a hash, but not a
 * readable one.
 */
export function bytesToCharacters(bytes: Uint8Array): string {
  // Several times faster than spreading the bytes.
  return String.fromCharCode.apply(null, bytes as unknown as number[]);
}

/** Encodes bytes as base64url without padding. */
export function bytesToBase64Url(bytes: Uint8Array): string {
  return bytesToBase64(bytes)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "");
}

/**
 * Decodes base64. Accepts the standard and the URL alphabet, also mixed, with or without padding, and line breaks.
 * Returns `undefined` for any other character, wrong padding or an impossible length.
 */
export function base64ToBytes(text: string): Uint8Array | undefined {
  const compact = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, "") : text;
  const padding = compact.endsWith("==") ? 2 : compact.endsWith("=") ? 1 : 0;
  const digits = compact.length - padding;
  if (digits % 4 === 1 || (padding > 0 && compact.length % 4 !== 0)) return undefined;
  const bytes = new Uint8Array((digits * 3) >> 2);
  let pending = 0;
  let bits = 0;
  let filled = 0;
  for (let i = 0; i < digits; i++) {
    const value = base64Values[compact.charCodeAt(i)] ?? noDigit;
    if (value === noDigit) return undefined;
    pending = (pending << 6) | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[filled++] = pending >> bits;
  }
  return bytes;
}

/** Compares contents. Takes time by the first difference, so it is not for secrets. */
export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Comparator for `Array.prototype.sort`: unsigned, byte by byte, shorter first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The parts one after another, in an array that may be transferred. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The bytes of a text that must be hex. */
export function bytesOfHex(text: string): Uint8Array {
  return known(hexToBytes(text), "hex");
}

/** The bytes of a text that must be base64. */
export function bytesOfBase64(text: string): Uint8Array {
  return known(base64ToBytes(text), "base64");
}

function known(bytes: Uint8Array | undefined, form: string): Uint8Array {
  if (!bytes) throw new TypeError(`a text is not ${form}`);
  return bytes;
}

/** Reads a 256-bit hash in hex, base64 or base64url; `undefined` for anything else. */
export function readHash(text: string): Uint8Array | undefined {
  if (text.length > 512) return undefined;
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hex) return hexToBytes(hex)!;
  // A wallet appends `=` to base64 that is already padded.
  const digits = /^([A-Za-z0-9+/_-]{43})=*$/.exec(text)?.[1];
  return digits === undefined ? undefined : base64ToBytes(digits);
}
