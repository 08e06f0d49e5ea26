import { base64ToBytes } from "../../shared/values/bytes.js";

/** A cell as far as a message needs to be understood: its bits as text of 0 and 1, its references. */
export type PlainCell = {
  readonly bits: string;
  readonly refs: readonly PlainCell[];
  readonly special: boolean;
};

const magic = 0xb5ee9c72;
const maxCells = 10_000;

/** The root of a bag of cells. Neither hashes nor the checksum are looked at: what counts is the content. */
export function readBag(boc: string): PlainCell {
  const bytes = base64ToBytes(boc) ?? new Uint8Array();
  let at = 0;
  const number = (size: number) => {
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + (bytes[at++] ?? Number.NaN);
    return value;
  };
  if (number(4) !== magic) throw new TypeError("this is not a bag of cells");
  const flags = number(1);
  const indexSize = flags & 7;
  const offsetSize = number(1);
  const count = number(indexSize);
  const roots = number(indexSize);
  number(indexSize + offsetSize);
  if (!(count <= maxCells) || roots !== 1)
    throw new TypeError("a message is a bag with one root and few cells");
  const root = number(indexSize);
  // 0x80: an index of where cells begin; they lie one after the other all the same.
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
  if (!(at <= bytes.length)) throw new TypeError("the bag of cells ends too early");
  const cells: PlainCell[] = [];
  // References point forward, so the last cell comes first.
  for (let index = count - 1; index >= 0; index--) {
    const { descriptor, bits, refs } = raw[index]!;
    if (refs.some((ref) => ref <= index || ref >= count)) throw new TypeError("a cell refers to itself");
    cells[index] = { bits, refs: refs.map((ref) => cells[ref]!), special: (descriptor & 8) !== 0 };
  }
  const cell = cells[root];
  if (!cell) throw new TypeError("the bag of cells has no root");
  return cell;
}

/** One hash for each level there is, and one more. */
function hashesOf(mask: number): number {
  return 1 + (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1);
}

/** An odd length says that the last byte is filled up with a one and zeros. */
function bitsOf(data: Uint8Array, length: number): string {
  let bits = "";
  for (const byte of data) bits += byte.toString(2).padStart(8, "0");
  return length % 2 === 0 ? bits : bits.slice(0, bits.lastIndexOf("1"));
}
