/** Bytes that no reader of bags of cells may accept: what is wrong, the bytes in hex, and what a reader says. */
export const hostileBags: readonly (readonly [title: string, hex: string, refusal: string])[] = [
  ["nothing", "", "truncated"],
  ["another magic", "b5ee9c73 01 01 01 01 00 02 00 0000", "unknown magic"],
  ["cell indices of no bytes", "b5ee9c72 00 01 01 01 00 02 00 0000", "invalid field sizes"],
  ["cell indices of five bytes", "b5ee9c72 05 01 01 01 00 02 00 0000", "invalid field sizes"],
  ["offsets of nine bytes", "b5ee9c72 01 09 01 01 00 02 00 0000", "invalid field sizes"],
  ["reserved flags", "b5ee9c72 09 01 01 01 00 02 00 0000", "invalid flags"],
  ["cache bits without an index", "b5ee9c72 21 01 01 01 00 02 00 0000", "invalid flags"],
  ["a truncated header", "b5ee9c72 04 08 00000001", "truncated"],
  [
    "4 billion cells",
    "b5ee9c72 04 01 ffffffff 00000001 00000000 02 00000000 0000",
    "4294967295 cells exceed the limit",
  ],
  [
    "more cells than bytes",
    "b5ee9c72 02 01 ffff 0001 0000 02 0000 0000",
    "too short for its number of cells",
  ],
  ["a size of 2^64", "b5ee9c72 01 08 01 01 00 ffffffffffffffff 00 0000", "truncated"],
  ["no root", "b5ee9c72 01 01 01 00 00 02 0000", "invalid number of roots"],
  ["more roots than cells", "b5ee9c72 01 01 01 02 00 02 00 00 0000", "invalid number of roots"],
  ["a root beyond the cells", "b5ee9c72 01 01 01 01 00 02 01 0000", "a root index is out of range"],
  ["absent cells", "b5ee9c72 01 01 02 01 01 04 00 00000000", "absent cells are not supported"],
  ["bytes after the end", "b5ee9c72 01 01 01 01 00 02 00 0000 00", "trailing bytes"],
  ["a wrong checksum", "b5ee9c72 41 01 01 01 00 02 00 0000 00000000", "checksum mismatch"],
  ["a wrong index", "b5ee9c72 81 01 01 01 00 02 00 03 0000", "the index does not match the cells"],
  [
    "a cell that refers to itself",
    "b5ee9c72 01 01 01 01 00 03 00 010000",
    "a reference does not point to a later cell",
  ],
  [
    "a cell that refers backwards",
    "b5ee9c72 01 01 02 01 00 06 00 010001 010000",
    "a reference does not point to a later cell",
  ],
  [
    "a cell that refers past the end",
    "b5ee9c72 01 01 01 01 00 03 00 010001",
    "a reference does not point to a later cell",
  ],
  [
    "five references",
    "b5ee9c72 01 01 01 01 00 07 00 05000101010101",
    "a cell has too many references or is absent",
  ],
  ["an absent cell", "b5ee9c72 01 01 01 01 00 02 00 1700", "a cell has too many references or is absent"],
  ["data beyond the end", "b5ee9c72 01 01 01 01 00 03 00 000400", "a cell is truncated"],
  ["a second cell beyond the end", "b5ee9c72 01 01 02 01 00 04 00 00020000", "a cell is truncated"],
  [
    "cells that do not fill the size",
    "b5ee9c72 01 01 01 01 00 03 00 000000",
    "the cells are shorter than the stated size",
  ],
  ["padding without a data bit", "b5ee9c72 01 01 01 01 00 03 00 000180", "a cell has invalid padding"],
  ["padding without its bit", "b5ee9c72 01 01 01 01 00 03 00 000100", "a cell has invalid padding"],
  ["a level without pruned cells", "b5ee9c72 01 01 01 01 00 02 00 2000", "a cell has a wrong level mask"],
  ["an exotic cell without type", "b5ee9c72 01 01 01 01 00 02 00 0800", "an exotic cell has an unknown type"],
  ["an exotic cell of type 9", "b5ee9c72 01 01 01 01 00 03 00 080209", "an exotic cell has an unknown type"],
  [
    "a short library cell",
    "b5ee9c72 01 01 01 01 00 03 00 080202",
    "a library cell has 8 bits and 0 references",
  ],
  ["a pruned cell of level 0", "b5ee9c72 01 01 01 01 00 04 00 08040100", "a pruned branch has level mask 0"],
  ["a pruned cell of mask 8", "b5ee9c72 01 01 01 01 00 04 00 08040108", "a pruned branch has level mask 8"],
  ["a wrong stored hash", `b5ee9c72 01 01 01 01 00 24 00 1000 ${"00".repeat(34)}`, "a stored hash is wrong"],
];

export function bagOf(hex: string): Uint8Array {
  return Buffer.from(hex.replaceAll(" ", ""), "hex");
}
