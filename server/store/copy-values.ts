/** Where rows are being written: grows as needed. */
export class RowBuffer {
  bytes: Uint8Array;
  view: DataView;
  at = 0;

  constructor(initialBytes: number) {
    this.bytes = new Uint8Array(initialBytes);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `count` bytes and steps over them; the answer is where they begin. */
  take(count: number): number {
    const from = this.at;
    this.at += count;
    if (this.at > this.bytes.length) this.#grow(from);
    return from;
  }

  #grow(used: number): void {
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.at));
    larger.set(this.bytes.subarray(0, used));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
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
  target.view.setInt32(at, length);
  return at + 4;
}

function refuse(value: number | bigint, bits: number): never {
  throw new RangeError(`${value} is not a whole number of ${bits} bits`);
}

export const smallint = column<number>((value, target) => {
  if ((value << 16) >> 16 !== value) refuse(value, 16);
  const at = field(target, 2);
  target.view.setInt16(at, value);
});

export const integer = column<number>((value, target) => {
  if ((value | 0) !== value) refuse(value, 32);
  const at = field(target, 4);
  target.view.setInt32(at, value);
});

export const bigint = column<bigint>((value, target) => {
  if (BigInt.asIntN(64, value) !== value) refuse(value, 64);
  const at = field(target, 8);
  target.view.setBigInt64(at, value);
});

/** A number in a bigint column: times, and unsigned numbers of 32 bits. */
export const wideInteger = column<number>((value, target) => {
  if (!Number.isSafeInteger(value)) refuse(value, 53);
  const at = field(target, 8);
  target.view.setInt32(at, Math.floor(value / 2 ** 32));
  target.view.setInt32(at + 4, value | 0);
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
  writeText(target, value, field(target, Buffer.byteLength(value)));
});

/** The binary form is a version in front of the text. */
export const jsonb = column<object>((value, target) => {
  const json = JSON.stringify(value);
  const at = field(target, 1 + Buffer.byteLength(json));
  target.bytes[at] = 1;
  writeText(target, json, at + 1);
});

/** Its bytes must have been taken. */
function writeText({ bytes }: RowBuffer, value: string, at: number): void {
  encoder.encodeInto(value, bytes.subarray(at));
}

const encoder = new TextEncoder();

/** Whole numbers from 0 on, as digits to the base of 10,000. */
export const numeric = column<bigint>((value, target) => {
  const digits: number[] = [];
  for (let rest = value; rest > 0n; rest /= 10_000n) digits.unshift(Number(rest % 10_000n));
  const at = field(target, 8 + 2 * digits.length);
  const { view } = target;
  view.setInt16(at, digits.length);
  view.setInt16(at + 2, digits.length - 1);
  // Neither a sign nor a fraction.
  view.setInt32(at + 4, 0);
  for (const [i, digit] of digits.entries()) view.setInt16(at + 8 + 2 * i, digit);
});

const integerOid = 23;
const bigintOid = 20;

export const integerArray = column<readonly number[]>((values, target) => {
  const at = arrayHead(target, integerOid, values.length, 8);
  for (const [i, value] of values.entries()) {
    target.view.setInt32(at + 8 * i, 4);
    target.view.setInt32(at + 8 * i + 4, value);
  }
});

export const bigintArray = column<readonly bigint[]>((values, target) => {
  const at = arrayHead(target, bigintOid, values.length, 12);
  for (const [i, value] of values.entries()) {
    target.view.setInt32(at + 12 * i, 8);
    target.view.setBigInt64(at + 12 * i + 4, value);
  }
});

/** Dimensions, whether there are nulls, type; length and lower bound of the one dimension. An empty array has none. */
function arrayHead(target: RowBuffer, oid: number, count: number, entryBytes: number): number {
  const empty = count === 0;
  const head = empty ? [0, 0, oid] : [1, 0, oid, count, 1];
  const at = field(target, 4 * head.length + count * entryBytes);
  for (const [i, word] of head.entries()) target.view.setInt32(at + 4 * i, word);
  return at + 4 * head.length;
}
