import { base64ToBytes } from "../../shared/values/bytes.js";

/** A minimal cell for reading messages: bits as a string of 0 and 1, and references. */
export type PlainCell = {
  readonly bits: string;
  readonly refs: readonly PlainCell[];
  readonly special: boolean;
};

const magic = 0xb5ee9c72;
const maxCells = 10_000;

/**
 * Parses a bag of cells (base64) and returns its root. Hashes and checksum are not verified. Throws a TypeError for
 * malformed bags, several roots, or more than 10,000 cells.
 */
export function readBag(boc: string): PlainCell {
  const bytes = base64ToBytes(boc) ?? new Uint8Array();
  let at = 0;
  const number = (size: number) => {
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + (bytes[at++] ?? NaN);
    return value;
  };
  if (number(4) !== magic) throw new TypeError("not a bag of cells");
  const flags = number(1);
  const indexSize = flags & 7;
  const offsetSize = number(1);
  const count = number(indexSize);
  const roots = number(indexSize);
  number(indexSize + offsetSize);
  if (!(count <= maxCells) || roots !== 1)
    throw new TypeError(`a message must have one root and at most ${maxCells} cells`);
  const root = number(indexSize);
  // 0x80: has an index of cell offsets. Cells are contiguous anyway, so it is skipped.
  if (flags & 0x80) at += count * offsetSize;
  const raw = Array.from({ length: count }, () => {
    const descriptor = number(1);
    const length = number(1);
    const levels = descriptor & 16 ? hashesOf(descriptor >> 5) : 0;
    at += levels * 34;
    const data = bytes.subarray(at, at + ((length + 1) >> 1));
    at += data.length;
    return {
      descriptor,
      bits: bitsOf(data, length),
      refs: Array.from({ length: descriptor & 7 }, () => number(indexSize)),
    };
  });
  if (!(at <= bytes.length)) throw new TypeError("the bag of cells is truncated");
  const cells: PlainCell[] = [];
  // References point forward, so cells are built from the last to the first.
  for (let index = count - 1; index >= 0; index--) {
    const { descriptor, bits, refs } = raw[index]!;
    if (refs.some((ref) => ref <= index || ref >= count))
      throw new TypeError("a cell has an invalid reference");
    cells[index] = { bits, refs: refs.map((ref) => cells[ref]!), special: (descriptor & 8) !== 0 };
  }
  const cell = cells[root];
  if (!cell) throw new TypeError("the bag of cells has no root");
  return cell;
}

/** Number of hashes stored with a cell: one per significant level, plus one. */
function hashesOf(mask: number): number {
  return 1 + (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1);
}

/** An odd length descriptor means that the last byte is padded with a one and zeros. */
function bitsOf(data: Uint8Array, length: number): string {
  let bits = "";
  for (const byte of data) bits += byte.toString(2).padStart(8, "0");
  return length % 2 === 0 ? bits : bits.slice(0, bits.lastIndexOf("1"));
}
