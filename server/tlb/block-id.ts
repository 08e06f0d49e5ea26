import { bytesEqual, bytesToHex } from "../../shared/values/bytes.js";

/** `tonNode.blockId workchain:int shard:long seqno:int`; the shard is unsigned here, signed only on the wire. */
export type BlockId = { workchain: number; shard: bigint; seqno: number };

/** `tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256` */
export type BlockIdExt = BlockId & {
  rootHash: Uint8Array;
  fileHash: Uint8Array;
};

/** `tonNode.zeroStateIdExt workchain:int root_hash:int256 file_hash:int256` */
export type ZeroStateIdExt = {
  workchain: number;
  rootHash: Uint8Array;
  fileHash: Uint8Array;
};

export const masterchain = -1;
/** The shard that covers its whole workchain; the masterchain has no other. */
export const wholeShard = 0x8000000000000000n;
/** Stands for "no such workchain or shard" where an answer must name a block. */
export const invalidWorkchain = -0x80000000;
/** As the seqno of a masterchain id: the newest block, whatever the hashes say. */
export const latestSeqno = 0xffffffff;

/** The node's spelling, `(-1,8000000000000000,41)`, as error texts carry it. */
export function formatBlockId({ workchain, shard, seqno }: BlockId): string {
  return `(${workchain},${formatShard(shard)},${seqno})`;
}

/** The id with both hashes in the node's spelling, `(-1,8000000000000000,41):ROOT:FILE`. */
export function formatBlockIdExt(id: BlockIdExt): string {
  const hashes = `${bytesToHex(id.rootHash)}:${bytesToHex(id.fileHash)}`.toUpperCase();
  return `${formatBlockId(id)}:${hashes}`;
}

export function formatShard(shard: bigint): string {
  return shard.toString(16).padStart(16, "0");
}

export function sameBlock(a: BlockIdExt, b: BlockIdExt): boolean {
  return (
    a.workchain === b.workchain &&
    a.shard === b.shard &&
    a.seqno === b.seqno &&
    bytesEqual(a.rootHash, b.rootHash) &&
    bytesEqual(a.fileHash, b.fileHash)
  );
}

/** The lowest set bit of a shard number ends its prefix. */
export function prefixEnd(shard: bigint): bigint {
  return shard & -shard;
}

/** Whether the 64-bit account prefix lies in the shard. */
export function shardContainsPrefix(shard: bigint, prefix: bigint): boolean {
  return ((shard ^ prefix) & -(2n * prefixEnd(shard))) === 0n;
}

/** Whether every account of `inner` belongs to `outer`. */
export function shardIsAncestor(outer: bigint, inner: bigint): boolean {
  return prefixEnd(outer) >= prefixEnd(inner) && shardContainsPrefix(outer, inner);
}

/** First 64 bits of an account id: what decides the shard it lives in. */
export function accountPrefix(accountId: Uint8Array): bigint {
  return new DataView(accountId.buffer, accountId.byteOffset).getBigUint64(0);
}
