import { TlError } from "./tl-error.js";

const trueId = 0x997275b5;
const falseId = 0xbc799737;
/** First byte of a byte string whose length is in the next three bytes. */
const longLength = 254;
/** More items than any list of the protocol has; decoding more would occupy the thread. */
const maxItems = 16_384;
const textDecoder = new TextDecoder("utf-8", { fatal: true });

/** Reads TL from untrusted bytes. Throws a TlError at their end and for encodings that are not canonical. */
export class TlReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  int32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  int64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  bool(): boolean {
    const id = this.uint32();
    if (id !== trueId && id !== falseId) throw new TlError(`${id.toString(16)} is not a Bool`);
    return id === trueId;
  }

  /** A copy, so that a hash does not keep the whole answer in memory. */
  int256(): Uint8Array {
    const start = this.#take(32);
    return this.#bytes.slice(start, start + 32);
  }

  /** A view of the input: large parts of answers are not copied. */
  bytes(): Uint8Array {
    const first = this.#bytes[this.#take(1)]!;
    if (first > longLength) throw new TlError("unknown length encoding of a byte string");
    const long = first === longLength;
    const length = long ? this.#longLength() : first;
    const start = this.#take(length);
    const padding = -(length + (long ? 0 : 1)) & 3;
    const end = this.#take(padding);
    for (let i = end; i < end + padding; i++)
      if (this.#bytes[i] !== 0) throw new TlError("the padding of a byte string is not zero");
    return this.#bytes.subarray(start, start + length);
  }

  string(): string {
    try {
      return textDecoder.decode(this.bytes());
    } catch (cause) {
      throw cause instanceof TlError ? cause : new TlError("a text is not UTF-8", { cause });
    }
  }

  /** Reads the length of a vector. Throws if that many items of `minBytes` exceed the input, and above 16,384. */
  count(minBytes: number): number {
    const count = this.uint32();
    if (count * minBytes > this.remaining) throw new TlError(`there is no room for ${count} items`);
    if (count > maxItems) throw new TlError(`a list of ${count} items is too long`);
    return count;
  }

  /** Reads the remaining bytes, as a view. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#take(this.remaining));
  }

  end(): void {
    if (this.remaining > 0) throw new TlError(`${this.remaining} bytes are left over`);
  }

  #longLength(): number {
    const at = this.#take(3);
    const length = this.#view.getUint16(at, true) | (this.#bytes[at + 2]! << 16);
    if (length < longLength) throw new TlError("a short byte string has a long length");
    return length;
  }

  /** Advances by `length` bytes; returns their start. */
  #take(length: number): number {
    if (length > this.remaining) throw new TlError(`ends ${length - this.remaining} bytes too early`);
    const start = this.#at;
    this.#at += length;
    return start;
  }
}
