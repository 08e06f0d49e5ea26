import type { CellReader } from "./cell-reader.js";

/** The key of an entry, and its value, which begins in the middle of a cell. */
type Entry = { readonly key: string; readonly value: CellReader };

/**
 * Entries of a dictionary in the order of their keys, each key as bits. `isRoot` means that the dictionary begins in
 * the reader's cell, as `Hashmap` does; otherwise a bit says whether there is one, as in `HashmapE`. Branches of a
 * dictionary can be one cell, so that few cells have millions of entries: more than `most` are refused.
 */
export function entriesOf(
  reader: CellReader,
  keyLength: number,
  { isRoot = false, most = 5000 }: { isRoot?: boolean; most?: number } = {},
): Entry[] {
  const entries: Entry[] = [];
  const visit = (node: CellReader, prefix: string) => {
    const key = prefix + labelOf(node, keyLength - prefix.length);
    if (key.length === keyLength) {
      if (entries.length === most) throw new TypeError(`the dictionary has more than ${most} entries`);
      entries.push({ key, value: node });
      return;
    }
    visit(node.opened(), `${key}0`);
    visit(node.opened(), `${key}1`);
  };
  if (isRoot) visit(reader, "");
  else if (reader.bool()) visit(reader.opened(), "");
  return entries;
}

/** The label of an edge: bits that all keys below it share. `most` is the number of bits that keys have left. */
function labelOf(node: CellReader, most: number): string {
  const lengthBits = most === 0 ? 0 : Math.floor(Math.log2(most)) + 1;
  const checked = (length: number) => {
    if (length > most) throw new TypeError("a label of the dictionary is longer than its keys");
    return length;
  };
  if (!node.bool()) {
    let length = 0;
    while (node.bool()) length = checked(length + 1);
    return node.bits(length);
  }
  if (!node.bool()) return node.bits(checked(node.number(lengthBits)));
  const bit = node.bits(1);
  return bit.repeat(checked(node.number(lengthBits)));
}

/** A key as a signed integer. */
export const signedKey = (key: string) => Number(BigInt.asIntN(key.length, BigInt(`0b${key}`)));
