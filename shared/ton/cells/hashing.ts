import type { CellNode } from "./cell-node.js";
import { checkMerkleHashes, isMerkle } from "./exotic.js";
import { isSignificant, levelCount, maskAt, maxLevel } from "./level.js";
import { digestBytes as hashBytes, writeSha256 } from "./sha256.js";

const maxLength = 2 + 128 + 4 * (2 + hashBytes);
// Module state: scratch memory within one call. One view for each length, because hashing takes whole arrays.
const text = new Uint8Array(maxLength);
const textOf = Array.from({ length: maxLength + 1 }, (_, length) => text.subarray(0, length));

/** Number of hashes of a cell with this level mask: one per significant level. */
export function hashCount(mask: number): number {
  return levelCount(mask) + 1;
}

/** First descriptor byte: number of references, exotic flag and level mask. */
export function firstDescriptor(node: CellNode, mask: number): number {
  return node.refCount | (node.type === "ordinary" ? 0 : 8) | (mask << 5);
}

/** Second descriptor byte: data length in half bytes; odd if the last byte is padded. */
export function secondDescriptor(node: CellNode): number {
  return (node.bits >> 3) + ((node.bits + 7) >> 3);
}

/** Another cell with the same hashes up to and including level `upTo`. */
export type KnownHashes = { of: { hash(level: number): Uint8Array }; upTo: number };

/**
 * Writes hashes of a cell to `target`, lowest level first: from number `first` up to, but not including, `end`. The
 * lower ones must already be there, as must the children's hashes that they depend on. Hashes covered by `known` are
 * copied.
 */
export function computeHashes(
  node: CellNode,
  target: Uint8Array,
  start: number,
  first: number,
  end: number,
  known?: KnownHashes,
): void {
  if (node.type === "pruned") {
    computePrunedHashes(node, target, start, end);
    return;
  }
  const merkle = isMerkle(node.type);
  if (merkle) checkMerkleHashes(node);
  let number = 0;
  for (let level = 0; level <= maxLevel && number < end; level++) {
    if (!isSignificant(node.levelMask, level)) continue;
    const at = start + number * hashBytes;
    if (number++ < first) continue;
    if (known !== undefined && level <= known.upTo) target.set(known.of.hash(level), at);
    else computeLevelHash(node, merkle, level, { target, start, at });
  }
}

type HashOutput = { target: Uint8Array; start: number; at: number };

function computeLevelHash(
  node: CellNode,
  merkle: boolean,
  level: number,
  { target, start, at }: HashOutput,
): void {
  // Above the lowest level the next lower hash replaces the data; the descriptor still states the length of the data.
  let length = writeHead(node, maskAt(node.levelMask, level));
  if (at === start) length = append(node.data, node.dataStart, (node.bits + 7) >> 3, length);
  else length = append(target, at - hashBytes, hashBytes, length);
  length = appendRefs(node, merkle ? level + 1 : level, length);
  writeSha256(textOf[length]!, target, at);
}

/** A pruned branch contains its lower hashes; only the representation hash, the last one, is computed. */
function computePrunedHashes(node: CellNode, target: Uint8Array, start: number, end: number): void {
  const stated = levelCount(node.levelMask) * hashBytes;
  for (let i = 0; i < stated; i++) target[start + i] = node.data[node.dataStart + 2 + i]!;
  if (end * hashBytes <= stated) return;
  const length = append(node.data, node.dataStart, (node.bits + 7) >> 3, writeHead(node, node.levelMask));
  writeSha256(textOf[length]!, target, start + stated);
}

function writeHead(node: CellNode, mask: number): number {
  text[0] = firstDescriptor(node, mask);
  text[1] = secondDescriptor(node);
  return 2;
}

function append(source: Uint8Array, from: number, count: number, to: number): number {
  for (let i = 0; i < count; i++) text[to + i] = source[from + i]!;
  return to + count;
}

function appendRefs(node: CellNode, level: number, to: number): number {
  let at = to;
  for (let i = 0; i < node.refCount; i++) {
    const depth = node.refDepth(i, level);
    text[at++] = depth >> 8;
    text[at++] = depth;
  }
  for (let i = 0; i < node.refCount; i++) {
    node.copyRefHash(i, level, text, at);
    at += hashBytes;
  }
  return at;
}
