import { type Dictionary, intKey } from "../cells/dictionaries/dictionary.js";
import { type BinTree, binTree } from "./bin-tree.js";
import { wholeShard } from "./block-id.js";
import { CellOf, cellOf } from "./cell-of.js";
import { TlbError } from "./codec.js";
import { hashmapE } from "./dictionaries.js";
import { ShardDescr } from "./shard-descr.js";
import type { ShardIdent } from "./shard-ident.js";

const shardTree = binTree(ShardDescr);

/** The shards of all workchains except the masterchain: per workchain a tree that forks where a shard was split. */
export type ShardHashes = Dictionary<number, CellOf<BinTree<ShardDescr>>>;
export const ShardHashes = hashmapE(intKey(32), cellOf(shardTree));

export type RegisteredShard = ShardIdent & { descr: ShardDescr };

/** A shard prefix has at most 60 bits, so a deeper tree is invalid. */
const maxDepth = 60;

/** All shards, left to right. An unverified tree may share branches: bound the number you take. */
export function* registeredShards(hashes: ShardHashes): Generator<RegisteredShard> {
  for (const [workchain, tree] of hashes.entries()) yield* leaves(workchain, wholeShard, tree, 0);
}

function* leaves(
  workchain: number,
  shard: bigint,
  tree: CellOf<BinTree<ShardDescr>>,
  depth: number,
): Generator<RegisteredShard> {
  if (depth > maxDepth)
    throw new TlbError(`ShardHashes of workchain ${workchain} are deeper than ${maxDepth}`);
  const node = tree.value;
  if (node.kind === "leaf") {
    yield { workchain, shard, descr: node.value };
  } else {
    yield* leaves(workchain, childShard(shard, false), node.left, depth + 1);
    yield* leaves(workchain, childShard(shard, true), node.right, depth + 1);
  }
}

/**
 * The registered shard that covers a 64-bit account prefix. Opens only the path to it, so in a proof all other branches
 * may be pruned. `undefined` if the workchain is not registered.
 */
export function shardAt(hashes: ShardHashes, workchain: number, prefix: bigint): RegisteredShard | undefined {
  let node = hashes.get(workchain)?.value;
  let shard = wholeShard;
  for (let depth = 0; node?.kind === "fork"; depth++) {
    if (depth === maxDepth)
      throw new TlbError(`ShardHashes of workchain ${workchain} are deeper than ${maxDepth}`);
    const right = ((prefix >> BigInt(63 - depth)) & 1n) === 1n;
    node = (right ? node.right : node.left).value;
    shard = childShard(shard, right);
  }
  return node && { workchain, shard, descr: node.value };
}

/** The left or right half of a shard. */
export function childShard(shard: bigint, right: boolean): bigint {
  const half = (shard & -shard) >> 1n;
  return right ? shard + half : shard - half;
}

/** Builds ShardHashes. Throws `TlbError` unless the shards cover their workchains without gaps and overlaps. */
export function shardHashesOf(shards: readonly RegisteredShard[]): ShardHashes {
  const workchains = new Set(shards.map(({ workchain }) => workchain));
  const trees = [...workchains].map((workchain): [number, CellOf<BinTree<ShardDescr>>] => [
    workchain,
    treeOf(
      shards.filter((shard) => shard.workchain === workchain),
      wholeShard,
    ),
  ]);
  return ShardHashes.empty.update(trees);
}

function treeOf(shards: readonly RegisteredShard[], shard: bigint): CellOf<BinTree<ShardDescr>> {
  const [only] = shards;
  if (only && shards.length === 1 && only.shard === shard)
    return CellOf.of(shardTree, { kind: "leaf", value: only.descr });
  const left = shards.filter((candidate) => candidate.shard < shard);
  const right = shards.filter((candidate) => candidate.shard > shard);
  if (left.length === 0 || right.length === 0 || left.length + right.length < shards.length)
    throw new TlbError(`the shards do not cover ${shard.toString(16)} exactly`);
  return CellOf.of(shardTree, {
    kind: "fork",
    left: treeOf(left, childShard(shard, false)),
    right: treeOf(right, childShard(shard, true)),
  });
}
