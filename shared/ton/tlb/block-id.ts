import { bytesEqual, bytesToHex } from "../../values/bytes.js";

/** `tonNode.blockId workchain:int shard:long seqno:int`. The shard is unsigned here; it is signed only on the wire. */
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
/** The shard that covers its whole workchain. The masterchain is never split, so this is its only shard. */
export const wholeShard = 0x8000000000000000n;
/** Placeholder workchain in answers that must contain a block id although there is no such workchain or shard. */
export const invalidWorkchain = -0x80000000;
/** A masterchain id with this seqno means the newest block; its hashes are ignored. */
export const latestSeqno = 0xffffffff;

/** A zero state of the masterchain as the id of a block. */
export function zeroStateBlock({ workchain, rootHash, fileHash }: ZeroStateIdExt): BlockIdExt {
  return { workchain, shard: wholeShard, seqno: 0, rootHash, fileHash };
}

/** Formats an id like the node's error messages: `(-1,8000000000000000,41)`. */
export function formatBlockId({ workchain, shard, seqno }: BlockId): string {
  return `(${workchain},${formatShard(shard)},${seqno})`;
}

/** Formats an id with both hashes like the node: `(-1,8000000000000000,41):ROOT:FILE`, hashes in upper-case hex. */
export function formatBlockIdExt(id: BlockIdExt): string {
  const hashes = `${bytesToHex(id.rootHash)}:${bytesToHex(id.fileHash)}`.toUpperCase();
  return `${formatBlockId(id)}:${hashes}`;
}

/** 16 lower-case hex digits. */
export function formatShard(shard: bigint): string {
  return shard.toString(16).padStart(16, "0");
}

/** Compares all fields, hashes included. */
export function sameBlock(a: BlockIdExt, b: BlockIdExt): boolean {
  return (
    a.workchain === b.workchain &&
    a.shard === b.shard &&
    a.seqno === b.seqno &&
    bytesEqual(a.rootHash, b.rootHash) &&
    bytesEqual(a.fileHash, b.fileHash)
  );
}

/** The lowest set bit of a shard number, which marks the end of its prefix. */
export function prefixEnd(shard: bigint): bigint {
  return shard & -shard;
}

/** Whether an account with this 64-bit prefix belongs to the shard. */
export function shardContainsPrefix(shard: bigint, prefix: bigint): boolean {
  return ((shard ^ prefix) & -(2n * prefixEnd(shard))) === 0n;
}

/** Whether every account of `inner` belongs to `outer`. */
export function shardIsAncestor(outer: bigint, inner: bigint): boolean {
  return prefixEnd(outer) >= prefixEnd(inner) && shardContainsPrefix(outer, inner);
}

// Module state: scratch memory within one call.
const prefixBytes = new DataView(new ArrayBuffer(8));

/** First 64 bits of an account id; they determine its shard. */
export function accountPrefix(accountId: Uint8Array): bigint {
  // A view of the id would cost more than this copy.
  for (let i = 0; i < 8; i++) prefixBytes.setUint8(i, accountId[i]!);
  return prefixBytes.getBigUint64(0);
}
