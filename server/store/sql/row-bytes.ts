import type { FromBytes } from "../database.js";

/** A row whose values are the bytes of their texts. */
export type BytesOf<Row> = {
  [Column in keyof Row]: null extends Row[Column] ? Uint8Array | null : Uint8Array;
};

/** A text with a character for each byte: ASCII as it is, and any other bytes as a key of a Map. */
export function latin1Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

/** The value of JSON in UTF-8. */
export function parsedJson<Value>(bytes: Uint8Array): Value {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
}

/** The text of a record as bytes, and its raw addresses, separated by blanks. */
export type RecordText = { text: Uint8Array; addresses: string };

/** Makes something of the text of a record, whose bytes are reused after the call. */
export type TakeText<Taken> = (text: Uint8Array, addresses: string) => Taken;

/** Makes what `take` does of rows with a text and its addresses. */
export function taking<Taken>(take: TakeText<Taken>): FromBytes {
  return (({ text, addresses }: BytesOf<RecordText>) =>
    take(text, latin1Text(addresses))) satisfies FromBytes;
}

/** For callers that read several texts together. */
export const keepText: TakeText<RecordText> = (text, addresses) => ({ text: Buffer.from(text), addresses });
