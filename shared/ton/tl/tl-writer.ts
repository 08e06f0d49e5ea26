import { TlError } from "./tl-error.js";

const trueId = 0x997275b5;
const falseId = 0xbc799737;
const longLength = 254;
const maxLength = 0xffffff;

/** Writes TL. Integers may be signed or unsigned: the bytes are the same. Throws a TlError if one is out of range. */
export class TlWriter {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  int32(value: number): void {
    if (!Number.isInteger(value) || value < -0x80000000 || value > 0xffffffff)
      throw new TlError(`${value} is not a 32-bit number`);
    const start = this.#grow(4);
    this.#view.setInt32(start, value | 0, true);
  }

  int64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value)
      throw new TlError(`${value} is not a 64-bit number`);
    const start = this.#grow(8);
    this.#view.setBigUint64(start, BigInt.asUintN(64, value), true);
  }

  bool(value: boolean): void {
    this.int32(value ? trueId : falseId);
  }

  int256(value: Uint8Array): void {
    if (value.length !== 32) throw new TlError(`an int256 has 32 bytes, not ${value.length}`);
    this.raw(value);
  }

  bytes(value: Uint8Array): void {
    const { length } = value;
    if (length > maxLength) throw new TlError(`a byte string of ${length} bytes is too long`);
    const head = length < longLength ? 1 : 4;
    const start = this.#grow((head + length + 3) & ~3);
    if (head === 1) this.#bytes[start] = length;
    else this.#view.setUint32(start, (length << 8) | longLength, true);
    this.#bytes.set(value, start + head);
  }

  string(value: string): void {
    this.bytes(new TextEncoder().encode(value));
  }

  /** Appends encoded TL. */
  raw(value: Uint8Array): void {
    const start = this.#grow(value.length);
    this.#bytes.set(value, start);
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }

  /** Appends zeros; returns their offset. May replace `#bytes`, so call it before using them. */
  #grow(length: number): number {
    const start = this.#size;
    this.#size += length;
    if (this.#size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#size, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return start;
  }
}
