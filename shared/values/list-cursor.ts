import { base64ToBytes, bytesEqual, bytesToBase64Url } from "./bytes.js";
import { utf8Text } from "./utf8.js";

// Available in browsers and Node; declared here because shared/ compiles without DOM and Node types.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** A value of the sort key of a row. */
export type KeyValue = bigint | string | Uint8Array;

const sealLength = 8;
const maxValues = 8;
const maxValueLength = 255;
const tags = { integer: 1, bytes: 2, text: 3 } as const;

/** A place in a list: its beginning, or behind the row with a sort key. */
export class ListCursor {
  /** The sort key; absent at the beginning. */
  readonly after: readonly KeyValue[] | undefined;
  /** Digest of the list, its filters and the key; it has to be checked. */
  readonly seal: Uint8Array | undefined;
  /** The key of the last row of a full page, which the list sets. */
  next: readonly KeyValue[] | undefined;

  constructor(after?: readonly KeyValue[], seal?: Uint8Array) {
    this.after = after;
    this.seal = seal;
  }

  /** `undefined` for a text that `textOfCursor` does not produce. */
  static read(text: string): ListCursor | undefined {
    if (text === "start") return new ListCursor();
    const bytes = base64ToBytes(text);
    if (!bytes || bytes.length <= sealLength || bytesToBase64Url(bytes) !== text) return undefined;
    const after = readKey(bytes.subarray(sealLength));
    return after && new ListCursor(after, bytes.subarray(0, sealLength));
  }
}

/** The cursor behind a key as text. `digest`: at least as many bytes as the seal has. */
export function textOfCursor(key: readonly KeyValue[], digest: Uint8Array): string {
  return bytesToBase64Url(Uint8Array.from([...sealOf(digest), ...keyBytes(key)]));
}

/** Whether the seal of a cursor is the beginning of a digest. */
export function hasSeal({ seal }: ListCursor, digest: Uint8Array): boolean {
  return seal !== undefined && bytesEqual(seal, sealOf(digest));
}

function sealOf(digest: Uint8Array): Uint8Array {
  return digest.subarray(0, sealLength);
}

/** A key as bytes: of each value a tag, the length and the value. */
export function keyBytes(key: readonly KeyValue[]): Uint8Array {
  return Uint8Array.from(
    key.flatMap((value) => {
      const [tag, bytes] = taggedBytes(value);
      if (bytes.length > maxValueLength) throw new RangeError("a sort key is too long for a cursor");
      return [tag, bytes.length, ...bytes];
    }),
  );
}

function taggedBytes(value: KeyValue): [tag: number, bytes: Uint8Array] {
  if (typeof value === "bigint") return [tags.integer, integerBytes(value)];
  return typeof value === "string" ? [tags.text, new TextEncoder().encode(value)] : [tags.bytes, value];
}

function readKey(bytes: Uint8Array): KeyValue[] | undefined {
  const values: KeyValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag, length = 0] = bytes.subarray(at, at + 2);
    const end = at + 2 + length;
    const value = end <= bytes.length ? readValue(tag, bytes.subarray(at + 2, end)) : undefined;
    if (value === undefined || values.length === maxValues) return undefined;
    values.push(value);
    at = end;
  }
  // Each key has one text.
  return bytesEqual(keyBytes(values), bytes) ? values : undefined;
}

function readValue(tag: number | undefined, bytes: Uint8Array): KeyValue | undefined {
  if (tag === tags.integer) return integerOf(bytes);
  if (tag === tags.bytes) return bytes;
  return tag === tags.text ? utf8Text(bytes) : undefined;
}

/** Two's complement, the highest byte first; empty for 0. */
function integerBytes(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  // The last byte has the sign.
  while (left !== 0n && !(left === -1n && bytes.length > 0 && bytes[0]! > 127)) {
    bytes.unshift(Number(left & 255n));
    left >>= 8n;
  }
  if (value > 0n && bytes[0]! > 127) bytes.unshift(0);
  return Uint8Array.from(bytes);
}

function integerOf(bytes: Uint8Array): bigint {
  const magnitude = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return BigInt.asIntN(8 * bytes.length, magnitude);
}
