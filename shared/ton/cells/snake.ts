import { copyBits, slack } from "./bits.js";
import type { Cell } from "./cell.js";
import type { Slice } from "./slice.js";

/**
 * Reads bytes in snake format: the rest of the slice, then its first reference, and so on. Only the total number of
 * bits must be a multiple of eight. Returns `undefined` if it is not, or if a cell of the chain is exotic. Stops before
 * the cell that would exceed `maxBytes`.
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
