import { copyBits, slack } from "./bits.js";
import type { Cell } from "./cell.js";
import type { Slice } from "./slice.js";

/**
 * Bytes in the way contracts keep long ones: the rest of a cell, then the cell its first reference leads to, and so on.
 * Only all of them together have to be whole bytes; `undefined` when they are not, and when a cell is no ordinary one.
 */
export function readSnake(start: Slice): Uint8Array | undefined {
  const parts = [start];
  for (let next = tailOf(start); next; next = tailOf(parts.at(-1)!)) {
    if (next.exotic) return undefined;
    parts.push(next.parse());
  }
  const bits = parts.reduce((sum, part) => sum + part.remainingBits, 0);
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
