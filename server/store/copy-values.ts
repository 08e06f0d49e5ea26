/** Where a row is being written: grows as needed. */
export class RowBuffer {
  bytes: Buffer;
  at = 0;

  constructor(initialBytes: number) {
    this.bytes = Buffer.allocUnsafe(initialBytes);
  }

  /** Makes room for `count` bytes and steps over them; the answer is where they begin. */
  take(count: number): number {
    const from = this.at;
    this.at += count;
    if (this.at > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.at));
      this.bytes.copy(larger, 0, 0, from);
      this.bytes = larger;
    }
    return from;
  }
}

/** Writes a value, not null, as a field of binary COPY: its length in four bytes, then itself. */
export type WriteValue<T> = (value: T, target: RowBuffer) => void;

/** A column's type: what it takes and how it is written. */
export type ColumnType<T> = { readonly write: WriteValue<T>; readonly nullable: boolean };

function column<T>(write: WriteValue<T>): ColumnType<T> {
  return { write, nullable: false };
}

export function nullable<T>(type: ColumnType<T>): ColumnType<T | undefined> {
  return { write: type.write as WriteValue<T | undefined>, nullable: true };
}

function field(target: RowBuffer, length: number): number {
  const at = target.take(4 + length);
  target.bytes.writeInt32BE(length, at);
  return at + 4;
}

export const smallint = column<number>((value, target) => {
  const at = field(target, 2);
  target.bytes.writeInt16BE(value, at);
});

export const integer = column<number>((value, target) => {
  const at = field(target, 4);
  target.bytes.writeInt32BE(value, at);
});

export const bigint = column<bigint>((value, target) => {
  const at = field(target, 8);
  target.bytes.writeBigInt64BE(value, at);
});

/** A number in a bigint column: times, and unsigned numbers of 32 bits. */
export const wideInteger = column<number>((value, target) => {
  const at = field(target, 8);
  target.bytes.writeInt32BE(Math.floor(value / 2 ** 32), at);
  target.bytes.writeUInt32BE(value >>> 0, at + 4);
});

export const boolean = column<boolean>((value, target) => {
  const at = field(target, 1);
  target.bytes[at] = value ? 1 : 0;
});

export const bytea = column<Uint8Array>((value, target) => {
  const at = field(target, value.length);
  target.bytes.set(value, at);
});

export const text = column<string>((value, target) => {
  const at = field(target, Buffer.byteLength(value));
  target.bytes.write(value, at);
});

/** The binary form is a version in front of the text. */
export const jsonb = column<object>((value, target) => {
  const json = JSON.stringify(value);
  const at = field(target, 1 + Buffer.byteLength(json));
  target.bytes[at] = 1;
  target.bytes.write(json, at + 1);
});

/** Whole numbers from 0 on, as digits to the base of 10,000. */
export const numeric = column<bigint>((value, target) => {
  const digits: number[] = [];
  for (let rest = value; rest > 0n; rest /= 10_000n) digits.unshift(Number(rest % 10_000n));
  const at = field(target, 8 + 2 * digits.length);
  const { bytes } = target;
  bytes.writeInt16BE(digits.length, at);
  bytes.writeInt16BE(digits.length - 1, at + 2);
  // Neither a sign nor a fraction.
  bytes.writeInt32BE(0, at + 4);
  for (const [i, digit] of digits.entries()) bytes.writeInt16BE(digit, at + 8 + 2 * i);
});

const integerOid = 23;
const bigintOid = 20;

export const integerArray = column<readonly number[]>((values, target) => {
  const at = arrayHead(target, integerOid, values.length, 8);
  for (const [i, value] of values.entries()) {
    target.bytes.writeInt32BE(4, at + 8 * i);
    target.bytes.writeInt32BE(value, at + 8 * i + 4);
  }
});

export const bigintArray = column<readonly bigint[]>((values, target) => {
  const at = arrayHead(target, bigintOid, values.length, 12);
  for (const [i, value] of values.entries()) {
    target.bytes.writeInt32BE(8, at + 12 * i);
    target.bytes.writeBigInt64BE(value, at + 12 * i + 4);
  }
});

/** Dimensions, whether there are nulls, type; length and lower bound of the one dimension. An empty array has none. */
function arrayHead(target: RowBuffer, oid: number, count: number, entryBytes: number): number {
  const empty = count === 0;
  const head = empty ? [0, 0, oid] : [1, 0, oid, count, 1];
  const at = field(target, 4 * head.length + count * entryBytes);
  for (const [i, word] of head.entries()) target.bytes.writeInt32BE(word, at + 4 * i);
  return at + 4 * head.length;
}
