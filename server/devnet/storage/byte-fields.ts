/** Concatenates fields. Integers are big-endian. */
export class FieldWriter {
  readonly #parts: Uint8Array[] = [];

  uint(value: number | bigint, byteCount: number): this {
    const bytes = new Uint8Array(byteCount);
    let rest = BigInt(value);
    for (let i = byteCount - 1; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
    if (rest !== 0n) throw new RangeError(`${value} does not fit in ${byteCount} bytes`);
    return this.bytes(bytes);
  }

  bytes(value: Uint8Array): this {
    this.#parts.push(value);
    return this;
  }

  /** Prefixed with a 4-byte length. */
  sizedBytes(value: Uint8Array): this {
    return this.uint(value.length, 4).bytes(value);
  }

  /** Prefixed with a 4-byte count. */
  list<T>(items: readonly T[], write: (item: T) => void): this {
    this.uint(items.length, 4);
    for (const item of items) write(item);
    return this;
  }

  finish(): Uint8Array {
    const whole = new Uint8Array(this.#parts.reduce((sum, part) => sum + part.length, 0));
    let offset = 0;
    for (const part of this.#parts) {
      whole.set(part, offset);
      offset += part.length;
    }
    return whole;
  }
}

/** Reads the output of a FieldWriter. Byte fields are views of the source. Throws `RangeError` if it is too short. */
export class FieldReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#offset;
  }

  uint(byteCount: number): number {
    return Number(this.biguint(byteCount));
  }

  biguint(byteCount: number): bigint {
    let value = 0n;
    for (const byte of this.bytes(byteCount)) value = (value << 8n) | BigInt(byte);
    return value;
  }

  bytes(count: number): Uint8Array {
    const end = this.#offset + count;
    if (end > this.#bytes.length) throw new RangeError(`a stored record ends before byte ${end}`);
    const view = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return view;
  }

  sizedBytes(): Uint8Array {
    return this.bytes(this.uint(4));
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.uint(4) }, read);
  }

  /** Throws `RangeError` if bytes are left. */
  end(): void {
    if (this.#offset !== this.#bytes.length)
      throw new RangeError(`a stored record has ${this.#bytes.length - this.#offset} trailing bytes`);
  }
}
