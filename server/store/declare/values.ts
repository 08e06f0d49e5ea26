/** A byte buffer for encoded rows. Grows as needed. */
export class RowBuffer {
  bytes: Uint8Array;
  view: DataView;
  at = 0;

  constructor(initialBytes: number) {
    this.bytes = new Uint8Array(initialBytes);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Reserves `count` bytes and returns their offset. */
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

/** Numbers of types in PostgreSQL's catalogue. */
export const typeNumbers = {
  boolean: 16,
  bytea: 17,
  bigint: 20,
  smallint: 21,
  integer: 23,
  text: 25,
  numeric: 1700,
  jsonb: 3802,
} as const;

/** Writes a value that is not null as a field of binary COPY: its length in four bytes, then its bytes. */
export type WriteValue<T> = (value: T, target: RowBuffer) => void;

function field(target: RowBuffer, length: number): number {
  const at = target.take(4 + length);
  target.view.setInt32(at, length);
  return at + 4;
}

const nullLength = -1;

export function writeNull(target: RowBuffer): void {
  const at = target.take(4);
  target.view.setInt32(at, nullLength);
}

function refuse(value: number | bigint, bits: number): never {
  throw new RangeError(`${value} is not a whole number of ${bits} bits`);
}

export function writeSmallint(value: number, target: RowBuffer): void {
  if ((value << 16) >> 16 !== value) refuse(value, 16);
  const at = field(target, 2);
  target.view.setInt16(at, value);
}

export function writeInteger(value: number, target: RowBuffer): void {
  if ((value | 0) !== value) refuse(value, 32);
  const at = field(target, 4);
  target.view.setInt32(at, value);
}

export function writeBigint(value: bigint, target: RowBuffer): void {
  if (BigInt.asIntN(64, value) !== value) refuse(value, 64);
  const at = field(target, 8);
  target.view.setBigInt64(at, value);
}

/** A number in a bigint column: Unix times and unsigned 32-bit integers. */
export function writeWideInteger(value: number, target: RowBuffer): void {
  if (!Number.isSafeInteger(value)) refuse(value, 53);
  const at = field(target, 8);
  target.view.setInt32(at, Math.floor(value / 2 ** 32));
  target.view.setInt32(at + 4, value | 0);
}

export function writeBoolean(value: boolean, target: RowBuffer): void {
  const at = field(target, 1);
  target.bytes[at] = value ? 1 : 0;
}

export function writeBytes(value: Uint8Array, target: RowBuffer): void {
  const at = field(target, value.length);
  target.bytes.set(value, at);
}

/** PostgreSQL has no character U+0000, which anybody can put into a token's name; it is left out. */
export function writeText(value: string, target: RowBuffer): void {
  const text = value.replaceAll("\0", "");
  fillText(target, text, field(target, Buffer.byteLength(text)));
}

/** The binary form of jsonb is a version byte (1), then the text; without the character U+0000, as in `writeText`. */
export function writeJsonb(value: object, target: RowBuffer): void {
  const plain = JSON.stringify(value);
  const json = plain.includes("\\u0000") ? JSON.stringify(value, withoutZeros) : plain;
  const at = field(target, 1 + Buffer.byteLength(json));
  target.bytes[at] = 1;
  fillText(target, json, at + 1);
}

/** The bytes must have been reserved with `take`. */
function fillText({ bytes }: RowBuffer, value: string, at: number): void {
  encoder.encodeInto(value, bytes.subarray(at));
}

const encoder = new TextEncoder();

function withoutZeros(_: string, value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "") : value;
}

const negativeSign = 0x4000;

/** Integers, as digits in base 10,000. */
export function writeNumeric(value: bigint, target: RowBuffer): void {
  const digits: number[] = [];
  for (let rest = value < 0n ? -value : value; rest > 0n; rest /= 10_000n)
    digits.unshift(Number(rest % 10_000n));
  const at = field(target, 8 + 2 * digits.length);
  const { view } = target;
  view.setInt16(at, digits.length);
  view.setInt16(at + 2, digits.length - 1);
  view.setInt16(at + 4, value < 0n ? negativeSign : 0);
  // Display scale.
  view.setInt16(at + 6, 0);
  for (const [i, digit] of digits.entries()) view.setInt16(at + 8 + 2 * i, digit);
}

export function writeIntegers(values: readonly number[], target: RowBuffer): void {
  const at = arrayHead(target, typeNumbers.integer, values.length, 8 * values.length);
  for (const [i, value] of values.entries()) {
    target.view.setInt32(at + 8 * i, 4);
    target.view.setInt32(at + 8 * i + 4, value);
  }
}

export function writeBigints(values: readonly bigint[], target: RowBuffer): void {
  const at = arrayHead(target, typeNumbers.bigint, values.length, 12 * values.length);
  for (const [i, value] of values.entries()) {
    target.view.setInt32(at + 12 * i, 8);
    target.view.setBigInt64(at + 12 * i + 4, value);
  }
}

export function writeByteArrays(values: readonly Uint8Array[], target: RowBuffer): void {
  const bytes = values.reduce((sum, { length }) => sum + 4 + length, 0);
  let at = arrayHead(target, typeNumbers.bytea, values.length, bytes);
  for (const value of values) {
    target.view.setInt32(at, value.length);
    target.bytes.set(value, at + 4);
    at += 4 + value.length;
  }
}

export function writeTexts(values: readonly string[], target: RowBuffer): void {
  const bytes = values.reduce((sum, value) => sum + 4 + Buffer.byteLength(value), 0);
  let at = arrayHead(target, typeNumbers.text, values.length, bytes);
  for (const value of values) {
    const length = Buffer.byteLength(value);
    target.view.setInt32(at, length);
    fillText(target, value, at + 4);
    at += 4 + length;
  }
}

/** Begins a field with the head of an array, which `bytes` of elements follow. */
function arrayHead(target: RowBuffer, type: number, count: number, bytes: number): number {
  const head = arrayWords(type, count);
  const at = field(target, 4 * head.length + bytes);
  return setWords(target.view, at, head);
}

/** Number of dimensions, null flag, element type; length and lower bound of the dimension. An empty array has none. */
export function arrayWords(type: number, count: number, hasNull = false): number[] {
  return count === 0 ? [0, 0, type] : [1, hasNull ? 1 : 0, type, count, 1];
}

/** Returns the offset behind the words. */
export function setWords(view: DataView, at: number, words: readonly number[]): number {
  for (const [i, word] of words.entries()) view.setInt32(at + 4 * i, word);
  return at + 4 * words.length;
}
