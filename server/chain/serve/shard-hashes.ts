import type { Cell } from "../../cells/cell.js";
import { type BlockIdExt, prefixEnd, wholeShard } from "../../tlb/block-id.js";
import type { ShardDescr } from "../../tlb/shard-descr.js";
import { childShard, type RegisteredShard, type ShardHashes } from "../../tlb/shard-hashes.js";

/** A shard as the masterchain registers it, and the leaf of the tree that says so. */
export type FoundShard = RegisteredShard & { leaf: Cell };

/**
 * The shard that covers the one asked for: none when that is split further. With `exact` it has just this number.
 * Only the way to it is opened.
 */
export function findShard(
  shards: ShardHashes,
  workchain: number,
  shard: bigint,
  exact = false,
): FoundShard | undefined {
  let node = shards.get(workchain);
  let found = wholeShard;
  while (node?.value.kind === "fork") {
    const end = prefixEnd(found);
    if (end === prefixEnd(shard)) return undefined;
    const right = (shard & end) !== 0n;
    node = right ? node.value.right : node.value.left;
    found = childShard(found, right);
  }
  if (node?.value.kind !== "leaf" || (exact && found !== shard)) return undefined;
  return { workchain, shard: found, descr: node.value.value, leaf: node.cell };
}

/** The id of the newest block of a shard. */
export function topBlock({ workchain, shard, descr }: RegisteredShard): BlockIdExt {
  const { seqno, rootHash, fileHash }: ShardDescr = descr;
  return { workchain, shard, seqno, rootHash, fileHash };
}
