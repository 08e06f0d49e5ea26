import sql, { raw } from "sql-template-tag";
import {
  accountStatuses,
  bounceKinds,
  codeOf,
  directions,
  skipReasons,
  statusChanges,
  transactionKinds,
} from "../codes.js";
import { type Fragment, wordOf } from "../where.js";
import { messageJson, withContents } from "./message-json.js";

/** The members that a kind of transaction, or a phase, does not have are null here and left out of the answer. */
const description = sql`json_strip_nulls(json_build_object(
  'type', ${wordOf("t.descr", transactionKinds)},
  'aborted', t.aborted,
  'destroyed', t.destroyed,
  'credit_first', t.credit_first,
  'is_tock', t.is_tock,
  'installed', t.installed,
  'storage_ph', case when t.storage_status_change is not null then json_build_object(
    'storage_fees_collected', t.storage_fees_collected::text,
    'storage_fees_due', t.storage_fees_due::text,
    'status_change', ${wordOf("t.storage_status_change", statusChanges)}) end,
  'credit_ph', case when t.credit is not null then json_build_object(
    'due_fees_collected', t.credit_due_fees_collected::text,
    'credit', t.credit::text,
    'credit_extra_currencies', t.credit_extra_currencies) end,
  'compute_ph', case
    when t.compute_skipped then json_build_object(
      'skipped', true,
      'reason', ${wordOf("t.skipped_reason", skipReasons)})
    when not t.compute_skipped then json_build_object(
      'skipped', false,
      'success', t.compute_success,
      'msg_state_used', t.compute_msg_state_used,
      'account_activated', t.compute_account_activated,
      'gas_fees', t.compute_gas_fees::text,
      'gas_used', t.compute_gas_used::text,
      'gas_limit', t.compute_gas_limit::text,
      'gas_credit', t.compute_gas_credit::text,
      'mode', t.compute_mode,
      'exit_code', t.compute_exit_code,
      'exit_arg', t.compute_exit_arg,
      'vm_steps', t.compute_vm_steps,
      'vm_init_state_hash', wire_hash(t.compute_vm_init_state_hash),
      'vm_final_state_hash', wire_hash(t.compute_vm_final_state_hash)) end,
  'action', case when t.action_success is not null then json_build_object(
    'success', t.action_success,
    'valid', t.action_valid,
    'no_funds', t.action_no_funds,
    'status_change', ${wordOf("t.action_status_change", statusChanges)},
    'total_fwd_fees', t.action_total_fwd_fees::text,
    'total_action_fees', t.action_total_action_fees::text,
    'result_code', t.action_result_code,
    'result_arg', t.action_result_arg,
    'tot_actions', t.action_tot_actions,
    'spec_actions', t.action_spec_actions,
    'skipped_actions', t.action_skipped_actions,
    'msgs_created', t.action_msgs_created,
    'action_list_hash', wire_hash(t.action_action_list_hash),
    'tot_msg_size', json_build_object(
      'cells', t.action_tot_msg_size_cells::text,
      'bits', t.action_tot_msg_size_bits::text)) end,
  'bounce', case when t.bounce is not null then json_build_object(
    'type', ${wordOf("t.bounce", bounceKinds)},
    'msg_size', case when t.bounce_msg_size_cells is not null then json_build_object(
      'cells', t.bounce_msg_size_cells::text,
      'bits', t.bounce_msg_size_bits::text) end,
    'req_fwd_fees', t.bounce_req_fwd_fees::text,
    'msg_fees', t.bounce_msg_fees::text,
    'fwd_fees', t.bounce_fwd_fees::text) end,
  'split_info', case when t.split_info_cur_shard_pfx_len is not null then json_build_object(
    'cur_shard_pfx_len', t.split_info_cur_shard_pfx_len,
    'acc_split_depth', t.split_info_acc_split_depth,
    'this_addr', wire_hash(t.split_info_this_addr),
    'sibling_addr', wire_hash(t.split_info_sibling_addr)) end
))`;

function stateJson(hash: string, alias: string): Fragment {
  return sql`json_build_object(
    'hash', wire_hash(${raw(hash)}),
    'balance', ${raw(alias)}.balance::text,
    'extra_currencies', case when ${raw(alias)}.hash is not null
      then coalesce(${raw(alias)}.balance_extra_currencies, '{}') end,
    'account_status', ${wordOf(`${alias}.account_status`, accountStatuses)},
    'frozen_hash', wire_hash(${raw(alias)}.frozen_hash),
    'data_hash', wire_hash(${raw(alias)}.data_hash),
    'code_hash', wire_hash(${raw(alias)}.code_hash))`;
}

/** Messages of a transaction by the primary key. */
function messagesOf(direction: (typeof directions)[number]): Fragment {
  return sql`from messages m ${withContents}
    where m.tx_hash = t.hash and m.tx_lt = t.lt and m.direction = ${raw(String(codeOf(directions, direction)))}`;
}

/** A transaction as answered, but for what its messages say. Row `t` with the states `before` and `after`. */
export const transactionJson: Fragment = sql`json_build_object(
  'account', wire_address(t.account),
  'hash', wire_hash(t.hash),
  'lt', t.lt::text,
  'now', t.now,
  'mc_block_seqno', t.mc_block_seqno,
  'trace_id', wire_hash(t.trace_id),
  'prev_trans_hash', wire_hash(t.prev_trans_hash),
  'prev_trans_lt', t.prev_trans_lt::text,
  'orig_status', ${wordOf("t.orig_status", accountStatuses)},
  'end_status', ${wordOf("t.end_status", accountStatuses)},
  'total_fees', t.total_fees::text,
  'total_fees_extra_currencies', coalesce(t.total_fees_extra_currencies, '{}'),
  'description', ${description},
  'block_ref', wire_block_id(t.block_workchain, t.block_shard, t.block_seqno),
  'in_msg', (select ${messageJson()} ${messagesOf("in")}),
  'out_msgs', (select coalesce(json_agg(${messageJson()} order by m.created_lt), '[]') ${messagesOf("out")}),
  'account_state_before', ${stateJson("t.account_state_hash_before", "before")},
  'account_state_after', ${stateJson("t.account_state_hash_after", "after")},
  'emulated', false,
  'finality', 'finalized'
)`;

/** account_states by its primary key. */
export const withStates: Fragment = sql`
  left join account_states before on before.hash = t.account_state_hash_before
  left join account_states after on after.hash = t.account_state_hash_after`;
