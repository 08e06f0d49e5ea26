import type { CellObject } from "../../../../shared/schema/v2-stack.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import type { Cell } from "../../../cells/cell.js";

/** A cell with all below it as nested objects; every way to a cell counts, so there may be very many. */
export function presentCellObject(cell: Cell): CellObject {
  return {
    data: { b64: bytesToBase64(paddedData(cell)), len: cell.bits },
    refs: cell.refs.map(presentCellObject),
    special: cell.exotic,
  };
}

/** How many objects that makes; counted no further than to one above the limit. */
export function countObjects(cell: Cell, limit: number): number {
  let count = 1;
  for (let i = 0; i < cell.refCount && count <= limit; i++) count += countObjects(cell.ref(i), limit - count);
  return count;
}

/** The bits of a cell, filled up with zeros to whole bytes. */
export function paddedData(cell: Cell): Uint8Array {
  const bits = cell.parseExotic();
  const bytes = new Uint8Array((cell.bits + 7) >> 3);
  bytes.set(bits.loadBytes(cell.bits >> 3));
  const rest = cell.bits & 7;
  if (rest) bytes[cell.bits >> 3] = bits.loadUint(rest) << (8 - rest);
  return bytes;
}
