const polynomial = 0x82f63b78;

// Slicing-by-8: eight tables process eight bytes per step.
const tables = Array.from({ length: 8 }, () => new Uint32Array(256));
for (let i = 0; i < 256; i++) {
  let crc = i;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  tables[0]![i] = crc;
}
for (let k = 1; k < 8; k++)
  for (let i = 0; i < 256; i++) {
    const previous = tables[k - 1]![i]!;
    tables[k]![i] = (previous >>> 8) ^ tables[0]![previous & 0xff]!;
  }
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
];

/** CRC-32C (Castagnoli) of the first bytes, by default of all. `before`: that of the bytes that precede them. */
export function crc32c(bytes: Uint8Array, length: number = bytes.length, before = 0): number {
  let crc = ~before;
  let i = 0;
  for (; i + 8 <= length; i += 8) {
    const low = crc ^ (bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
    crc =
      t7[low & 0xff]! ^
      t6[(low >>> 8) & 0xff]! ^
      t5[(low >>> 16) & 0xff]! ^
      t4[low >>> 24]! ^
      t3[bytes[i + 4]!]! ^
      t2[bytes[i + 5]!]! ^
      t1[bytes[i + 6]!]! ^
      t0[bytes[i + 7]!]!;
  }
  for (; i < length; i++) crc = t0[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
