import { bitAt, commonBits } from "../bits.js";
import type { Builder } from "../builder.js";
import { CellError } from "../cell-error.js";
import type { Slice } from "../slice.js";

/** `count` bits from the absolute bit position `at`; `bytes` has `slack` spare bytes at its end. */
export type BitString = { bytes: Uint8Array; at: number; count: number };

const ones = new Uint8Array(132).fill(0xff);
const zeros = new Uint8Array(132);

/**
 * Reads the label of a dictionary node; `max` is the number of key bits left at this node.
 *
 *     hml_short$0 len:(Unary ~n) s:(n * Bit)
 *     hml_long$10 n:(#<= m) s:(n * Bit)
 *     hml_same$11 v:Bit n:(#<= m)
 */
export function loadLabel(slice: Slice, max: number): BitString {
  const long = slice.loadBit();
  if (long && slice.loadBit()) {
    const bytes = slice.loadBit() ? ones : zeros;
    return { bytes, at: 0, count: checked(slice.loadUint(lengthBits(max)), max) };
  }
  const count = checked(long ? slice.loadUint(lengthBits(max)) : loadUnary(slice), max);
  const label = { bytes: slice.cell.data, at: slice.bitOffset, count };
  slice.skip(count);
  return label;
}

function loadUnary(slice: Slice): number {
  let count = 0;
  while (slice.loadBit()) count++;
  return count;
}

/** Stores a label in its shortest form. Ties are resolved as the TON node does. */
export function storeLabel(builder: Builder, label: BitString, max: number): void {
  const { bytes, at, count } = label;
  const size = lengthBits(max);
  if (count > 1 && size < 2 * count - 1 && isUniform(label)) {
    builder.storeUint(bitAt(bytes, at) ? 7 : 6, 3).storeUint(count, size);
    return;
  }
  if (size < count) builder.storeUint(2, 2).storeUint(count, size);
  else builder.storeUint(2 ** (count + 1) - 2, count + 2);
  builder.copy(bytes, at, count);
}

function isUniform({ bytes, at, count }: BitString): boolean {
  return commonBits(bytes, at, bitAt(bytes, at) ? ones : zeros, 0, count) === count;
}

/** Number of bits of `#<= max`. */
function lengthBits(max: number): number {
  return 32 - Math.clz32(max);
}

function checked(count: number, max: number): number {
  if (count > max)
    throw new CellError("dictionary", `a label has ${count} bits where at most ${max} are possible`);
  return count;
}
