import { copyBits, slack } from "./bits.js";
import type { Cell } from "./cell.js";
import type { Slice } from "./slice.js";

/**
 * Bytes in the way contracts keep long ones: the rest of a cell, then the cell its first reference leads to, and so on.
 * Only all of them together have to be whole bytes; `undefined` when they are not, and when a cell is no ordinary one.
 * A cell that would lead beyond `maxBytes` is left out with all behind it.
 */
export function readSnake(start: Slice, maxBytes = Number.POSITIVE_INFINITY): Uint8Array | undefined {
  const parts = [start];
  let bits = start.remainingBits;
  for (let next = tailOf(start); next; next = tailOf(parts.at(-1)!)) {
    if (next.exotic) return undefined;
    if (bits + next.bits > maxBytes * 8) break;
    parts.push(next.parse());
    bits += next.bits;
  }
  if (bits % 8 !== 0) return undefined;
  const bytes = new Uint8Array(bits / 8 + slack);
  let at = 0;
  for (const part of parts) {
    copyBits(part.cell.data, part.bitOffset, bytes, at, part.remainingBits);
    at += part.remainingBits;
  }
  return bytes.subarray(0, bits / 8);
}

function tailOf(part: Slice): Cell | undefined {
  return part.remainingRefs > 0 ? part.preloadRef() : undefined;
}
