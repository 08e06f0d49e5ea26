/** Start lts of blocks are multiples of this, and blocks are shorter. */
export const blockLts = 1_000_000n;

/** Start lt of a block after blocks that end at these lts. */
export function startLtAfter(...ends: readonly bigint[]): bigint {
  const last = ends.reduce((a, b) => (a > b ? a : b));
  return startLtOf(last) + blockLts;
}

/** Start lt of the block of a transaction. */
export function startLtOf(lt: bigint): bigint {
  return lt - (lt % blockLts);
}

/**
 * Whether no transaction has sent the message that a transaction received, as on devnets in the name of another account:
 * it was created when the block began. A message is sent after its transaction began, thus later than its block.
 */
export function isUnsent(createdLt: bigint, receivedLt: bigint): boolean {
  return createdLt === startLtOf(receivedLt);
}
