import { raw } from "sql-template-tag";
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
import { bare, object, objectOfKnown, quoted } from "./json-text.js";
import { messageText, withContents } from "./message-json.js";

const word = (column: string, words: readonly string[]) => quoted(wordOf(column, words).sql);
const where = (condition: string, value: string) => `case when ${condition} then ${value} end`;

const size = (cells: string, bits: string) => object({ cells: quoted(cells), bits: quoted(bits) });

const storage = objectOfKnown({
  storage_fees_collected: quoted("t.storage_fees_collected"),
  storage_fees_due: quoted("t.storage_fees_due"),
  status_change: word("t.storage_status_change", statusChanges),
});
const credit = objectOfKnown({
  due_fees_collected: quoted("t.credit_due_fees_collected"),
  credit: quoted("t.credit"),
  credit_extra_currencies: bare("t.credit_extra_currencies"),
});
const skipped = objectOfKnown({ skipped: "'true'", reason: word("t.skipped_reason", skipReasons) });
const computed = objectOfKnown({
  skipped: "'false'",
  success: bare("t.compute_success"),
  msg_state_used: bare("t.compute_msg_state_used"),
  account_activated: bare("t.compute_account_activated"),
  gas_fees: quoted("t.compute_gas_fees"),
  gas_used: quoted("t.compute_gas_used"),
  gas_limit: quoted("t.compute_gas_limit"),
  gas_credit: quoted("t.compute_gas_credit"),
  mode: bare("t.compute_mode"),
  exit_code: bare("t.compute_exit_code"),
  exit_arg: bare("t.compute_exit_arg"),
  vm_steps: bare("t.compute_vm_steps"),
  vm_init_state_hash: quoted("wire_hash(t.compute_vm_init_state_hash)"),
  vm_final_state_hash: quoted("wire_hash(t.compute_vm_final_state_hash)"),
});
const action = objectOfKnown({
  success: bare("t.action_success"),
  valid: bare("t.action_valid"),
  no_funds: bare("t.action_no_funds"),
  status_change: word("t.action_status_change", statusChanges),
  total_fwd_fees: quoted("t.action_total_fwd_fees"),
  total_action_fees: quoted("t.action_total_action_fees"),
  result_code: bare("t.action_result_code"),
  result_arg: bare("t.action_result_arg"),
  tot_actions: bare("t.action_tot_actions"),
  spec_actions: bare("t.action_spec_actions"),
  skipped_actions: bare("t.action_skipped_actions"),
  msgs_created: bare("t.action_msgs_created"),
  action_list_hash: quoted("wire_hash(t.action_action_list_hash)"),
  tot_msg_size: size("t.action_tot_msg_size_cells", "t.action_tot_msg_size_bits"),
});
const bounce = objectOfKnown({
  type: word("t.bounce", bounceKinds),
  msg_size: where(
    "t.bounce_msg_size_cells is not null",
    size("t.bounce_msg_size_cells", "t.bounce_msg_size_bits"),
  ),
  req_fwd_fees: quoted("t.bounce_req_fwd_fees"),
  msg_fees: quoted("t.bounce_msg_fees"),
  fwd_fees: quoted("t.bounce_fwd_fees"),
});
const split = objectOfKnown({
  cur_shard_pfx_len: bare("t.split_info_cur_shard_pfx_len"),
  acc_split_depth: bare("t.split_info_acc_split_depth"),
  this_addr: quoted("wire_hash(t.split_info_this_addr)"),
  sibling_addr: quoted("wire_hash(t.split_info_sibling_addr)"),
});

/** What a kind of transaction, or a phase, does not have is left out. */
const description = objectOfKnown({
  type: word("t.descr", transactionKinds),
  aborted: bare("t.aborted"),
  destroyed: bare("t.destroyed"),
  credit_first: bare("t.credit_first"),
  is_tock: bare("t.is_tock"),
  installed: bare("t.installed"),
  storage_ph: where("t.storage_status_change is not null", storage),
  credit_ph: where("t.credit is not null", credit),
  compute_ph: `case when t.compute_skipped then ${skipped} when not t.compute_skipped then ${computed} end`,
  action: where("t.action_success is not null", action),
  bounce: where("t.bounce is not null", bounce),
  split_info: where("t.split_info_cur_shard_pfx_len is not null", split),
});

function state(hash: string, alias: string): string {
  return object({
    hash: quoted(`wire_hash(${hash})`),
    balance: quoted(`${alias}.balance`),
    extra_currencies: where(
      `${alias}.hash is not null`,
      `coalesce(${alias}.balance_extra_currencies::text, '{}')`,
    ),
    account_status: word(`${alias}.account_status`, accountStatuses),
    frozen_hash: quoted(`wire_hash(${alias}.frozen_hash)`),
    data_hash: quoted(`wire_hash(${alias}.data_hash)`),
    code_hash: quoted(`wire_hash(${alias}.code_hash)`),
  });
}

/** A transaction as answered, with the cuts of its messages. Row `t` with `before`, `after` and `own`. */
export const transactionText: Fragment = raw(
  object({
    account: quoted("wire_address(t.account)"),
    hash: quoted("wire_hash(t.hash)"),
    lt: quoted("t.lt"),
    now: bare("t.now"),
    mc_block_seqno: bare("t.mc_block_seqno"),
    trace_id: quoted("wire_hash(t.trace_id)"),
    prev_trans_hash: quoted("wire_hash(t.prev_trans_hash)"),
    prev_trans_lt: quoted("t.prev_trans_lt"),
    orig_status: word("t.orig_status", accountStatuses),
    end_status: word("t.end_status", accountStatuses),
    total_fees: quoted("t.total_fees"),
    total_fees_extra_currencies: "coalesce(t.total_fees_extra_currencies::text, '{}')",
    description,
    block_ref: object({
      workchain: bare("t.block_workchain"),
      shard: quoted("wire_shard(t.block_shard)"),
      seqno: bare("t.block_seqno"),
    }),
    in_msg: "own.in_msg",
    out_msgs: "concat('[', own.out_msgs, ']')",
    account_state_before: state("t.account_state_hash_before", "before"),
    account_state_after: state("t.account_state_hash_after", "after"),
    emulated: "'false'",
    finality: "'\"finalized\"'",
  }),
);

/** The raw addresses a transaction's answer explains, with blanks between them. */
export const transactionAddresses: Fragment = raw("concat_ws(' ', wire_address(t.account), own.peers)");

const isIn = `m.direction = ${codeOf(directions, "in")}`;

/** account_states by its primary key, messages by theirs. */
export const withParts: Fragment = raw(`
  left join account_states before on before.hash = t.account_state_hash_before
  left join account_states after on after.hash = t.account_state_hash_after
  cross join lateral (
    select string_agg(m.text, '') filter (where ${isIn}) as in_msg,
      string_agg(m.text, ',' order by m.created_lt) filter (where not ${isIn}) as out_msgs,
      string_agg(wire_address(m.peer), ' ') as peers
    from (
      select m.direction, m.created_lt, ${messageText()} as text,
        case when ${isIn} then m.source else m.destination end as peer
      from messages m ${withContents.sql}
      where m.tx_hash = t.hash and m.tx_lt = t.lt) m) own`);
