import { base64ToBytes, hexToBytes } from "./bytes.js";

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
