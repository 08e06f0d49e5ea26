import { TlError } from "./tl-error.js";

const trueId = 0x997275b5;
const falseId = 0xbc799737;
/** A first byte of a byte string that announces a length of three bytes. */
const longLength = 254;
const textDecoder = new TextDecoder("utf-8", { fatal: true });

/** Reads TL from bytes that may be anything: never past their end, and nothing but the one form TL has for a value. */
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
    if (id !== trueId && id !== falseId) throw new TlError(`${id.toString(16)} is no Bool`);
    return id === trueId;
  }

  /** A copy, as hashes outlive the answers they came in. */
  int256(): Uint8Array {
    const start = this.#take(32);
    return this.#bytes.slice(start, start + 32);
  }

  /** A view of what is read: the large parts of answers are not copied. */
  bytes(): Uint8Array {
    const first = this.#bytes[this.#take(1)]!;
    if (first > longLength) throw new TlError("a byte string has an unknown form of length");
    const long = first === longLength;
    const length = long ? this.#longLength() : first;
    const start = this.#take(length);
    const padding = -(length + (long ? 0 : 1)) & 3;
    const end = this.#take(padding);
    for (let i = end; i < end + padding; i++)
      if (this.#bytes[i] !== 0) throw new TlError("a byte string is padded with other bytes than zero");
    return this.#bytes.subarray(start, start + length);
  }

  string(): string {
    try {
      return textDecoder.decode(this.bytes());
    } catch (cause) {
      throw cause instanceof TlError ? cause : new TlError("a text is not UTF-8", { cause });
    }
  }

  /** How many items follow, each of which takes at least `minBytes`. */
  count(minBytes: number): number {
    const count = this.uint32();
    if (count * minBytes > this.remaining) throw new TlError(`there is no room for ${count} items`);
    return count;
  }

  /** What is left, as a view; the reader is at its end then. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#take(this.remaining));
  }

  end(): void {
    if (this.remaining > 0) throw new TlError(`${this.remaining} bytes are left over`);
  }

  #longLength(): number {
    const at = this.#take(3);
    const length = this.#view.getUint16(at, true) | (this.#bytes[at + 2]! << 16);
    if (length < longLength) throw new TlError("a short byte string has the form of a long one");
    return length;
  }

  /** Where the next `length` bytes start. */
  #take(length: number): number {
    if (length > this.remaining) throw new TlError(`ends ${length - this.remaining} bytes too early`);
    const start = this.#at;
    this.#at += length;
    return start;
  }
}
