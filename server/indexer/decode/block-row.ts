import { previousBlockIds } from "../../../shared/ton/proofs/make/shard-links.js";
import type { Block } from "../../../shared/ton/tlb/block.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { BlockRow } from "../../store/tables/blocks.js";
import { signedShard } from "./values.js";

/** Sums over a block's transactions. */
type Totals = Pick<BlockRow, "tx_count" | "total_fees">;

export function blockRow(id: BlockIdExt, block: Block, mcSeqno: number, totals: Totals): BlockRow {
  const info = block.info.value;
  const extra = block.extra.value;
  const previous = previousBlockIds(id, info);
  return {
    workchain: id.workchain,
    shard: signedShard(id.shard),
    seqno: id.seqno,
    root_hash: id.rootHash,
    file_hash: id.fileHash,
    mc_block_seqno: mcSeqno,
    global_id: block.globalId,
    version: info.version,
    after_merge: info.afterMerge,
    before_split: info.beforeSplit,
    after_split: info.afterSplit,
    want_merge: info.wantMerge,
    want_split: info.wantSplit,
    key_block: info.keyBlock,
    vert_seqno_incr: info.vertSeqnoIncr,
    flags: info.flags,
    gen_utime: info.genUtime,
    start_lt: info.startLt,
    end_lt: info.endLt,
    validator_list_hash_short: info.genValidatorListHashShort | 0,
    gen_catchain_seqno: info.genCatchainSeqno | 0,
    min_ref_mc_seqno: info.minRefMcSeqno,
    prev_key_block_seqno: info.prevKeyBlockSeqno,
    vert_seqno: info.vertSeqno,
    master_ref_seqno: info.masterRef?.value.master.seqno ?? 0,
    rand_seed: extra.randSeed,
    created_by: extra.createdBy,
    ...totals,
    prev_shards: previous.map(({ shard }) => signedShard(shard)),
    prev_seqnos: previous.map(({ seqno }) => seqno),
  };
}
