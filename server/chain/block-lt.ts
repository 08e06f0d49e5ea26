/** Start lts of blocks are multiples of this. */
const ltAlignment = 1_000_000n;

/** Start lt of a block after blocks that end at these lts. */
export function startLtAfter(...ends: readonly bigint[]): bigint {
  const last = ends.reduce((a, b) => (a > b ? a : b));
  return (last / ltAlignment + 1n) * ltAlignment;
}
