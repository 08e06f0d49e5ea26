import { Address } from "../../shared/values/address.js";
import { bitAt, copyBits, readBits, slack } from "./bits.js";
import type { Cell } from "./cell.js";
import { CellError } from "./cell-error.js";

const two24 = 0x1000000;

/** A reading position in a cell. Every `load` moves it on, every `preload` does not. */
export class Slice {
  /** Where the bits come from; only this folder reads them directly. */
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

  /** Absolute position of the next bit in the bytes of the cell. */
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

  /** At most 48 bits. */
  preloadUint(bits: number): number {
    this.require(bits);
    const { data } = this.cell;
    const at = this.bitOffset;
    if (bits <= 24) return readBits(data, at, bits);
    if (bits > 48) throw new CellError("range", `${bits} bits are read as a number; use a bigint`);
    return readBits(data, at, bits - 24) * two24 + readBits(data, at + bits - 24, 24);
  }

  /** At most 48 bits. */
  loadUint(bits: number): number {
    const value = this.preloadUint(bits);
    this.position += bits;
    return value;
  }

  /** At most 48 bits. */
  preloadInt(bits: number): number {
    const value = this.preloadUint(bits);
    return bits > 0 && value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }

  /** At most 48 bits. */
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

  /** A copy. */
  preloadBytes(count: number): Uint8Array {
    this.require(count * 8);
    const at = this.bitOffset;
    if ((at & 7) === 0) return this.cell.data.slice(at >>> 3, (at >>> 3) + count);
    const bytes = new Uint8Array(count + slack);
    copyBits(this.cell.data, at, bytes, 0, count * 8);
    return bytes.slice(0, count);
  }

  /** A copy. */
  loadBytes(count: number): Uint8Array {
    const bytes = this.preloadBytes(count);
    this.position += count * 8;
    return bytes;
  }

  /** A slice of the next bits and references; of no references unless asked for. */
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

  /** `addr_none$00` gives undefined, `addr_std$10` without anycast an address; other forms throw. */
  loadAddress(): Address | undefined {
    const tag = this.preloadUint(2);
    if (tag === 0) {
      this.position += 2;
      return undefined;
    }
    if (tag !== 2)
      throw new CellError("invalid", `an address has tag ${tag}, neither addr_none nor addr_std`);
    if (this.preloadUint(3) !== 4) throw new CellError("invalid", "an address has an anycast part");
    this.require(267);
    this.position += 3;
    const workchain = this.loadInt(8);
    return new Address(workchain, this.loadBytes(32));
  }

  clone(): Slice {
    const copy = new Slice(this.cell);
    copy.position = this.position;
    copy.endBit = this.endBit;
    copy.refPosition = this.refPosition;
    copy.endRef = this.endRef;
    return copy;
  }

  /** The rest as an ordinary cell. */
  toCell(): Cell {
    if (
      this.remainingBits === this.cell.bits &&
      this.remainingRefs === this.cell.refCount &&
      !this.cell.exotic
    )
      return this.cell;
    return this.cell.cut(this.position, this.remainingBits, this.refPosition, this.remainingRefs);
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.remainingBits !== 0 || this.remainingRefs !== 0)
      throw new CellError(
        "invalid",
        `${this.remainingBits} bits and ${this.remainingRefs} references are left over`,
      );
  }

  private require(bits: number): void {
    // Written so that NaN fails too.
    if (!(bits >= 0 && bits <= this.endBit - this.position)) throw this.underflow(`${bits} bits`);
  }

  private underflow(what: string): CellError {
    return new CellError(
      "underflow",
      `${what} asked for, ${this.remainingBits} bits and ${this.remainingRefs} references are left`,
    );
  }
}
