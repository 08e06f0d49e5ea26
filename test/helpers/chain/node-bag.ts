import { arrange } from "../../../shared/ton/cells/boc/boc-order.js";
import { crc32c } from "../../../shared/ton/cells/boc/crc32c.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { firstDescriptor, secondDescriptor } from "../../../shared/ton/cells/hashing.js";

/** Data that a node stores of a bag beside its cells. */
type Form = { index: boolean; hashes: boolean; crc32: boolean };

/** A bag as a node writes its states: with index and cache bits, checksum, and the hashes of every third cell. */
export function nodeBag(
  root: Cell,
  { index, hashes, crc32 }: Form = { index: true, hashes: true, crc32: true },
): Uint8Array {
  const { cells, refs, roots } = arrange([root]);
  const parts = cells.map((cell, i) => {
    const isHashed = hashes && i % 3 === 0;
    const levels = [0, 1, 2, 3].filter((level) => level === 0 || cell.levelMask & (1 << (level - 1)));
    return Buffer.concat([
      Buffer.of(firstDescriptor(cell, cell.levelMask) | (isHashed ? 0x10 : 0), secondDescriptor(cell)),
      ...(isHashed ? levels.map((level) => cell.hash(level)) : []),
      ...(isHashed ? levels.map((level) => big(cell.depth(level), 2)) : []),
      cell.data.subarray(cell.dataStart, cell.dataStart + ((cell.bits + 7) >> 3)),
      ...refs[i]!.map((ref) => big(ref, 4)),
    ]);
  });
  let end = 0;
  const ends = parts.map((part, i) => {
    end += part.length;
    return big(2 * end + (i % 2), 6);
  });
  const flags = (index ? 0xa0 : 0) | (crc32 ? 0x40 : 0) | 4;
  const bag = Buffer.concat([
    big(0xb5ee9c72, 4),
    Buffer.of(flags, 6),
    ...[cells.length, 1, 0].map((count) => big(count, 4)),
    big(end, 6),
    big(roots[0]!, 4),
    ...(index ? ends : []),
    ...parts,
  ]);
  if (!crc32) return bag;
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32c(bag));
  return Buffer.concat([bag, checksum]);
}

function big(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}
