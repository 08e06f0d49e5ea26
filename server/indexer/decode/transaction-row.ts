import { v3Currencies } from "../../../shared/ton/present/v3/message.js";
import { bounceKinds, kinds, skipReasons } from "../../../shared/ton/present/v3/words.js";
import type { BlockId } from "../../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { TransactionDescr } from "../../../shared/ton/tlb/transaction-descr.js";
import { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../../store/address-bytes.js";
import {
  accountStatuses,
  bounceKinds as bounceKindWords,
  codeOf,
  skipReasons as skipReasonWords,
  statusChanges,
  transactionKinds,
} from "../../store/codes.js";
import type { TransactionRow } from "../../store/tables/transactions.js";
import { signedShard } from "./values.js";

const kindCodes = codesOf(kinds, transactionKinds);
const skipCodes = codesOf(skipReasons, skipReasonWords);
const bounceCodes = codesOf(bounceKinds, bounceKindWords);

/** Codes of constructors, by the words for them. */
function codesOf<Name extends string, Word extends string>(
  words: Readonly<Record<Name, Word>>,
  list: readonly Word[],
): Record<Name, number> {
  const entries = Object.entries<Word>(words).map(([name, word]) => [name, codeOf(list, word)]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/**
 * The row of a transaction. `trace_id` is its own hash until traces are assembled. All kinds of descriptions use the
 * same names for phases, so the code tests for members instead of kinds.
 */
export function transactionRow(
  { cell, value }: CellOf<Transaction>,
  block: BlockId,
  mcSeqno: number,
): TransactionRow {
  const hash = cell.hash();
  const descr = value.description.value;
  const { storage, credit, compute, vm, action, bounce, bounced, bouncedSize, split } = phasesOf(descr);
  // A single object literal, so that all rows share a hidden class: encoding is several times faster.
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
    total_fees_extra_currencies: v3Currencies(value.totalFees),
    account_state_hash_before: value.stateUpdate.value.oldHash,
    account_state_hash_after: value.stateUpdate.value.newHash,
    descr: kindCodes[descr.kind],
    aborted: "aborted" in descr ? descr.aborted : undefined,
    destroyed: "destroyed" in descr ? descr.destroyed : undefined,
    credit_first: "creditFirst" in descr ? descr.creditFirst : undefined,
    is_tock: "isTock" in descr ? descr.isTock : undefined,
    installed: "installed" in descr ? descr.installed : undefined,
    storage_fees_collected: storage?.storageFeesCollected,
    storage_fees_due: storage?.storageFeesDue,
    storage_status_change: storage && codeOf(statusChanges, storage.statusChange),
    credit_due_fees_collected: credit?.dueFeesCollected,
    credit: credit?.credit.coins,
    credit_extra_currencies: credit && v3Currencies(credit.credit),
    compute_skipped: compute && compute.kind === "skipped",
    skipped_reason: compute?.kind === "skipped" ? skipCodes[compute.reason] : undefined,
    compute_success: vm?.success,
    compute_msg_state_used: vm?.msgStateUsed,
    compute_account_activated: vm?.accountActivated,
    compute_gas_fees: vm?.gasFees,
    compute_gas_used: vm?.gasUsed,
    compute_gas_limit: vm?.gasLimit,
    compute_gas_credit: vm?.gasCredit,
    compute_mode: vm?.mode,
    compute_exit_code: vm?.exitCode,
    compute_exit_arg: vm?.exitArg,
    compute_vm_steps: vm?.vmSteps,
    compute_vm_init_state_hash: unlessZero(vm?.vmInitStateHash),
    compute_vm_final_state_hash: unlessZero(vm?.vmFinalStateHash),
    action_success: action?.success,
    action_valid: action?.valid,
    action_no_funds: action?.noFunds,
    action_status_change: action && codeOf(statusChanges, action.statusChange),
    action_total_fwd_fees: action?.totalFwdFees,
    action_total_action_fees: action?.totalActionFees,
    action_result_code: action?.resultCode,
    action_result_arg: action?.resultArg,
    action_tot_actions: action?.totActions,
    action_spec_actions: action?.specActions,
    action_skipped_actions: action?.skippedActions,
    action_msgs_created: action?.msgsCreated,
    action_action_list_hash: action?.actionListHash,
    action_tot_msg_size_cells: action?.totMsgSize.cells,
    action_tot_msg_size_bits: action?.totMsgSize.bits,
    bounce: bounce && bounceCodes[bounce.kind],
    bounce_msg_size_cells: bouncedSize?.cells,
    bounce_msg_size_bits: bouncedSize?.bits,
    bounce_req_fwd_fees: bounce?.kind === "noFunds" ? bounce.reqFwdFees : undefined,
    bounce_msg_fees: bounced?.msgFees,
    bounce_fwd_fees: bounced?.fwdFees,
    split_info_cur_shard_pfx_len: split?.curShardPfxLen,
    split_info_acc_split_depth: split?.accSplitDepth,
    split_info_this_addr: split?.thisAddr,
    split_info_sibling_addr: split?.siblingAddr,
  };
}

/** The parts of a description, and what is in them only in some cases. */
function phasesOf(descr: TransactionDescr) {
  const storage = "storagePh" in descr ? descr.storagePh : undefined;
  const credit = "creditPh" in descr ? descr.creditPh : undefined;
  const compute = "computePh" in descr ? descr.computePh : undefined;
  const vm = compute?.kind === "vm" ? compute : undefined;
  const action = "action" in descr ? descr.action?.value : undefined;
  const bounce = "bounce" in descr ? descr.bounce : undefined;
  const bounced = bounce?.kind === "ok" ? bounce : undefined;
  const bouncedSize = bounce && bounce.kind !== "negFunds" ? bounce.msgSize : undefined;
  const split = "splitInfo" in descr ? descr.splitInfo : undefined;
  return { storage, credit, compute, vm, action, bounce, bounced, bouncedSize, split };
}

/** Hashes that are zero are not stored. */
function unlessZero(hash: Uint8Array | undefined): Uint8Array | undefined {
  return hash?.some((byte) => byte !== 0) ? hash : undefined;
}
