// fsm_none$0 = FutureSplitMerge;
// fsm_split$10 split_utime:uint32 interval:uint32 = FutureSplitMerge;
// fsm_merge$11 merge_utime:uint32 interval:uint32 = FutureSplitMerge;
// shard_descr#b seq_no:uint32 reg_mc_seqno:uint32 start_lt:uint64 end_lt:uint64
//   root_hash:bits256 file_hash:bits256
//   before_split:Bool before_merge:Bool want_split:Bool want_merge:Bool
//   nx_cc_updated:Bool flags:(## 3) { flags = 0 }
//   next_catchain_seqno:uint32 next_validator_shard:uint64
//   min_ref_mc_seqno:uint32 gen_utime:uint32 split_merge_at:FutureSplitMerge
//   fees_collected:CurrencyCollection funds_created:CurrencyCollection = ShardDescr;
// shard_descr_new#a (the same up to split_merge_at)
//   ^[ fees_collected:CurrencyCollection funds_created:CurrencyCollection ] = ShardDescr;
import type { Decoded } from "./codec.js";
import { CurrencyCollection } from "./currency-collection.js";
import { bits256, bool, uint, uint32, uint64 } from "./primitives.js";
import { choice, record } from "./record.js";

const FutureSplitMerge = choice("FutureSplitMerge", {
  none: record("fsm_none$0", {}),
  split: record("fsm_split$10", { utime: uint32, interval: uint32 }),
  merge: record("fsm_merge$11", { utime: uint32, interval: uint32 }),
});

const common = {
  seqno: uint32,
  regMcSeqno: uint32,
  startLt: uint64,
  endLt: uint64,
  rootHash: bits256,
  fileHash: bits256,
  beforeSplit: bool,
  beforeMerge: bool,
  wantSplit: bool,
  wantMerge: bool,
  nxCcUpdated: bool,
  flags: uint(3),
  nextCatchainSeqno: uint32,
  nextValidatorShard: uint64,
  minRefMcSeqno: uint32,
  genUtime: uint32,
  splitMergeAt: FutureSplitMerge,
};
const funds = { feesCollected: CurrencyCollection, fundsCreated: CurrencyCollection };

/** The newest block of a shard as registered in the masterchain. Nodes write `v2`. */
export type ShardDescr = Decoded<typeof ShardDescr>;
export const ShardDescr = choice("ShardDescr", {
  v1: record("shard_descr#b", { ...common, ...funds }),
  v2: record("shard_descr_new#a", common, funds),
});
