/** A row whose values are the bytes of their texts. */
export type BytesOf<Row> = {
  [Column in keyof Row]: null extends Row[Column] ? Uint8Array | null : Uint8Array;
};

/** A text that has nothing but ASCII. */
export function asciiText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
