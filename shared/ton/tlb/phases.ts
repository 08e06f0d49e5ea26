// tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams)
//   status_change:AccStatusChange = TrStoragePhase;
// acst_unchanged$0 = AccStatusChange;
// acst_frozen$10 = AccStatusChange;
// acst_deleted$11 = AccStatusChange;
// tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection = TrCreditPhase;
// tr_phase_compute_skipped$0 reason:ComputeSkipReason = TrComputePhase;
// tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams
//   ^[ gas_used:(VarUInteger 7) gas_limit:(VarUInteger 7) gas_credit:(Maybe (VarUInteger 3))
//   mode:int8 exit_code:int32 exit_arg:(Maybe int32) vm_steps:uint32
//   vm_init_state_hash:bits256 vm_final_state_hash:bits256 ] = TrComputePhase;
// cskip_no_state$00 = ComputeSkipReason;
// cskip_bad_state$01 = ComputeSkipReason;
// cskip_no_gas$10 = ComputeSkipReason;
// cskip_suspended$110 = ComputeSkipReason;
// tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange
//   total_fwd_fees:(Maybe Grams) total_action_fees:(Maybe Grams)
//   result_code:int32 result_arg:(Maybe int32) tot_actions:uint16
//   spec_actions:uint16 skipped_actions:uint16 msgs_created:uint16
//   action_list_hash:bits256 tot_msg_size:StorageUsed = TrActionPhase;
// tr_phase_bounce_negfunds$00 = TrBouncePhase;
// tr_phase_bounce_nofunds$01 msg_size:StorageUsed req_fwd_fees:Grams = TrBouncePhase;
// tr_phase_bounce_ok$1 msg_size:StorageUsed msg_fees:Grams fwd_fees:Grams = TrBouncePhase;
import { StorageUsed } from "./account.js";
import type { Decoded } from "./codec.js";
import { CurrencyCollection } from "./currency-collection.js";
import { bits256, bool, coins, int, int32, maybe, smallVarUint, uint16, uint32 } from "./primitives.js";
import { choice, enumeration, record } from "./record.js";

const AccStatusChange = enumeration("AccStatusChange", {
  unchanged: "$0",
  frozen: "$10",
  deleted: "$11",
});

export type TrStoragePhase = Decoded<typeof TrStoragePhase>;
export const TrStoragePhase = record("tr_phase_storage$_", {
  storageFeesCollected: coins,
  storageFeesDue: maybe(coins),
  statusChange: AccStatusChange,
});

export type TrCreditPhase = Decoded<typeof TrCreditPhase>;
export const TrCreditPhase = record("tr_phase_credit$_", {
  dueFeesCollected: maybe(coins),
  credit: CurrencyCollection,
});

export type ComputeSkipReason = Decoded<typeof ComputeSkipReason>;
export const ComputeSkipReason = enumeration("ComputeSkipReason", {
  noState: "$00",
  badState: "$01",
  noGas: "$10",
  suspended: "$110",
});

export type TrComputePhase = Decoded<typeof TrComputePhase>;
export const TrComputePhase = choice("TrComputePhase", {
  skipped: record("tr_phase_compute_skipped$0", { reason: ComputeSkipReason }),
  vm: record(
    "tr_phase_compute_vm$1",
    { success: bool, msgStateUsed: bool, accountActivated: bool, gasFees: coins },
    {
      gasUsed: smallVarUint(7),
      gasLimit: smallVarUint(7),
      gasCredit: maybe(smallVarUint(3)),
      mode: int(8),
      exitCode: int32,
      exitArg: maybe(int32),
      vmSteps: uint32,
      vmInitStateHash: bits256,
      vmFinalStateHash: bits256,
    },
  ),
});

export type TrActionPhase = Decoded<typeof TrActionPhase>;
export const TrActionPhase = record("tr_phase_action$_", {
  success: bool,
  valid: bool,
  noFunds: bool,
  statusChange: AccStatusChange,
  totalFwdFees: maybe(coins),
  totalActionFees: maybe(coins),
  resultCode: int32,
  resultArg: maybe(int32),
  totActions: uint16,
  specActions: uint16,
  skippedActions: uint16,
  msgsCreated: uint16,
  actionListHash: bits256,
  totMsgSize: StorageUsed,
});

export type TrBouncePhase = Decoded<typeof TrBouncePhase>;
export const TrBouncePhase = choice("TrBouncePhase", {
  negFunds: record("tr_phase_bounce_negfunds$00", {}),
  noFunds: record("tr_phase_bounce_nofunds$01", { msgSize: StorageUsed, reqFwdFees: coins }),
  ok: record("tr_phase_bounce_ok$1", { msgSize: StorageUsed, msgFees: coins, fwdFees: coins }),
});
