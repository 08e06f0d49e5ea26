/** Bytes as a key of a Map. */
export function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

export function bytesOfKey(key: string): Uint8Array {
  return Buffer.from(key, "latin1");
}
