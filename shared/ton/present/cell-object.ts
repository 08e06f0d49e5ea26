import type { CellObject } from "../../schema/v2/stack.js";
import { bytesToBase64 } from "../../values/bytes.js";
import type { Cell } from "../cells/cell.js";

/**
 * A cell and its references as nested objects. Shared cells repeat, so there may be very many; check with
 * `countObjects`.
 */
export function presentCellObject(cell: Cell): CellObject {
  return {
    data: { b64: bytesToBase64(paddedData(cell)), len: cell.bits },
    refs: cell.refs.map(presentCellObject),
    special: cell.exotic,
  };
}

/** Number of objects for a cell. Counting stops at one above the limit. */
export function countObjects(cell: Cell, limit: number): number {
  let count = 1;
  for (let i = 0; i < cell.refCount && count <= limit; i++) count += countObjects(cell.ref(i), limit - count);
  return count;
}

/** The bits of a cell, padded with zeros to whole bytes. */
export function paddedData(cell: Cell): Uint8Array {
  const bits = cell.parseExotic();
  const bytes = new Uint8Array((cell.bits + 7) >> 3);
  bytes.set(bits.loadBytes(cell.bits >> 3));
  const rest = cell.bits & 7;
  if (rest) bytes[cell.bits >> 3] = bits.loadUint(rest) << (8 - rest);
  return bytes;
}
