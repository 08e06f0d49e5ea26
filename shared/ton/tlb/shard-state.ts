// shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr;
// shard_state#9023afe2 global_id:int32 shard_id:ShardIdent seq_no:uint32 vert_seq_no:#
//   gen_utime:uint32 gen_lt:uint64 min_ref_mc_seqno:uint32
//   out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1) accounts:^ShardAccounts
//   ^[ overload_history:uint64 underload_history:uint64
//   total_balance:CurrencyCollection total_validator_fees:CurrencyCollection
//   libraries:(HashmapE 256 LibDescr) master_ref:(Maybe BlkMasterInfo) ]
//   custom:(Maybe ^McStateExtra) = ShardStateUnsplit;
// _ ShardStateUnsplit = ShardState;
// split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState;
import { bytesKey, type Dictionary } from "../cells/dictionaries/dictionary.js";
import { BlkMasterInfo } from "./block-ref.js";
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { CurrencyCollection } from "./currency-collection.js";
import { hashmap, hashmapE } from "./dictionaries.js";
import { McStateExtra } from "./mc-state-extra.js";
import { OutMsgQueueInfo } from "./out-msg-queue.js";
import { bool, cellRef, int32, maybe, uint32, uint64, unit } from "./primitives.js";
import { checked, choice, record } from "./record.js";
import { ShardAccounts } from "./shard-account.js";
import { assertUnmarked, StateShardIdent } from "./shard-ident.js";

/** A public library and the masterchain accounts that publish it. */
type LibDescr = Decoded<typeof LibDescr>;
const LibDescr = record("shared_lib_descr$00", {
  lib: cellRef,
  publishers: hashmap(bytesKey(32), unit),
});

/** Public libraries, keyed by hash. */
export type Libraries = Dictionary<Uint8Array, LibDescr>;
export const Libraries = hashmapE(bytesKey(32), LibDescr);

export type ShardStateTotals = Decoded<typeof ShardStateTotals>;
export const ShardStateTotals = record("shard_state#9023afe2 ^[]", {
  overloadHistory: uint64,
  underloadHistory: uint64,
  totalBalance: CurrencyCollection,
  totalValidatorFees: CurrencyCollection,
  libraries: Libraries,
  masterRef: maybe(BlkMasterInfo),
});

export type ShardStateUnsplit = Decoded<typeof ShardStateUnsplit>;
export const ShardStateUnsplit = checked(
  record("shard_state#9023afe2", {
    globalId: int32,
    shardId: StateShardIdent,
    seqno: uint32,
    vertSeqno: uint32,
    genUtime: uint32,
    genLt: uint64,
    minRefMcSeqno: uint32,
    outMsgQueueInfo: cellOf(OutMsgQueueInfo),
    beforeSplit: bool,
    accounts: cellOf(ShardAccounts),
    totals: cellOf(ShardStateTotals),
    custom: maybe(cellOf(McStateExtra)),
  }),
  ({ seqno, shardId }) => {
    if (seqno !== 0) assertUnmarked(shardId);
  },
);

/** The state of a shard. After its last block before a split, it contains the states of both halves. */
export type ShardState = Decoded<typeof ShardState>;
export const ShardState = choice("ShardState", {
  unsplit: ShardStateUnsplit,
  split: record("split_state#5f327da5", {
    left: cellOf(ShardStateUnsplit),
    right: cellOf(ShardStateUnsplit),
  }),
});
