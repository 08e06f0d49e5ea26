// Text forms of byte strings, for code that runs in browsers and in Node alike (no Buffer).

// Exists in every browser and in Node; declared here because shared/ compiles without DOM and Node types.
declare function btoa(binary: string): string;

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Lower-case hex. */
export function bytesToHex(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i++) text += hexDigits[bytes[i]!];
  return text;
}

const hexValues = digitValues("0123456789abcdef", "0123456789ABCDEF");
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const base64Values = digitValues(`${letters}+/`, `${letters}-_`);
const noDigit = 255;

/** The value of each ASCII character as a digit of any of the alphabets. Requests are full of such texts. */
function digitValues(...alphabets: readonly string[]): Uint8Array {
  const values = new Uint8Array(128).fill(255);
  for (const digits of alphabets) {
    for (let value = 0; value < digits.length; value++) values[digits.charCodeAt(value)] = value;
  }
  return values;
}

/** Hex of either case to bytes; `undefined` when the text is anything else. */
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

/** Standard base64 with padding. */
export function bytesToBase64(bytes: Uint8Array): string {
  let binary = "";
  // In slices: the arguments of one call are bounded by the engine's stack.
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}

/** base64url without padding. */
export function bytesToBase64Url(bytes: Uint8Array): string {
  return bytesToBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Base64 to bytes. Takes the standard and the URL alphabet, also mixed, with or without padding and with line
 * breaks; `undefined` for any other character, surplus padding or a length that base64 cannot have.
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

export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Negative, zero or positive like `Array.prototype.sort` wants it: unsigned, byte by byte, shorter first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
