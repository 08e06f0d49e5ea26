const polynomial = 0xedb88320;

/** CRC-32 (as zlib's) of ASCII text. Bit by bit: only the lines of a schema are summed, once. */
export function crc32(text: string): number {
  let crc = ~0;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  }
  return ~crc >>> 0;
}
