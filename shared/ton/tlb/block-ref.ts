// ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef;
// master_info$_ master:ExtBlkRef = BlkMasterInfo;
// prev_blk_info$_ prev:ExtBlkRef = BlkPrevInfo 0;
// prev_blks_info$_ prev1:^ExtBlkRef prev2:^ExtBlkRef = BlkPrevInfo 1;
// block_id_ext$_ shard_id:ShardIdent seq_no:uint32 root_hash:bits256 file_hash:bits256 = BlockIdExt;
import { itemAt } from "../../values/lookups.js";
import type { BlockIdExt as BlockId } from "./block-id.js";
import { type Codec, codec, type Decoded, decode, encode } from "./codec.js";
import { bits256, uint32, uint64 } from "./primitives.js";
import { record } from "./record.js";
import { ShardIdent } from "./shard-ident.js";

export type ExtBlkRef = Decoded<typeof ExtBlkRef>;
export const ExtBlkRef = record("ext_blk_ref$_", {
  endLt: uint64,
  seqno: uint32,
  rootHash: bits256,
  fileHash: bits256,
});

/** The masterchain block that a shard block refers to. */
export type BlkMasterInfo = Decoded<typeof BlkMasterInfo>;
export const BlkMasterInfo = record("master_info$_", { master: ExtBlkRef });

/** The previous block; after a merge the last blocks of both shards, left shard first. */
export type BlkPrevInfo = readonly ExtBlkRef[];

const onePrevious: Codec<BlkPrevInfo> = codec(
  "BlkPrevInfo 0",
  (slice) => [ExtBlkRef.load(slice)],
  (previous, builder) => ExtBlkRef.store(itemAt(previous, 0), builder),
);

const twoPrevious: Codec<BlkPrevInfo> = codec(
  "BlkPrevInfo 1",
  (slice) => [decode(ExtBlkRef, slice.loadRef()), decode(ExtBlkRef, slice.loadRef())],
  (previous, builder) =>
    builder.storeRef(encode(ExtBlkRef, itemAt(previous, 0))).storeRef(encode(ExtBlkRef, itemAt(previous, 1))),
);

export function blkPrevInfo(afterMerge: boolean): Codec<BlkPrevInfo> {
  return afterMerge ? twoPrevious : onePrevious;
}

/** Codec of a block id in a cell. */
export const BlockIdExt = codec<BlockId>(
  "BlockIdExt",
  (slice) => ({
    ...ShardIdent.load(slice),
    seqno: uint32.load(slice),
    rootHash: bits256.load(slice),
    fileHash: bits256.load(slice),
  }),
  (id, builder) => {
    ShardIdent.store(id, builder);
    uint32.store(id.seqno, builder);
    bits256.store(id.rootHash, builder);
    bits256.store(id.fileHash, builder);
  },
);
