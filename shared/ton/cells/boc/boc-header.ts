import { CellError } from "../cell-error.js";
import { crc32c } from "./crc32c.js";

/** Upper bounds on a bag of cells. A larger one is refused before memory is allocated for its contents. */
export type BocLimits = { bytes: number; cells: number; depth: number; roots: number };

export const defaultLimits: BocLimits = { bytes: 16 << 20, cells: 1 << 20, depth: 1024, roots: 1024 };
/** Keeps bit positions within 32-bit integers. */
const hardByteLimit = 256 << 20;

export type BocHeader = {
  /** Bytes per cell index. */
  refSize: number;
  cellCount: number;
  roots: number[];
  /** Byte range of the cells. */
  dataStart: number;
  dataEnd: number;
  /** Whether a checksum follows the cells. */
  hasCrc: boolean;
  /** Position of the optional index of cell ends. With cache bits an entry is twice the offset plus a flag. */
  index: { start: number; entrySize: number; cacheBits: boolean } | undefined;
};

const magics = { generic: 0xb5ee9c72, indexed: 0x68ff65f3, indexedWithCrc: 0xacc3a728 };

/**
 *     serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) { flags = 0 }
 *       size:(## 3) { size <= 4 } off_bytes:(## 8) { off_bytes <= 8 } cells:(##(size * 8)) roots:(##(size * 8)) { roots >= 1 }
 *       absent:(##(size * 8)) { roots + absent <= cells } tot_cells_size:(##(off_bytes * 8)) root_list:(roots * ##(size * 8))
 *       index:has_idx?(cells * ##(off_bytes * 8)) cell_data:(tot_cells_size * [ uint8 ]) crc32c:has_crc32c?uint32
 *
 * The older 68ff65f3 and acc3a728 (with crc32c) always have an index, exactly one root and no root list.
 */
export function readHeader(bytes: Uint8Array, limits: BocLimits): BocHeader {
  const header = readLayout(bytes, bytes.length, {
    ...limits,
    bytes: Math.min(limits.bytes, hardByteLimit),
  });
  const { hasCrc, dataEnd } = header;
  if (hasCrc && crc32c(bytes, dataEnd) !== readChecksum(bytes, dataEnd)) throw bocError("checksum mismatch");
  return header;
}

/** Bytes in front of the list of roots, at most. */
export const longestHead = 6 + 3 * 4 + 8;

/**
 * Reads the header of a bag of `length` bytes, of which `bytes` are the first: at least `longestHead` and the list of
 * roots, if there are as many. The checksum is not verified.
 */
export function readLayout(bytes: Uint8Array, length: number, limits: BocLimits): BocHeader {
  if (length > limits.bytes) throw bocError(`${length} bytes exceed the limit`);
  if (bytes.length < 6) throw bocError("truncated");
  const magic = readUint(bytes, 0, 4);
  const generic = magic === magics.generic;
  if (!generic && magic !== magics.indexed && magic !== magics.indexedWithCrc)
    throw bocError("unknown magic");
  const flags = generic ? bytes[4]! : 0x80 | bytes[4]!;
  const hasIndex = (flags & 0x80) !== 0;
  const hasCrc = generic ? (flags & 0x40) !== 0 : magic === magics.indexedWithCrc;
  const cacheBits = generic && (flags & 0x20) !== 0;
  const refSize = generic ? flags & 7 : bytes[4]!;
  const offsetSize = bytes[5]!;
  if (refSize < 1 || refSize > 4 || offsetSize < 1 || offsetSize > 8) throw bocError("invalid field sizes");
  if (generic && ((flags & 0x18) !== 0 || (cacheBits && !hasIndex))) throw bocError("invalid flags");

  const rootListStart = 6 + 3 * refSize + offsetSize;
  if (bytes.length < rootListStart) throw bocError("truncated");
  const cellCount = readUint(bytes, 6, refSize);
  const rootCount = readUint(bytes, 6 + refSize, refSize);
  const absentCount = readUint(bytes, 6 + 2 * refSize, refSize);
  const dataSize = readUint(bytes, 6 + 3 * refSize, offsetSize);
  if (cellCount > limits.cells) throw bocError(`${cellCount} cells exceed the limit`);
  if (rootCount > limits.roots) throw bocError(`${rootCount} roots exceed the limit`);
  if (absentCount !== 0) throw bocError("absent cells are not supported");
  if (rootCount < 1 || rootCount > cellCount || (!generic && rootCount !== 1))
    throw bocError("invalid number of roots");

  const indexStart = rootListStart + (generic ? rootCount * refSize : 0);
  const dataStart = indexStart + (hasIndex ? cellCount * offsetSize : 0);
  const dataEnd = dataStart + dataSize;
  const end = dataEnd + (hasCrc ? 4 : 0);
  if (length !== end) throw bocError(length < end ? "truncated" : "trailing bytes");
  // A cell has at least two descriptor bytes. This bounds the tables allocated for the cells by the bytes received.
  if (dataSize < 2 * cellCount) throw bocError("too short for its number of cells");

  const roots = [0];
  for (let i = 0; generic && i < rootCount; i++) {
    const root = readUint(bytes, rootListStart + i * refSize, refSize);
    if (root >= cellCount) throw bocError("a root index is out of range");
    roots[i] = root;
  }
  const index = hasIndex ? { start: indexStart, entrySize: offsetSize, cacheBits } : undefined;
  return { refSize, cellCount, roots, dataStart, dataEnd, hasCrc, index };
}

/** Whether bytes begin as a bag of cells. */
export function isBag(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && Object.values(magics).includes(readUint(bytes, 0, 4));
}

/** The number of cells that a bag states, which no valid bag exceeds; undefined if the bytes are no bag. */
export function statedCells(bytes: Uint8Array): number | undefined {
  if (bytes.length < 10 || !isBag(bytes)) return undefined;
  const magic = readUint(bytes, 0, 4);
  const refSize = magic === magics.generic ? bytes[4]! & 7 : bytes[4]!;
  return refSize >= 1 && refSize <= 4 ? readUint(bytes, 6, refSize) : undefined;
}

/** Reads a big-endian integer. Above 2^53 the result is rounded, which still exceeds every limit. */
export function readUint(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + bytes[at + i]!;
  return value;
}

/** Reads the checksum behind the cells. */
export function readChecksum(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

export function bocError(what: string): CellError {
  return new CellError("boc", `invalid bag of cells: ${what}`);
}
