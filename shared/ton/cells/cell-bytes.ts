import { bocError } from "./boc/boc-header.js";
import { hashCount } from "./hashing.js";

const withHashesFlag = 0x10;
const exoticFlag = 8;
/** Whether the hashes of a cell stand in front of its data. */
export function hasStoredHashes(descriptor: number): boolean {
  return (descriptor & withHashesFlag) !== 0;
}

export function isExotic(descriptor: number): boolean {
  return (descriptor & exoticFlag) !== 0;
}

/** Bytes between the descriptors of a cell and its data. */
export function storedHashBytes(descriptor: number): number {
  return hasStoredHashes(descriptor) ? 34 * hashCount(descriptor >> 5) : 0;
}

/** Length of a cell's data in bytes, by the second descriptor. */
export function dataBytes(descriptor: number): number {
  return (descriptor + 1) >> 1;
}

/** Bits of a cell, by the second descriptor and the completion tag. */
export function bitsAt(bytes: Uint8Array, descriptor: number, dataStart: number): number {
  if ((descriptor & 1) === 0) return descriptor * 4;
  const last = bytes[dataStart + (descriptor >> 1)]!;
  return (descriptor >> 1) * 8 + 7 - (31 - Math.clz32(last & -last));
}

/** Throws for a last byte that is all padding, which is not canonical: the same cell has a shorter form. */
export function checkPadding(bytes: Uint8Array, descriptor: number, dataStart: number): void {
  if ((descriptor & 1) !== 0 && (bytes[dataStart + dataBytes(descriptor) - 1]! & 0x7f) === 0)
    throw bocError("a cell has invalid padding");
}

/** Throws for a first descriptor of a cell that is absent or has too many references. */
export function checkDescriptor(descriptor: number): void {
  if ((descriptor & 7) > 4) throw bocError("a cell has too many references or is absent");
}

/** Length of a cell in a bag, by its descriptors. */
export function cellLength(first: number, second: number, refSize: number): number {
  return 2 + storedHashBytes(first) + dataBytes(second) + (first & 7) * refSize;
}

/** Reads a big-endian reference. Negative for a stated index of 2^31 or more. */
export function refAt(bytes: Uint8Array, from: number, refSize: number): number {
  let index = 0;
  for (let at = from; at < from + refSize; at++) index = (index << 8) | bytes[at]!;
  return index;
}
