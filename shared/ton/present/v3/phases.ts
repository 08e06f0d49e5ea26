import type { z } from "zod";
import type { transactionDescription } from "../../../schema/v3/transactions.js";
import { bytesToBase64 } from "../../../values/bytes.js";
import type {
  TrActionPhase,
  TrBouncePhase,
  TrComputePhase,
  TrCreditPhase,
  TrStoragePhase,
} from "../../tlb/phases.js";
import type { SplitMergeInfo, TransactionDescr } from "../../tlb/transaction-descr.js";
import { v3Currencies } from "./message.js";
import { bounceKinds, kinds, skipReasons } from "./words.js";

type Answered = z.output<typeof transactionDescription>;

/** The phases of a transaction. All kinds have the same names for them, so the code tests for members. */
export function v3Description(descr: TransactionDescr): Answered {
  const storage = "storagePh" in descr ? descr.storagePh : undefined;
  const credit = "creditPh" in descr ? descr.creditPh : undefined;
  const action = "action" in descr ? descr.action?.value : undefined;
  const bounce = "bounce" in descr ? descr.bounce : undefined;
  return {
    type: kinds[descr.kind],
    aborted: "aborted" in descr ? descr.aborted : undefined,
    destroyed: "destroyed" in descr ? descr.destroyed : undefined,
    credit_first: "creditFirst" in descr ? descr.creditFirst : undefined,
    is_tock: "isTock" in descr ? descr.isTock : undefined,
    installed: "installed" in descr ? descr.installed : undefined,
    storage_ph: storage && storagePhase(storage),
    credit_ph: credit && creditPhase(credit),
    compute_ph: "computePh" in descr ? computePhase(descr.computePh) : undefined,
    action: action && actionPhase(action),
    bounce: bounce && bouncePhase(bounce),
    split_info: "splitInfo" in descr ? splitInfo(descr.splitInfo) : undefined,
  };
}

function storagePhase(phase: TrStoragePhase): Answered["storage_ph"] {
  return {
    storage_fees_collected: String(phase.storageFeesCollected),
    storage_fees_due: decimal(phase.storageFeesDue),
    status_change: phase.statusChange,
  };
}

function creditPhase(phase: TrCreditPhase): Answered["credit_ph"] {
  return {
    due_fees_collected: decimal(phase.dueFeesCollected),
    credit: String(phase.credit.coins),
    credit_extra_currencies: v3Currencies(phase.credit),
  };
}

function computePhase(phase: TrComputePhase): Answered["compute_ph"] {
  if (phase.kind === "skipped") return { skipped: true, reason: skipReasons[phase.reason] };
  return {
    skipped: false,
    success: phase.success,
    msg_state_used: phase.msgStateUsed,
    account_activated: phase.accountActivated,
    gas_fees: String(phase.gasFees),
    gas_used: String(phase.gasUsed),
    gas_limit: String(phase.gasLimit),
    gas_credit: decimal(phase.gasCredit),
    mode: phase.mode,
    exit_code: phase.exitCode,
    exit_arg: phase.exitArg,
    vm_steps: phase.vmSteps,
    vm_init_state_hash: bytesToBase64(phase.vmInitStateHash),
    vm_final_state_hash: bytesToBase64(phase.vmFinalStateHash),
  };
}

function actionPhase(phase: TrActionPhase): Answered["action"] {
  return {
    success: phase.success,
    valid: phase.valid,
    no_funds: phase.noFunds,
    status_change: phase.statusChange,
    total_fwd_fees: decimal(phase.totalFwdFees),
    total_action_fees: decimal(phase.totalActionFees),
    result_code: phase.resultCode,
    result_arg: phase.resultArg,
    tot_actions: phase.totActions,
    spec_actions: phase.specActions,
    skipped_actions: phase.skippedActions,
    msgs_created: phase.msgsCreated,
    action_list_hash: bytesToBase64(phase.actionListHash),
    tot_msg_size: size(phase.totMsgSize),
  };
}

function bouncePhase(phase: TrBouncePhase): Answered["bounce"] {
  return {
    type: bounceKinds[phase.kind],
    msg_size: phase.kind === "negFunds" ? undefined : size(phase.msgSize),
    req_fwd_fees: phase.kind === "noFunds" ? String(phase.reqFwdFees) : undefined,
    msg_fees: phase.kind === "ok" ? String(phase.msgFees) : undefined,
    fwd_fees: phase.kind === "ok" ? String(phase.fwdFees) : undefined,
  };
}

function splitInfo(info: SplitMergeInfo): Answered["split_info"] {
  return {
    cur_shard_pfx_len: info.curShardPfxLen,
    acc_split_depth: info.accSplitDepth,
    this_addr: bytesToBase64(info.thisAddr),
    sibling_addr: bytesToBase64(info.siblingAddr),
  };
}

function size({ cells, bits }: { cells: number | bigint; bits: number | bigint }) {
  return { cells: String(cells), bits: String(bits) };
}

function decimal(value: bigint | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
