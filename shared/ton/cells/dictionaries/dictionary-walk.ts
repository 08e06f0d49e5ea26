import { bitAt, commonBits, copyBits, slack } from "../bits.js";
import type { Cell } from "../cell.js";
import type { Slice } from "../slice.js";
import { loadLabel } from "./dictionary-label.js";

type WalkOptions = {
  keyBits: number;
  /** Keys are two's complement: those with the first bit set come first. */
  signed: boolean;
  /** Descending order. */
  reverse: boolean;
  /** First key, inclusive. */
  from: Uint8Array | undefined;
  /** Receives the data after each fork's label; may throw. */
  checkFork?: (rest: Slice) => void;
};

/** A subtree to visit. `edge`: its key prefix equals that of `from`, so part of it may lie before the start. */
type Pending = { cell: Cell; at: number; bit: boolean; edge: boolean };

/** Iterates leaves in key order. The key array is reused: it is valid until the next leaf is requested. */
export function* walk(root: Cell, options: WalkOptions): Generator<{ key: Uint8Array; leaf: Slice }> {
  const { keyBits, from } = options;
  const key = new Uint8Array((keyBits >> 3) + 1 + slack);
  const stack: Pending[] = [{ cell: root, at: 0, bit: false, edge: from !== undefined }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { cell, at, bit } = next;
    const leaf = cell.parse();
    const label = loadLabel(leaf, keyBits - at);
    if (at > 0) putBit(key, at - 1, bit);
    truncate(key, at);
    copyBits(label.bytes, label.at, key, at, label.count);
    const end = at + label.count;
    let { edge } = next;
    if (edge && from !== undefined) {
      const differs = at + commonBits(from, at, key, at, label.count);
      if (differs < end && bitAt(key, differs) === isSetFirst(options, differs)) continue;
      edge = differs === end;
    }
    if (end === keyBits) {
      yield { key, leaf };
      continue;
    }
    options.checkFork?.(leaf);
    const first = isSetFirst(options, end);
    const start = edge && from !== undefined ? bitAt(from, end) : undefined;
    // The side to visit first is pushed last.
    for (const side of [!first, first]) {
      if (start === !first && side === first) continue;
      stack.push({ cell: leaf.preloadRef(side ? 1 : 0), at: end + 1, bit: side, edge: side === start });
    }
  }
}

/** Whether, of two keys that first differ at a bit, the one with the bit set comes first. */
function isSetFirst({ signed, reverse }: WalkOptions, at: number): boolean {
  return (signed && at === 0) !== reverse;
}

function putBit(key: Uint8Array, at: number, bit: boolean): void {
  truncate(key, at);
  if (bit) key[at >> 3]! |= 0x80 >> (at & 7);
}

/** Clears the bits from `at` on. */
function truncate(key: Uint8Array, at: number): void {
  key[at >> 3]! &= ~(0xff >> (at & 7));
  key.fill(0, (at >> 3) + 1);
}
