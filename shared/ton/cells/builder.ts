import type { Address } from "../../values/address.js";
import { copyBits, slack, writeBits } from "./bits.js";
import { Cell, sealed } from "./cell.js";
import { CellError } from "./cell-error.js";
import type { Slice } from "./slice.js";

const maxBits = 1023;
const maxRefs = 4;
/** Enough for most cells. V8 allocates typed arrays of up to 64 bytes on its own heap, which is cheaper. */
const firstCapacity = 64;
const fullCapacity = 128 + slack;

/**
 * Builds a cell. Throws `CellError` with code `range` if a value does not fit its field and with code `overflow` if the
 * cell is full; the content stored before stays as it was.
 */
export class Builder {
  private data = new Uint8Array(firstCapacity);
  private length = 0;
  private readonly refs: Cell[] = [];

  get bits(): number {
    return this.length;
  }

  get refCount(): number {
    return this.refs.length;
  }

  storeBit(bit: boolean): this {
    return this.write(bit ? 1 : 0, 1);
  }

  /** Numbers must be safe integers; use a bigint for larger values. */
  storeUint(value: number | bigint, bits: number): this {
    if (typeof value === "bigint") {
      if (value < 0n || value !== BigInt.asUintN(bits, value)) throw outOfRange(value, bits, "unsigned");
      return this.writeBig(value, bits);
    }
    if (!Number.isSafeInteger(value) || value < 0 || value >= 2 ** bits)
      throw outOfRange(value, bits, "unsigned");
    return this.writeNumber(value, bits);
  }

  /** Two's complement. Numbers must be safe integers; use a bigint for larger values. */
  storeInt(value: number | bigint, bits: number): this {
    if (typeof value === "bigint") {
      if (value !== BigInt.asIntN(bits, value)) throw outOfRange(value, bits, "signed");
      return this.writeBig(BigInt.asUintN(bits, value), bits);
    }
    const bound = bits === 0 ? 1 : 2 ** (bits - 1);
    if (!Number.isSafeInteger(value) || value < (bits === 0 ? 0 : -bound) || value >= bound)
      throw outOfRange(value, bits, "signed");
    if (value >= 0) return this.writeNumber(value, bits);
    return bits <= 48
      ? this.writeNumber(value + 2 ** bits, bits)
      : this.writeBig(BigInt.asUintN(bits, BigInt(value)), bits);
  }

  storeBytes(bytes: Uint8Array): this {
    this.reserve(bytes.length * 8);
    const at = this.length;
    if ((at & 7) === 0) this.data.set(bytes, at >> 3);
    else for (let i = 0; i < bytes.length; i++) writeBits(this.data, at + i * 8, bytes[i]!, 8);
    this.length += bytes.length * 8;
    return this;
  }

  storeRef(cell: Cell): this {
    if (this.refs.length === maxRefs) throw new CellError("overflow", "a cell has at most 4 references");
    this.refs.push(cell);
    return this;
  }

  /** `Maybe ^Cell` */
  storeMaybeRef(cell: Cell | undefined): this {
    return cell === undefined ? this.storeBit(false) : this.storeBit(true).storeRef(cell);
  }

  /** `VarUInteger n`, where the length field has `lengthBits` bits (4 for `VarUInteger 16`). */
  storeVarUint(value: bigint | number, lengthBits: number): this {
    const big = BigInt(value);
    if (big < 0n) throw outOfRange(value, 8 * (2 ** lengthBits - 1), "unsigned");
    const bytes = big === 0n ? 0 : (big.toString(16).length + 1) >> 1;
    if (bytes >= 2 ** lengthBits) throw outOfRange(value, 8 * (2 ** lengthBits - 1), "unsigned");
    return this.storeUint(bytes, lengthBits).storeUint(big, bytes * 8);
  }

  /** `VarInteger n`, where the length field has `lengthBits` bits. */
  storeVarInt(value: bigint | number, lengthBits: number): this {
    const big = BigInt(value);
    let bytes = 0;
    while (BigInt.asIntN(bytes * 8, big) !== big) {
      bytes++;
      if (bytes >= 2 ** lengthBits) throw outOfRange(value, 8 * (2 ** lengthBits - 1), "signed");
    }
    return this.storeUint(bytes, lengthBits).storeInt(big, bytes * 8);
  }

  /** `Grams`: an amount in nanotons. */
  storeCoins(value: bigint): this {
    return this.storeVarUint(value, 4);
  }

  /** `addr_std$10` without anycast, or `addr_none$00`. */
  storeAddress(address: Address | undefined): this {
    if (address === undefined) return this.write(0, 2);
    return this.write(4, 3).storeInt(address.workchain, 8).storeBytes(address.hash);
  }

  /** Appends the remaining bits and references of the slice. Does not advance the slice. */
  storeSlice(slice: Slice): this {
    this.copy(slice.cell.data, slice.bitOffset, slice.remainingBits);
    for (let i = 0; i < slice.remainingRefs; i++) this.storeRef(slice.preloadRef(i));
    return this;
  }

  /** Appends the bits and references of another builder. */
  storeBuilder(other: Builder): this {
    this.copy(other.data, 0, other.length);
    for (const ref of other.refs) this.storeRef(ref);
    return this;
  }

  /** Copies bits from an array with `slack` spare bytes; `at` is an absolute bit position. */
  copy(source: Uint8Array, at: number, bits: number): this {
    this.reserve(bits);
    copyBits(source, at, this.data, this.length, bits);
    this.length += bits;
    return this;
  }

  /** Returns an ordinary cell. The builder stays usable. */
  endCell(): Cell {
    return this.end(false);
  }

  /**
   * Returns an exotic cell. Its first byte is the type; throws `CellError` if the content violates the type's rules.
   */
  endExotic(): Cell {
    return this.end(true);
  }

  private end(exotic: boolean): Cell {
    const data = this.data.slice(0, (this.length >> 3) + 1 + slack);
    return Cell.of(sealed(data, this.length, exotic), this.refs.slice());
  }

  private reserve(bits: number): void {
    const needed = this.length + bits;
    if (needed > maxBits)
      throw new CellError("overflow", `a cell has at most ${maxBits} bits, ${needed} were stored`);
    if ((needed >> 3) + 1 + slack <= this.data.length) return;
    const grown = new Uint8Array(fullCapacity);
    grown.set(this.data);
    this.data = grown;
  }

  /** At most 24 bits. */
  private write(value: number, bits: number): this {
    this.reserve(bits);
    if (bits > 0) writeBits(this.data, this.length, value, bits);
    this.length += bits;
    return this;
  }

  private writeNumber(value: number, bits: number): this {
    if (bits <= 24) return this.write(value, bits);
    if (bits > 48) return this.writeBig(BigInt(value), bits);
    this.reserve(bits);
    return this.write(Math.floor(value / 0x1000000), bits - 24).write(value % 0x1000000, 24);
  }

  private writeBig(value: bigint, bits: number): this {
    this.reserve(bits);
    let left = bits;
    while (left > 48) {
      left -= 48;
      this.writeNumber(Number(BigInt.asUintN(48, value >> BigInt(left))), 48);
    }
    return this.writeNumber(Number(BigInt.asUintN(left, value)), left);
  }
}

/** A new, empty builder. */
export function beginCell(): Builder {
  return new Builder();
}

function outOfRange(value: number | bigint, bits: number, kind: string): CellError {
  return new CellError("range", `${value} does not fit ${bits} ${kind} bits`);
}
