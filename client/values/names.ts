import { Address } from "../../shared/values/address.js";
import { base64ToBytes, bytesToBase64, hexToBytes } from "../../shared/values/bytes.js";

/** The 32 bytes of a hash in hex, base64 or base64url, or the base64 of its bytes. */
export function hash(text: string): Uint8Array;
export function hash(bytes: Uint8Array): string;
export function hash(given: string | Uint8Array): string | Uint8Array {
  if (typeof given !== "string") return bytesToBase64(given);
  const bytes = given.length === 64 ? hexToBytes(given) : base64ToBytes(given);
  if (bytes?.length === 32) return bytes;
  throw new TypeError(`${given} is not a hash`);
}

/** An address in any of its text forms: `workchain`, `hash`, `toFriendly()`, `toRaw()`, `equals()`. */
export function address(text: string): Address {
  const written = Address.read(text);
  if (written) return written.address;
  throw new TypeError(`${text} is not an address`);
}
