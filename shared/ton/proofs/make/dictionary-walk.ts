import { bytesOfHex, bytesToHex } from "../../../values/bytes.js";
import { readBits } from "../../cells/bits.js";
import type { Cell } from "../../cells/cell.js";
import { type BitString, loadLabel } from "../../cells/dictionaries/dictionary-label.js";
import type { Slice } from "../../cells/slice.js";

/** `value` is the leaf after its label: extra and value in an augmented dictionary. */
type Entry = { key: bigint; value: Slice };

/**
 * Iterates a `Hashmap` in order of unsigned keys, starting at `from` (included), or backwards. Cells are opened as the walk
 * reaches them, so stopping early keeps the rest out of a proof.
 */
export function walk(root: Cell, keyBits: number, from?: bigint, reverse = false): Generator<Entry> {
  return walkNode(root, 0n, keyBits, { from, reverse });
}

type Start = { from: bigint | undefined; reverse: boolean };

function* walkNode(cell: Cell, path: bigint, bits: number, start: Start): Generator<Entry> {
  const node = cell.parse();
  const label = loadLabel(node, bits);
  const left = bits - label.count;
  const prefix = (path << BigInt(label.count)) | bitsOf(label);
  if (isBefore(prefix, left, start)) return;
  if (left === 0) {
    yield { key: prefix, value: node };
    return;
  }
  for (const side of start.reverse ? [1, 0] : [0, 1]) {
    const branch = (prefix << 1n) | BigInt(side);
    if (!isBefore(branch, left - 1, start)) yield* walkNode(node.preloadRef(side), branch, left - 1, start);
  }
}

/** Whether all keys with this prefix precede the start of the walk. */
function isBefore(prefix: bigint, left: number, { from, reverse }: Start): boolean {
  if (from === undefined) return false;
  const start = from >> BigInt(left);
  return reverse ? prefix > start : prefix < start;
}

function bitsOf({ bytes, at, count }: BitString): bigint {
  let value = 0n;
  for (let done = 0; done < count; ) {
    const step = Math.min(24, count - done);
    value = (value << BigInt(step)) | BigInt(readBits(bytes, at + done, step));
    done += step;
  }
  return value;
}

/** A hash as a 256-bit dictionary key. */
export function hashNumber(hash: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(hash)}`);
}

export function numberHash(key: bigint): Uint8Array {
  return bytesOfHex(key.toString(16).padStart(64, "0"));
}
