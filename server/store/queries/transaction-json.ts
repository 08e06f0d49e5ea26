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
import { bare, flag, object, orNull, perhapsBare, perhapsText, sqlOf, text, when } from "./json-text.js";
import { messageText, withContents } from "./message-json.js";

const word = (column: string, words: readonly string[]) => text(wordOf(column, words).sql);
const size = (cells: string, bits: string) => object({ cells: text(cells), bits: text(bits) });

const storage = object(
  { status_change: word("t.storage_status_change", statusChanges) },
  {
    storage_fees_collected: perhapsText("t.storage_fees_collected"),
    storage_fees_due: perhapsText("t.storage_fees_due"),
  },
);
const credit = object(
  { credit: text("t.credit") },
  {
    due_fees_collected: perhapsText("t.credit_due_fees_collected"),
    credit_extra_currencies: perhapsBare("t.credit_extra_currencies"),
  },
);
const skipped = object({ skipped: bare("'true'"), reason: word("t.skipped_reason", skipReasons) });
const computed = object(
  {
    skipped: bare("'false'"),
    success: flag("t.compute_success"),
    msg_state_used: flag("t.compute_msg_state_used"),
    account_activated: flag("t.compute_account_activated"),
    gas_fees: text("t.compute_gas_fees"),
    gas_used: text("t.compute_gas_used"),
    gas_limit: text("t.compute_gas_limit"),
    mode: bare("t.compute_mode"),
    exit_code: bare("t.compute_exit_code"),
    vm_steps: bare("t.compute_vm_steps"),
    vm_init_state_hash: text("wire_hash(t.compute_vm_init_state_hash)"),
    vm_final_state_hash: text("wire_hash(t.compute_vm_final_state_hash)"),
  },
  { gas_credit: perhapsText("t.compute_gas_credit"), exit_arg: perhapsBare("t.compute_exit_arg") },
);
const action = object(
  {
    success: flag("t.action_success"),
    valid: flag("t.action_valid"),
    no_funds: flag("t.action_no_funds"),
    status_change: word("t.action_status_change", statusChanges),
    result_code: bare("t.action_result_code"),
    tot_actions: bare("t.action_tot_actions"),
    spec_actions: bare("t.action_spec_actions"),
    skipped_actions: bare("t.action_skipped_actions"),
    msgs_created: bare("t.action_msgs_created"),
    action_list_hash: text("wire_hash(t.action_action_list_hash)"),
    tot_msg_size: size("t.action_tot_msg_size_cells", "t.action_tot_msg_size_bits"),
  },
  {
    total_fwd_fees: perhapsText("t.action_total_fwd_fees"),
    total_action_fees: perhapsText("t.action_total_action_fees"),
    result_arg: perhapsBare("t.action_result_arg"),
  },
);
const bounce = object(
  { type: word("t.bounce", bounceKinds) },
  {
    msg_size: when(
      "t.bounce_msg_size_cells is not null",
      size("t.bounce_msg_size_cells", "t.bounce_msg_size_bits"),
    ),
    req_fwd_fees: perhapsText("t.bounce_req_fwd_fees"),
    msg_fees: perhapsText("t.bounce_msg_fees"),
    fwd_fees: perhapsText("t.bounce_fwd_fees"),
  },
);
const split = object({
  cur_shard_pfx_len: bare("t.split_info_cur_shard_pfx_len"),
  acc_split_depth: bare("t.split_info_acc_split_depth"),
  this_addr: text("wire_hash(t.split_info_this_addr)"),
  sibling_addr: text("wire_hash(t.split_info_sibling_addr)"),
});

/** What a kind of transaction, or a phase, does not have is left out. */
const description = object(
  { type: word("t.descr", transactionKinds) },
  {
    aborted: perhapsBare("t.aborted"),
    destroyed: perhapsBare("t.destroyed"),
    credit_first: perhapsBare("t.credit_first"),
    is_tock: perhapsBare("t.is_tock"),
    installed: perhapsBare("t.installed"),
    storage_ph: when("t.storage_status_change is not null", storage),
    credit_ph: when("t.credit is not null", credit),
    compute_ph: `case when t.compute_skipped then ${sqlOf(skipped)}
      when not t.compute_skipped then ${sqlOf(computed)} end`,
    action: when("t.action_success is not null", action),
    bounce: when("t.bounce is not null", bounce),
    split_info: when("t.split_info_cur_shard_pfx_len is not null", split),
  },
);

function state(hash: string, alias: string) {
  const currencies = bare(`coalesce(${alias}.balance_extra_currencies::text, '{}')`);
  return object({
    hash: text(`wire_hash(${hash})`),
    balance: orNull(perhapsText(`${alias}.balance`)),
    extra_currencies: orNull(when(`${alias}.hash is not null`, currencies)),
    account_status: orNull(perhapsText(wordOf(`${alias}.account_status`, accountStatuses).sql)),
    frozen_hash: orNull(perhapsText(`wire_hash(${alias}.frozen_hash)`)),
    data_hash: orNull(perhapsText(`wire_hash(${alias}.data_hash)`)),
    code_hash: orNull(perhapsText(`wire_hash(${alias}.code_hash)`)),
  });
}

/** A transaction as answered, with the cuts of its messages. Row `t` with `before`, `after` and `own`. */
export const transactionText: Fragment = raw(
  sqlOf(
    object({
      account: text("wire_address(t.account)"),
      hash: text("wire_hash(t.hash)"),
      lt: text("t.lt"),
      now: bare("t.now"),
      mc_block_seqno: bare("t.mc_block_seqno"),
      trace_id: text("wire_hash(t.trace_id)"),
      prev_trans_hash: text("wire_hash(t.prev_trans_hash)"),
      prev_trans_lt: text("t.prev_trans_lt"),
      orig_status: word("t.orig_status", accountStatuses),
      end_status: word("t.end_status", accountStatuses),
      total_fees: text("t.total_fees"),
      total_fees_extra_currencies: bare("coalesce(t.total_fees_extra_currencies::text, '{}')"),
      description,
      block_ref: object({
        workchain: bare("t.block_workchain"),
        shard: text("wire_shard(t.block_shard)"),
        seqno: bare("t.block_seqno"),
      }),
      in_msg: orNull("own.in_msg"),
      out_msgs: [{ text: "[" }, { sql: "own.out_msgs" }, { text: "]" }],
      account_state_before: state("t.account_state_hash_before", "before"),
      account_state_after: state("t.account_state_hash_after", "after"),
      emulated: bare("'false'"),
      finality: bare("'\"finalized\"'"),
    }),
  ),
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
