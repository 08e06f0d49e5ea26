/** A row whose values are the bytes of their texts. */
export type BytesOf<Row> = {
  [Column in keyof Row]: null extends Row[Column] ? Uint8Array | null : Uint8Array;
};

/** A text with a character for each byte: ASCII as it is, and any other bytes as a key of a Map. */
export function latin1Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
