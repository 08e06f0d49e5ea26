import { Address } from "../../../shared/values/address.js";
import type { BlockId } from "../../chain/block-id.js";
import type { CellOf } from "../../chain/tlb/cell-of.js";
import type {
  TrActionPhase,
  TrBouncePhase,
  TrComputePhase,
  TrCreditPhase,
  TrStoragePhase,
} from "../../chain/tlb/phases.js";
import type { Transaction } from "../../chain/tlb/transaction.js";
import type { SplitMergeInfo, TransactionDescr } from "../../chain/tlb/transaction-descr.js";
import { addressToBytes } from "../../store/address-bytes.js";
import {
  accountStatuses,
  bounceKinds,
  codeOf,
  skipReasons,
  statusChanges,
  transactionKinds,
} from "../../store/codes.js";
import type { TransactionRow } from "../../store/tables.js";
import { extraCurrencies, signedShard } from "./values.js";

type Columns = Partial<TransactionRow>;

/** A transaction as its row; until traces are assembled it counts as a trace of its own. */
export function transactionRow(
  { cell, value }: CellOf<Transaction>,
  block: BlockId,
  mcSeqno: number,
): TransactionRow {
  const hash = cell.hash();
  const { oldHash, newHash } = value.stateUpdate.value;
  return {
    account: addressToBytes(new Address(block.workchain, value.accountAddr)),
    hash,
    lt: value.lt,
    block_workchain: block.workchain,
    block_shard: signedShard(block.shard),
    block_seqno: block.seqno,
    mc_block_seqno: mcSeqno,
    trace_id: hash,
    prev_trans_hash: value.prevTransHash,
    prev_trans_lt: value.prevTransLt,
    now: value.now,
    orig_status: codeOf(accountStatuses, value.origStatus),
    end_status: codeOf(accountStatuses, value.endStatus),
    total_fees: value.totalFees.coins,
    total_fees_extra_currencies: extraCurrencies(value.totalFees),
    account_state_hash_before: oldHash,
    account_state_hash_after: newHash,
    ...descriptionColumns(value.description.value),
  };
}

const kindCodes = {
  ord: codeOf(transactionKinds, "ord"),
  storage: codeOf(transactionKinds, "storage"),
  tickTock: codeOf(transactionKinds, "tick_tock"),
  splitPrepare: codeOf(transactionKinds, "split_prepare"),
  splitInstall: codeOf(transactionKinds, "split_install"),
  mergePrepare: codeOf(transactionKinds, "merge_prepare"),
  mergeInstall: codeOf(transactionKinds, "merge_install"),
};

/** The kinds have their parts under the same names, so it is asked what is there instead of which kind it is. */
function descriptionColumns(descr: TransactionDescr): Columns & Pick<TransactionRow, "descr"> {
  return {
    descr: kindCodes[descr.kind],
    aborted: "aborted" in descr ? descr.aborted : undefined,
    destroyed: "destroyed" in descr ? descr.destroyed : undefined,
    credit_first: "creditFirst" in descr ? descr.creditFirst : undefined,
    is_tock: "isTock" in descr ? descr.isTock : undefined,
    installed: "installed" in descr ? descr.installed : undefined,
    ...("storagePh" in descr && descr.storagePh && storageColumns(descr.storagePh)),
    ...("creditPh" in descr && descr.creditPh && creditColumns(descr.creditPh)),
    ...("computePh" in descr && computeColumns(descr.computePh)),
    ...("action" in descr && descr.action && actionColumns(descr.action.value)),
    ...("bounce" in descr && descr.bounce && bounceColumns(descr.bounce)),
    ...("splitInfo" in descr && splitColumns(descr.splitInfo)),
  };
}

function storageColumns(phase: TrStoragePhase): Columns {
  return {
    storage_fees_collected: phase.storageFeesCollected,
    storage_fees_due: phase.storageFeesDue,
    storage_status_change: codeOf(statusChanges, phase.statusChange),
  };
}

function creditColumns({ dueFeesCollected, credit }: TrCreditPhase): Columns {
  return {
    credit_due_fees_collected: dueFeesCollected,
    credit: credit.coins,
    credit_extra_currencies: extraCurrencies(credit),
  };
}

const skipCodes = {
  noState: codeOf(skipReasons, "no_state"),
  badState: codeOf(skipReasons, "bad_state"),
  noGas: codeOf(skipReasons, "no_gas"),
  suspended: codeOf(skipReasons, "suspended"),
};

function computeColumns(phase: TrComputePhase): Columns {
  if (phase.kind === "skipped") return { compute_skipped: true, skipped_reason: skipCodes[phase.reason] };
  return {
    compute_skipped: false,
    compute_success: phase.success,
    compute_msg_state_used: phase.msgStateUsed,
    compute_account_activated: phase.accountActivated,
    compute_gas_fees: phase.gasFees,
    compute_gas_used: phase.gasUsed,
    compute_gas_limit: phase.gasLimit,
    compute_gas_credit: phase.gasCredit,
    compute_mode: phase.mode,
    compute_exit_code: phase.exitCode,
    compute_exit_arg: phase.exitArg,
    compute_vm_steps: phase.vmSteps,
    compute_vm_init_state_hash: phase.vmInitStateHash,
    compute_vm_final_state_hash: phase.vmFinalStateHash,
  };
}

function actionColumns(phase: TrActionPhase): Columns {
  return {
    action_success: phase.success,
    action_valid: phase.valid,
    action_no_funds: phase.noFunds,
    action_status_change: codeOf(statusChanges, phase.statusChange),
    action_total_fwd_fees: phase.totalFwdFees,
    action_total_action_fees: phase.totalActionFees,
    action_result_code: phase.resultCode,
    action_result_arg: phase.resultArg,
    action_tot_actions: phase.totActions,
    action_spec_actions: phase.specActions,
    action_skipped_actions: phase.skippedActions,
    action_msgs_created: phase.msgsCreated,
    action_action_list_hash: phase.actionListHash,
    action_tot_msg_size_cells: phase.totMsgSize.cells,
    action_tot_msg_size_bits: phase.totMsgSize.bits,
  };
}

function bounceColumns(phase: TrBouncePhase): Columns {
  if (phase.kind === "negFunds") return { bounce: codeOf(bounceKinds, "negfunds") };
  const size = { bounce_msg_size_cells: phase.msgSize.cells, bounce_msg_size_bits: phase.msgSize.bits };
  if (phase.kind === "noFunds")
    return { bounce: codeOf(bounceKinds, "nofunds"), ...size, bounce_req_fwd_fees: phase.reqFwdFees };
  return {
    bounce: codeOf(bounceKinds, "ok"),
    ...size,
    bounce_msg_fees: phase.msgFees,
    bounce_fwd_fees: phase.fwdFees,
  };
}

function splitColumns(info: SplitMergeInfo): Columns {
  return {
    split_info_cur_shard_pfx_len: info.curShardPfxLen,
    split_info_acc_split_depth: info.accSplitDepth,
    split_info_this_addr: info.thisAddr,
    split_info_sibling_addr: info.siblingAddr,
  };
}
