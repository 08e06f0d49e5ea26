import { bitAt, commonBits, copyBits, slack } from "./bits.js";
import type { Cell } from "./cell.js";
import { loadLabel } from "./dictionary-label.js";
import type { Slice } from "./slice.js";

export type WalkOptions = {
  keyBits: number;
  /** Keys are two's complement: the half with the first bit set comes first. */
  signed: boolean;
  /** Where to start; this key included. */
  from: Uint8Array | undefined;
};

/** A subtree still to be visited; `edge` says that all its keys so far equal the start of `from`. */
type Pending = { cell: Cell; at: number; bit: boolean; edge: boolean };

/** Leaves in ascending order of their keys. The key array is reused: it holds a leaf's key until the next is taken. */
export function* walk(root: Cell, options: WalkOptions): Generator<{ key: Uint8Array; leaf: Slice }> {
  const { keyBits, signed, from } = options;
  const key = new Uint8Array((keyBits >> 3) + 1 + slack);
  const rank = (bit: boolean, at: number) => bit !== (signed && at === 0);
  const stack: Pending[] = [{ cell: root, at: 0, bit: false, edge: from !== undefined }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { cell, at, bit } = next;
    let { edge } = next;
    const leaf = cell.parse();
    const label = loadLabel(leaf, keyBits - at);
    if (at > 0) truncate(key, at - 1);
    if (at > 0 && bit) key[(at - 1) >> 3]! |= 0x80 >> ((at - 1) & 7);
    truncate(key, at);
    copyBits(label.bytes, label.at, key, at, label.count);
    const end = at + label.count;
    if (edge && from !== undefined) {
      const differs = at + commonBits(from, at, key, at, label.count);
      if (differs < end) {
        if (!rank(bitAt(key, differs), differs)) continue;
        edge = false;
      }
    }
    if (end === keyBits) {
      yield { key, leaf };
      continue;
    }
    for (const branch of [true, false]) {
      const side = signed && end === 0 ? !branch : branch;
      const start = edge && from !== undefined ? rank(bitAt(from, end), end) : undefined;
      if (start === true && !rank(side, end)) continue;
      stack.push({
        cell: leaf.preloadRef(side ? 1 : 0),
        at: end + 1,
        bit: side,
        edge: start !== undefined && start === rank(side, end),
      });
    }
  }
}

/** Clears the bits from `at` on. */
function truncate(key: Uint8Array, at: number): void {
  key[at >> 3]! &= ~(0xff >> (at & 7));
  key.fill(0, (at >> 3) + 1);
}
