import { base64ToBytes, hexToBytes } from "./bytes.js";

/** Reads a 256-bit hash in hex, base64 or base64url; `undefined` for anything else. */
export function readHash(text: string): Uint8Array | undefined {
  if (text.length > 512) return undefined;
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hex) return hexToBytes(hex)!;
  // A wallet appends `=` to base64 that is already padded.
  const digits = /^([A-Za-z0-9+/_-]{43})=*$/.exec(text)?.[1];
  return digits === undefined ? undefined : base64ToBytes(digits);
}
