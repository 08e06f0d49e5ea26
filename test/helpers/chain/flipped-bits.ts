/** A copy with the bit flipped; the first one is the highest of the first byte. */
export function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  // Not `slice`, which does not copy a Buffer.
  const flipped = new Uint8Array(bytes);
  flipped[bit >> 3]! ^= 0x80 >> (bit & 7);
  return flipped;
}

/** A copy for each `step`-th bit from `first` on. */
export function* flippedBits(
  bytes: Uint8Array,
  { first = 0, step = 1 }: { first?: number; step?: number } = {},
): Iterable<{ bit: number; flipped: Uint8Array }> {
  for (let bit = first; bit < bytes.length * 8; bit += step) yield { bit, flipped: flipBit(bytes, bit) };
}
