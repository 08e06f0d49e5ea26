/** Bytes as a key of a Map. */
export { latin1Text as keyOf } from "../store/sql/row-bytes.js";

export function bytesOfKey(key: string): Uint8Array {
  return Buffer.from(key, "latin1");
}
