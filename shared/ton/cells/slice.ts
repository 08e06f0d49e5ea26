import { Address } from "../../values/address.js";
import { bitAt, copyBits, readBits, slack } from "./bits.js";
import type { Cell } from "./cell.js";
import { CellError } from "./cell-error.js";

const two24 = 0x1000000;

/**
 * A read cursor in a cell. `load` methods advance it, `preload` methods do not. Reading past the end throws `CellError`
 * with code `underflow`.
 */
export class Slice {
  /** The cell being read. Only this folder may read its bytes directly. */
  readonly cell: Cell;
  private position = 0;
  private endBit: number;
  private refPosition = 0;
  private endRef: number;

  constructor(cell: Cell) {
    this.cell = cell;
    this.endBit = cell.bits;
    this.endRef = cell.refCount;
  }

  get remainingBits(): number {
    return this.endBit - this.position;
  }

  get remainingRefs(): number {
    return this.endRef - this.refPosition;
  }

  /** Absolute position of the next bit in `cell.data`. */
  get bitOffset(): number {
    return this.cell.dataStart * 8 + this.position;
  }

  skip(bits: number): this {
    this.require(bits);
    this.position += bits;
    return this;
  }

  skipRefs(count: number): this {
    if (count > this.remainingRefs) throw this.underflow(`${count} references`);
    this.refPosition += count;
    return this;
  }

  preloadBit(): boolean {
    this.require(1);
    return bitAt(this.cell.data, this.bitOffset);
  }

  loadBit(): boolean {
    const bit = this.preloadBit();
    this.position++;
    return bit;
  }

  /** `bits` is at most 48. */
  preloadUint(bits: number): number {
    this.require(bits);
    const { data } = this.cell;
    const at = this.bitOffset;
    if (bits <= 24) return readBits(data, at, bits);
    if (bits > 48) throw new CellError("range", `${bits} bits do not fit a number; read a bigint`);
    return readBits(data, at, bits - 24) * two24 + readBits(data, at + bits - 24, 24);
  }

  /** `bits` is at most 48. */
  loadUint(bits: number): number {
    const value = this.preloadUint(bits);
    this.position += bits;
    return value;
  }

  /** `bits` is at most 48. */
  preloadInt(bits: number): number {
    const value = this.preloadUint(bits);
    return bits > 0 && value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }

  /** `bits` is at most 48. */
  loadInt(bits: number): number {
    const value = this.preloadInt(bits);
    this.position += bits;
    return value;
  }

  preloadBigUint(bits: number): bigint {
    this.require(bits);
    const { data } = this.cell;
    let at = this.bitOffset;
    let left = bits % 48;
    let value = left === 0 ? 0n : BigInt(this.preloadUint(left));
    at += left;
    for (left = bits - left; left > 0; left -= 48, at += 48)
      value = (value << 48n) | BigInt(readBits(data, at, 24) * two24 + readBits(data, at + 24, 24));
    return value;
  }

  loadBigUint(bits: number): bigint {
    const value = this.preloadBigUint(bits);
    this.position += bits;
    return value;
  }

  preloadBigInt(bits: number): bigint {
    return BigInt.asIntN(bits, this.preloadBigUint(bits));
  }

  loadBigInt(bits: number): bigint {
    const value = this.preloadBigInt(bits);
    this.position += bits;
    return value;
  }

  /** Returns a copy. */
  preloadBytes(count: number): Uint8Array {
    this.require(count * 8);
    const at = this.bitOffset;
    if ((at & 7) === 0) return this.cell.data.slice(at >>> 3, (at >>> 3) + count);
    const bytes = new Uint8Array(count + slack);
    copyBits(this.cell.data, at, bytes, 0, count * 8);
    return bytes.slice(0, count);
  }

  /** Returns a copy. */
  loadBytes(count: number): Uint8Array {
    const bytes = this.preloadBytes(count);
    this.position += count * 8;
    return bytes;
  }

  /** Returns a slice of the next bits and references, and advances past them. */
  loadBits(bits: number, refs = 0): Slice {
    const part = this.clone();
    this.skip(bits).skipRefs(refs);
    part.endBit = this.position;
    part.endRef = this.refPosition;
    return part;
  }

  preloadRef(index = 0): Cell {
    if (index >= this.remainingRefs) throw this.underflow("a reference");
    return this.cell.ref(this.refPosition + index);
  }

  loadRef(): Cell {
    const ref = this.preloadRef();
    this.refPosition++;
    return ref;
  }

  /** `Maybe ^Cell` */
  loadMaybeRef(): Cell | undefined {
    return this.loadBit() ? this.loadRef() : undefined;
  }

  /** `VarUInteger n`, where the length field has `lengthBits` bits (4 for `VarUInteger 16`). */
  loadVarUint(lengthBits: number): bigint {
    return this.loadBigUint(this.loadUint(lengthBits) * 8);
  }

  /** `VarInteger n`, where the length field has `lengthBits` bits. */
  loadVarInt(lengthBits: number): bigint {
    return this.loadBigInt(this.loadUint(lengthBits) * 8);
  }

  /** `Grams`, in nanotons. */
  loadCoins(): bigint {
    return this.loadVarUint(4);
  }

  /**
   * `addr_none$00` gives undefined, `addr_std$10` without anycast an address. Throws `CellError` for all other forms.
   */
  loadAddress(): Address | undefined {
    const tag = this.preloadUint(2);
    if (tag === 0) {
      this.position += 2;
      return undefined;
    }
    if (tag !== 2)
      throw new CellError("invalid", `expected addr_none or addr_std, got an address with tag ${tag}`);
    if (this.preloadUint(3) !== 4) throw new CellError("invalid", "anycast addresses are not supported");
    this.require(267);
    this.position += 3;
    const workchain = this.loadInt(8);
    return new Address(workchain, this.loadBytes(32));
  }

  /** An independent cursor at the same position. */
  clone(): Slice {
    const copy = new Slice(this.cell);
    copy.position = this.position;
    copy.endBit = this.endBit;
    copy.refPosition = this.refPosition;
    copy.endRef = this.endRef;
    return copy;
  }

  /** The remaining bits and references as an ordinary cell. Does not advance the slice. */
  toCell(): Cell {
    if (
      this.remainingBits === this.cell.bits &&
      this.remainingRefs === this.cell.refCount &&
      !this.cell.exotic
    )
      return this.cell;
    return this.cell.cut(this.position, this.remainingBits, this.refPosition, this.remainingRefs);
  }

  /** Throws `CellError` if bits or references are left. */
  end(): void {
    if (this.remainingBits !== 0 || this.remainingRefs !== 0)
      throw new CellError(
        "invalid",
        `${this.remainingBits} bits and ${this.remainingRefs} references are left over`,
      );
  }

  private require(bits: number): void {
    // Negated so that NaN fails too.
    if (!(bits >= 0 && bits <= this.endBit - this.position)) throw this.underflow(`${bits} bits`);
  }

  private underflow(what: string): CellError {
    return new CellError(
      "underflow",
      `cannot read ${what}: ${this.remainingBits} bits and ${this.remainingRefs} references are left`,
    );
  }
}
