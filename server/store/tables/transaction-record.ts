import type { z } from "zod";
import type { transaction } from "../../../shared/schema/v3/transactions.js";
import {
  type ColumnPart,
  columnsOf,
  constant,
  either,
  ifPresent,
  object,
  orEmpty,
  orNull,
  orZeroHash,
  type Part,
} from "../declare/record.js";
import { type AccountStateRow, accountStates } from "./accounts.js";
import type { MessageRecord } from "./message-record.js";
import { type TransactionRow, transactions } from "./transactions.js";

export type TransactionRecord = z.output<typeof transaction>;

/** A transaction with the account states it names, where they are known, and the records of its messages. */
type TransactionRows = {
  t: TransactionRow;
  before: AccountStateRow | undefined;
  after: AccountStateRow | undefined;
  own: { in_msg: MessageRecord | undefined; out_msgs: MessageRecord[] };
};

const t = columnsOf("t", transactions.columns);

const storage = object(
  { status_change: t.storage_status_change },
  { storage_fees_collected: t.storage_fees_collected, storage_fees_due: t.storage_fees_due },
);
const credit = object(
  { credit: t.credit },
  {
    due_fees_collected: t.credit_due_fees_collected,
    credit_extra_currencies: t.credit_extra_currencies,
  },
);
const skipped = object({ skipped: constant(true), reason: t.skipped_reason });
const computed = object(
  {
    skipped: constant(false),
    success: t.compute_success,
    msg_state_used: t.compute_msg_state_used,
    account_activated: t.compute_account_activated,
    gas_fees: t.compute_gas_fees,
    gas_used: t.compute_gas_used,
    gas_limit: t.compute_gas_limit,
    mode: t.compute_mode,
    exit_code: t.compute_exit_code,
    vm_steps: t.compute_vm_steps,
    vm_init_state_hash: orZeroHash(t.compute_vm_init_state_hash),
    vm_final_state_hash: orZeroHash(t.compute_vm_final_state_hash),
  },
  { gas_credit: t.compute_gas_credit, exit_arg: t.compute_exit_arg },
);
const action = object(
  {
    success: t.action_success,
    valid: t.action_valid,
    no_funds: t.action_no_funds,
    status_change: t.action_status_change,
    result_code: t.action_result_code,
    tot_actions: t.action_tot_actions,
    spec_actions: t.action_spec_actions,
    skipped_actions: t.action_skipped_actions,
    msgs_created: t.action_msgs_created,
    action_list_hash: t.action_action_list_hash,
    tot_msg_size: object({ cells: t.action_tot_msg_size_cells, bits: t.action_tot_msg_size_bits }),
  },
  {
    total_fwd_fees: t.action_total_fwd_fees,
    total_action_fees: t.action_total_action_fees,
    result_arg: t.action_result_arg,
  },
);
const bounce = object(
  { type: t.bounce },
  {
    msg_size: ifPresent(
      t.bounce_msg_size_cells,
      object({ cells: t.bounce_msg_size_cells, bits: t.bounce_msg_size_bits }),
    ),
    req_fwd_fees: t.bounce_req_fwd_fees,
    msg_fees: t.bounce_msg_fees,
    fwd_fees: t.bounce_fwd_fees,
  },
);
const split = object({
  cur_shard_pfx_len: t.split_info_cur_shard_pfx_len,
  acc_split_depth: t.split_info_acc_split_depth,
  this_addr: t.split_info_this_addr,
  sibling_addr: t.split_info_sibling_addr,
});

/** Members that a kind of transaction, or a phase, does not have are left out. */
const description = object(
  { type: t.descr },
  {
    aborted: t.aborted,
    destroyed: t.destroyed,
    credit_first: t.credit_first,
    is_tock: t.is_tock,
    installed: t.installed,
    storage_ph: ifPresent(t.storage_status_change, storage),
    credit_ph: ifPresent(t.credit, credit),
    compute_ph: either(t.compute_skipped, skipped, computed),
    action: ifPresent(t.action_success, action),
    bounce: ifPresent(t.bounce, bounce),
    split_info: ifPresent(t.split_info_cur_shard_pfx_len, split),
  },
);

/** The hash is the transaction's own word; of a state that is not known all else is null. */
function stateOf<Alias extends "before" | "after">(
  alias: Alias,
  hash: ColumnPart<Pick<TransactionRows, "t">, string>,
) {
  const state = columnsOf(alias, accountStates.columns);
  return object({
    hash,
    balance: orNull(state.balance),
    extra_currencies: orNull(ifPresent(state.hash, orEmpty(state.balance_extra_currencies))),
    account_status: orNull(state.account_status),
    frozen_hash: orNull(state.frozen_hash),
    data_hash: orNull(state.data_hash),
    code_hash: orNull(state.code_hash),
  });
}

const inMessage: Part<Pick<TransactionRows, "own">, MessageRecord | null> = {
  json: [{ sql: "coalesce(own.in_msg, 'null')" }],
  present: ({ own }) => own.in_msg ?? null,
};
const outMessages: Part<Pick<TransactionRows, "own">, MessageRecord[]> = {
  json: [{ literal: "[" }, { sql: "own.out_msgs" }, { literal: "]" }],
  present: ({ own }) => own.out_msgs,
};

/** A transaction as answered: row `t` of `transactions` with `before`, `after` and `own`. */
export const transactionRecord: Part<TransactionRows, TransactionRecord> = object({
  account: t.account,
  hash: t.hash,
  lt: t.lt,
  now: t.now,
  mc_block_seqno: t.mc_block_seqno,
  trace_id: t.trace_id,
  prev_trans_hash: t.prev_trans_hash,
  prev_trans_lt: t.prev_trans_lt,
  orig_status: t.orig_status,
  end_status: t.end_status,
  total_fees: t.total_fees,
  total_fees_extra_currencies: orEmpty(t.total_fees_extra_currencies),
  description,
  block_ref: object({ workchain: t.block_workchain, shard: t.block_shard, seqno: t.block_seqno }),
  in_msg: inMessage,
  out_msgs: outMessages,
  account_state_before: stateOf("before", t.account_state_hash_before),
  account_state_after: stateOf("after", t.account_state_hash_after),
  emulated: constant(false),
  finality: constant("finalized"),
});
