import type { PlainCell } from "../../../../client/values/bag-of-cells.js";
import { itemAt } from "../../../../shared/values/lookups.js";

/** Reads a cell from its beginning. Throws a TypeError where the cell ends too early. */
export class CellReader {
  readonly #cell: PlainCell;
  #bit = 0;
  #ref = 0;

  constructor(cell: PlainCell) {
    if (cell.special) throw new TypeError("the cell is special");
    this.#cell = cell;
  }

  get bitsLeft(): number {
    return this.#cell.bits.length - this.#bit;
  }

  get isAtEnd(): boolean {
    return this.bitsLeft === 0 && this.#ref === this.#cell.refs.length;
  }

  /** The whole cell, of which nothing is left afterwards. */
  whole(): PlainCell {
    this.#bit = this.#cell.bits.length;
    this.#ref = this.#cell.refs.length;
    return this.#cell;
  }

  bits(length: number): string {
    if (length > this.bitsLeft) throw new TypeError("the cell ends too early");
    const bits = this.#cell.bits.slice(this.#bit, this.#bit + length);
    this.#bit += length;
    return bits;
  }

  /** Whether the next bits are these. */
  startsWith(bits: string): boolean {
    return this.#cell.bits.startsWith(bits, this.#bit);
  }

  uint(length: number): bigint {
    return length === 0 ? 0n : BigInt(`0b${this.bits(length)}`);
  }

  int(length: number): bigint {
    return BigInt.asIntN(length, this.uint(length));
  }

  /** A number of at most 32 bits. */
  number(length: number): number {
    return Number(this.uint(length));
  }

  bool(): boolean {
    return this.bits(1) === "1";
  }

  /** `VarUInteger` with a length of some bits, in bytes; amounts have four. */
  variable(lengthBits: number): bigint {
    return this.uint(8 * this.number(lengthBits));
  }

  hex(bytes: number): string {
    return this.bits(8 * bytes).replace(/.{4}/g, (four) => Number.parseInt(four, 2).toString(16));
  }

  ref(): PlainCell {
    if (this.#ref === this.#cell.refs.length) throw new TypeError("the cell has too few references");
    return itemAt(this.#cell.refs, this.#ref++);
  }

  /** The content of the next reference. */
  opened(): CellReader {
    return new CellReader(this.ref());
  }
}
