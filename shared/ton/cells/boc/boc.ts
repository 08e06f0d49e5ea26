import type { Cell } from "../cell.js";
import { firstDescriptor, secondDescriptor } from "../hashing.js";
import { type BocLimits, bocError, defaultLimits, readHeader } from "./boc-header.js";
import { type Arrangement, arrange } from "./boc-order.js";
import { BocTable, ownBytes } from "./boc-table.js";
import { crc32c } from "./crc32c.js";
import { BagBytes } from "./parsed-bag.js";

/** Default limits: 16 MiB, 2^20 cells, depth 1024, 1024 roots. `verify` defaults to "now". */
type ParseOptions = Partial<BocLimits> & { verify?: "now" | "later" };

const noOptions: ParseOptions = {};

/**
 * Parses a bag of cells and returns its roots. Supports the three magics, with or without index, checksum, cache bits
 * and stored hashes. Throws `CellError` for invalid bytes, in time and memory proportional to their number. Cell
 * objects and hashes are created on first use. The bytes are copied, so the caller may reuse them.
 *
 * A bag can state hashes: Merkle cells do, and writers may store the hashes of any cell. They are verified at once, or
 * with `verify: "later"` only when such a cell is hashed or opened as a proof or update. Use "later" for blocks: most
 * of their cells are never read.
 */
export function parseBoc(bytes: Uint8Array, options: ParseOptions = noOptions): Cell[] {
  const limits = limitsOf(options);
  // Another thread parses with the default limits.
  if (bytes instanceof BagBytes && limits === defaultLimits) return bytes.roots();
  const header = readHeader(bytes, limits);
  const table = BocTable.parse(ownBytes(bytes), header, limits);
  if (options.verify !== "later") table.verifyHashes();
  return header.roots.map((root) => table.cell(root));
}

function limitsOf({ bytes, cells, depth, roots }: ParseOptions): BocLimits {
  if (bytes === undefined && cells === undefined && depth === undefined && roots === undefined)
    return defaultLimits;
  return {
    bytes: bytes ?? defaultLimits.bytes,
    cells: cells ?? defaultLimits.cells,
    depth: depth ?? defaultLimits.depth,
    roots: roots ?? defaultLimits.roots,
  };
}

/** Like `parseBoc`, but throws `CellError` unless the bag has exactly one root. */
export function parseBocRoot(bytes: Uint8Array, options: ParseOptions = noOptions): Cell {
  const roots = parseBoc(bytes, options);
  if (roots.length !== 1) throw bocError(`${roots.length} roots instead of one`);
  return roots[0]!;
}

/** By default with a checksum and without an index. */
export type SerializeOptions = { crc32?: boolean; index?: boolean };

/**
 * Serializes cells as a bag of cells. Each distinct cell is written once, in the order of the TON node and tonlib, so
 * the bytes are the same as theirs. A virtualized proof tree is written in its stored, pruned form.
 */
export function serializeBoc(root: Cell | readonly Cell[], options: SerializeOptions = {}): Uint8Array {
  return writeBoc(arrange(Array.isArray(root) ? root : [root as Cell]), options);
}

/** Writes cells in the given order. A cell without references gets the references of the arrangement. */
export function writeBoc({ cells, refs, roots }: Arrangement, options: SerializeOptions = {}): Uint8Array {
  const { crc32 = true, index = false } = options;
  const refSize = bytesFor(cells.length);
  const sizes = cells.map(({ bits }, i) => 2 + ((bits + 7) >> 3) + refs[i]!.length * refSize);
  let dataSize = 0;
  for (const size of sizes) dataSize += size;
  const offsetSize = bytesFor(dataSize);
  const indexSize = index ? cells.length * offsetSize : 0;
  const length =
    6 + 3 * refSize + offsetSize + roots.length * refSize + indexSize + dataSize + (crc32 ? 4 : 0);

  const writer = new ByteWriter(length);
  writer.uint(0xb5ee9c72, 4);
  writer.uint((index ? 0x80 : 0) | (crc32 ? 0x40 : 0) | refSize, 1);
  writer.uint(offsetSize, 1);
  for (const count of [cells.length, roots.length, 0]) writer.uint(count, refSize);
  writer.uint(dataSize, offsetSize);
  for (const position of roots) writer.uint(position, refSize);
  let end = 0;
  for (const size of index ? sizes : []) {
    end += size;
    writer.uint(end, offsetSize);
  }
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!;
    writer.uint(firstDescriptor(cell, cell.levelMask) | refs[i]!.length, 1);
    writer.uint(secondDescriptor(cell), 1);
    writer.copy(cell.data, cell.dataStart, (cell.bits + 7) >> 3);
    for (const ref of refs[i]!) writer.uint(ref, refSize);
  }
  if (crc32) {
    const checksum = crc32c(writer.bytes, length - 4);
    new DataView(writer.bytes.buffer).setUint32(length - 4, checksum, true);
  }
  return writer.bytes;
}

/** The smallest n >= 1 with value < 256^n. */
function bytesFor(value: number): number {
  let size = 1;
  while (value >= 256 ** size) size++;
  return size;
}

class ByteWriter {
  readonly bytes: Uint8Array;
  private position = 0;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
  }

  /** `size` is at most four bytes. */
  uint(value: number, size: number): void {
    for (let shift = 8 * (size - 1); shift >= 0; shift -= 8) this.bytes[this.position++] = value >>> shift;
  }

  copy(source: Uint8Array, from: number, count: number): void {
    for (let i = 0; i < count; i++) this.bytes[this.position + i] = source[from + i]!;
    this.position += count;
  }
}
