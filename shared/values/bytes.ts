// Text forms of byte strings, for code that runs in browsers and in Node alike (no Buffer).

// Both exist in every browser and in Node; declared here because shared/ compiles without DOM and Node types.
declare function atob(text: string): string;
declare function btoa(binary: string): string;

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Lower-case hex. */
export function bytesToHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += hexDigits[byte];
  return text;
}

/** Hex of either case to bytes; `undefined` when the text is anything else. */
export function hexToBytes(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
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
  const compact = text.replace(/[\r\n]/g, "");
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) return undefined;
  const bare = compact.replace(/=+$/, "");
  if (bare.length % 4 === 1) return undefined;
  if (compact.length !== bare.length && compact.length % 4 !== 0) return undefined;
  const binary = atob(bare.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
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
