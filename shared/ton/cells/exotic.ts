import { CellError } from "./cell-error.js";
import type { CellNode, CellType } from "./cell-node.js";
import { levelCount } from "./level.js";

/** Maximum depth of a tree accepted by the network. */
const maxDepth = 1024;

type ExoticType = Exclude<CellType, "ordinary">;
const types: readonly (ExoticType | undefined)[] = [
  undefined,
  "pruned",
  "library",
  "merkleProof",
  "merkleUpdate",
];
/** Number of bits and references of the types whose size is fixed. */
const layouts = { library: [264, 0], merkleProof: [280, 1], merkleUpdate: [552, 2] } as const;
/** Number of bits and references of a pruned branch, by its level mask. */
const prunedLayouts = Array.from({ length: 8 }, (_, mask) => [16 + levelCount(mask) * 272, 0] as const);
/** Merkle cells contain the level-0 hash and depth of each referenced tree. */
const hashBytes = 32;

export function isMerkle(type: CellType): boolean {
  return type === "merkleProof" || type === "merkleUpdate";
}

/**
 * Reads the type of an exotic cell. Throws `CellError` if its size or number of references is wrong.
 *
 *     pruned_branch#01 mask:uint8 hashes:(n * bits256) depths:(n * uint16)
 *     library#02 hash:bits256
 *     merkle_proof#03 hash:bits256 depth:uint16 root:^Cell
 *     merkle_update#04 old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16 old:^Cell new:^Cell
 */
export function readExoticType(data: Uint8Array, start: number, bits: number, refCount: number): ExoticType {
  const type = bits >= 8 ? types[data[start]!] : undefined;
  if (type === undefined) throw new CellError("invalid", "an exotic cell has an unknown type");
  const mask = type === "pruned" && bits >= 16 ? data[start + 1]! : 0;
  if (type === "pruned" && (mask < 1 || mask > 7))
    throw new CellError("invalid", `a pruned branch has level mask ${mask}`);
  const layout = type === "pruned" ? prunedLayouts[mask]! : layouts[type];
  if (bits !== layout[0] || refCount !== layout[1])
    throw new CellError("invalid", `a ${type} cell has ${bits} bits and ${refCount} references`);
  return type;
}

/** Computes the level mask of a cell from its type, content and references. */
export function computeLevelMask(node: Omit<CellNode, "levelMask">): number {
  if (node.type === "pruned") return node.data[node.dataStart + 1]!;
  let mask = 0;
  for (let i = 0; i < node.refCount; i++) mask |= node.refMask(i);
  return isMerkle(node.type) ? mask >> 1 : mask;
}

/** Computes the depth of a cell at one of its significant levels. */
export function computeDepth(node: CellNode, level: number): number {
  if (node.type === "pruned") {
    const stored = levelCount(node.levelMask);
    const index = levelCount(node.levelMask & ((1 << level) - 1));
    if (index === stored) return 0;
    const at = node.dataStart + 2 + stored * hashBytes + index * 2;
    return checkDepth((node.data[at]! << 8) | node.data[at + 1]!);
  }
  let depth = -1;
  const below = isMerkle(node.type) ? level + 1 : level;
  for (let i = 0; i < node.refCount; i++) depth = Math.max(depth, node.refDepth(i, below));
  return checkDepth(depth + 1);
}

export function checkDepth(depth: number): number {
  if (depth > maxDepth) throw new CellError("invalid", `the cell tree is deeper than ${maxDepth}`);
  return depth;
}

/** Throws `CellError` unless the depths stated in a Merkle cell match its trees. */
export function checkMerkleDepths(node: CellNode): void {
  for (let i = 0; i < node.refCount; i++) {
    const at = node.dataStart + 1 + node.refCount * hashBytes + i * 2;
    const stated = (node.data[at]! << 8) | node.data[at + 1]!;
    if (stated !== node.refDepth(i, 0))
      throw new CellError("invalid", `a ${node.type} cell states a wrong depth of its tree`);
  }
}

/** Throws `CellError` unless the hashes stated in a Merkle cell match its trees. */
export function checkMerkleHashes(node: CellNode): void {
  const actual = new Uint8Array(hashBytes);
  for (let i = 0; i < node.refCount; i++) {
    node.copyRefHash(i, 0, actual, 0);
    const at = node.dataStart + 1 + i * hashBytes;
    for (let j = 0; j < hashBytes; j++)
      if (actual[j] !== node.data[at + j])
        throw new CellError("invalid", `a ${node.type} cell states a wrong hash of its tree`);
  }
}
