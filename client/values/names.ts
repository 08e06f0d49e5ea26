import { base64ToBytes, bytesToBase64, hexToBytes } from "../../shared/values/bytes.js";

/** Parses a 32-byte hash from hex, base64 or base64url, or encodes one in base64. Throws a TypeError for other text. */
export function hash(text: string): Uint8Array;
export function hash(bytes: Uint8Array): string;
export function hash(value: string | Uint8Array): string | Uint8Array {
  if (typeof value !== "string") return bytesToBase64(value);
  const bytes = value.length === 64 ? hexToBytes(value) : base64ToBytes(value);
  if (bytes?.length === 32) return bytes;
  throw new TypeError(`${value} is not a hash`);
}
