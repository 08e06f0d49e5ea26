// trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase)
//   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase)
//   aborted:Bool bounce:(Maybe TrBouncePhase) destroyed:Bool = TransactionDescr;
// trans_storage$0001 storage_ph:TrStoragePhase = TransactionDescr;
// trans_tick_tock$001 is_tock:Bool storage_ph:TrStoragePhase
//   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool = TransactionDescr;
// split_merge_info$_ cur_shard_pfx_len:(## 6) acc_split_depth:(## 6)
//   this_addr:bits256 sibling_addr:bits256 = SplitMergeInfo;
// trans_split_prepare$0100 split_info:SplitMergeInfo storage_ph:(Maybe TrStoragePhase)
//   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool = TransactionDescr;
// trans_split_install$0101 split_info:SplitMergeInfo prepare_transaction:^Transaction
//   installed:Bool = TransactionDescr;
// trans_merge_prepare$0110 split_info:SplitMergeInfo storage_ph:TrStoragePhase aborted:Bool = TransactionDescr;
// trans_merge_install$0111 split_info:SplitMergeInfo prepare_transaction:^Transaction
//   storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase)
//   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool = TransactionDescr;
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { TrActionPhase, TrBouncePhase, TrComputePhase, TrCreditPhase, TrStoragePhase } from "./phases.js";
import { bits256, bool, cellRef, maybe, uint } from "./primitives.js";
import { choice, record } from "./record.js";

export type SplitMergeInfo = Decoded<typeof SplitMergeInfo>;
export const SplitMergeInfo = record("split_merge_info$_", {
  curShardPfxLen: uint(6),
  accSplitDepth: uint(6),
  thisAddr: bits256,
  siblingAddr: bits256,
});

const action = maybe(cellOf(TrActionPhase));
/** Not decoded, because transaction.ts imports this file. */
const prepareTransaction = cellRef;

export type TransactionDescr = Decoded<typeof TransactionDescr>;
export const TransactionDescr = choice("TransactionDescr", {
  ord: record("trans_ord$0000", {
    creditFirst: bool,
    storagePh: maybe(TrStoragePhase),
    creditPh: maybe(TrCreditPhase),
    computePh: TrComputePhase,
    action,
    aborted: bool,
    bounce: maybe(TrBouncePhase),
    destroyed: bool,
  }),
  storage: record("trans_storage$0001", { storagePh: TrStoragePhase }),
  tickTock: record("trans_tick_tock$001", {
    isTock: bool,
    storagePh: TrStoragePhase,
    computePh: TrComputePhase,
    action,
    aborted: bool,
    destroyed: bool,
  }),
  splitPrepare: record("trans_split_prepare$0100", {
    splitInfo: SplitMergeInfo,
    storagePh: maybe(TrStoragePhase),
    computePh: TrComputePhase,
    action,
    aborted: bool,
    destroyed: bool,
  }),
  splitInstall: record("trans_split_install$0101", {
    splitInfo: SplitMergeInfo,
    prepareTransaction,
    installed: bool,
  }),
  mergePrepare: record("trans_merge_prepare$0110", {
    splitInfo: SplitMergeInfo,
    storagePh: TrStoragePhase,
    aborted: bool,
  }),
  mergeInstall: record("trans_merge_install$0111", {
    splitInfo: SplitMergeInfo,
    prepareTransaction,
    storagePh: maybe(TrStoragePhase),
    creditPh: maybe(TrCreditPhase),
    computePh: TrComputePhase,
    action,
    aborted: bool,
    destroyed: bool,
  }),
});
