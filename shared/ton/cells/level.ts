// Bit i of a level mask is set if a pruned branch below belongs to the Merkle cell i + 1 levels up.

/** Number of levels set in the mask, i.e. of hashes stored in a pruned branch. */
export function levelCount(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1);
}

/** The mask restricted to the levels below `level`. */
export function maskAt(mask: number, level: number): number {
  return mask & ((1 << level) - 1);
}

/** Index of the hash of a cell at `level`. */
export function hashIndex(mask: number, level: number): number {
  return levelCount(maskAt(mask, level));
}

/** The highest level up to `level` at which a cell has a separate hash. */
export function highestLevel(mask: number, level: number): number {
  return 32 - Math.clz32(maskAt(mask, level));
}

/** Whether a cell has a separate hash at `level`; always true for level 0. */
export function isSignificant(mask: number, level: number): boolean {
  return level === 0 || (mask & (1 << (level - 1))) !== 0;
}

export const maxLevel = 3;
