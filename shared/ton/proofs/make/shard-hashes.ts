import type { Cell } from "../../cells/cell.js";
import { type BlockIdExt, prefixEnd, wholeShard } from "../../tlb/block-id.js";
import type { ShardDescr } from "../../tlb/shard-descr.js";
import { childShard, type RegisteredShard, type ShardHashes } from "../../tlb/shard-hashes.js";

/** A shard as registered by the masterchain, and its leaf in the tree. */
type FoundShard = RegisteredShard & { leaf: Cell };

/**
 * The registered shard that contains the given one; undefined if that is split further. With `exact` it must be equal.
 * Opens only the path to it.
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

/** Id of a shard's newest registered block. */
export function topBlock({ workchain, shard, descr }: RegisteredShard): BlockIdExt {
  const { seqno, rootHash, fileHash }: ShardDescr = descr;
  return { workchain, shard, seqno, rootHash, fileHash };
}
