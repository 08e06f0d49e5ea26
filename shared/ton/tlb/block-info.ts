// block_info#9bc7a987 version:uint32
//   not_master:(## 1) after_merge:(## 1) before_split:(## 1) after_split:(## 1)
//   want_split:Bool want_merge:Bool key_block:Bool vert_seqno_incr:(## 1)
//   flags:(## 8) { flags <= 1 }
//   seq_no:# vert_seq_no:# { vert_seq_no >= vert_seqno_incr }
//   { prev_seq_no:# } { ~prev_seq_no + 1 = seq_no }
//   shard:ShardIdent gen_utime:uint32 start_lt:uint64 end_lt:uint64
//   gen_validator_list_hash_short:uint32 gen_catchain_seqno:uint32
//   min_ref_mc_seqno:uint32 prev_key_block_seqno:uint32
//   gen_software:flags . 0?GlobalVersion
//   master_ref:not_master?^BlkMasterInfo
//   prev_ref:^(BlkPrevInfo after_merge)
//   prev_vert_ref:vert_seqno_incr?^(BlkPrevInfo 0) = BlockInfo;
import type { Slice } from "../cells/slice.js";
import { BlkMasterInfo, type BlkPrevInfo, blkPrevInfo } from "./block-ref.js";
import { type CellOf, cellOf } from "./cell-of.js";
import { type Codec, codec, type Decoded, TlbError } from "./codec.js";
import { GlobalVersion } from "./global-version.js";
import { bool, uint8, uint32, uint64 } from "./primitives.js";
import { record } from "./record.js";
import { ShardIdent } from "./shard-ident.js";

/** The fields before the conditional ones. */
const head = record("block_info#9bc7a987", {
  version: uint32,
  notMaster: bool,
  afterMerge: bool,
  beforeSplit: bool,
  afterSplit: bool,
  wantSplit: bool,
  wantMerge: bool,
  keyBlock: bool,
  vertSeqnoIncr: bool,
  flags: uint8,
  seqno: uint32,
  vertSeqno: uint32,
  shardId: ShardIdent,
  genUtime: uint32,
  startLt: uint64,
  endLt: uint64,
  genValidatorListHashShort: uint32,
  genCatchainSeqno: uint32,
  minRefMcSeqno: uint32,
  prevKeyBlockSeqno: uint32,
});

const masterRef = cellOf(BlkMasterInfo);
const prevVertRef = cellOf(blkPrevInfo(false));

/**
 * The header of a block. `notMaster`, `vertSeqnoIncr` and `flags` state whether `masterRef`, `prevVertRef` and
 * `genSoftware` are present. Storing throws `TlbError` if they do not match.
 */
export type BlockInfo = Decoded<typeof head> & {
  genSoftware: GlobalVersion | undefined;
  /** Absent in masterchain blocks. */
  masterRef: CellOf<BlkMasterInfo> | undefined;
  prevRef: CellOf<BlkPrevInfo>;
  prevVertRef: CellOf<BlkPrevInfo> | undefined;
};

function when<T>(present: boolean, type: Codec<T>, slice: Slice): T | undefined {
  return present ? type.load(slice) : undefined;
}

export const BlockInfo = codec<BlockInfo>(
  "BlockInfo",
  (slice) => {
    const fields = head.load(slice);
    if (fields.flags > 1) throw new TlbError(`BlockInfo has flags 0 or 1, not ${fields.flags}`);
    return {
      ...fields,
      genSoftware: when(fields.flags === 1, GlobalVersion, slice),
      masterRef: when(fields.notMaster, masterRef, slice),
      prevRef: cellOf(blkPrevInfo(fields.afterMerge)).load(slice),
      prevVertRef: when(fields.vertSeqnoIncr, prevVertRef, slice),
    };
  },
  (info, builder) => {
    const { genSoftware } = info;
    agree("flags", info.flags === 1, genSoftware);
    agree("notMaster", info.notMaster, info.masterRef);
    agree("vertSeqnoIncr", info.vertSeqnoIncr, info.prevVertRef);
    head.store(info, builder);
    if (genSoftware) GlobalVersion.store(genSoftware, builder);
    if (info.masterRef) masterRef.store(info.masterRef, builder);
    builder.storeRef(info.prevRef.cell);
    if (info.prevVertRef) prevVertRef.store(info.prevVertRef, builder);
  },
);

function agree(flag: string, value: boolean, field: unknown): void {
  if (value !== (field !== undefined)) throw new TlbError(`BlockInfo: ${flag} does not match its field`);
}
