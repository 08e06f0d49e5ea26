// A level mask has bit i set when a pruned branch below is resolved by the Merkle cell i + 1 levels up.

/** Number of levels in use, i.e. of hashes a pruned branch with this mask stores. */
export function levelCount(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1);
}

/** The mask as seen from `level`: what lies above it is gone. */
export function maskAt(mask: number, level: number): number {
  return mask & ((1 << level) - 1);
}

/** Which of its hashes a cell shows at `level`. */
export function hashIndex(mask: number, level: number): number {
  return levelCount(maskAt(mask, level));
}

/** Whether a cell has a hash of its own at `level` (0 always counts). */
export function isSignificant(mask: number, level: number): boolean {
  return level === 0 || (mask & (1 << (level - 1))) !== 0;
}

export const maxLevel = 3;
