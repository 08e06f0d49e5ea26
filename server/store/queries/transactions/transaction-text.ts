import SQL, { raw } from "sql-template-tag";
import { directions } from "../../codes.js";
import { textOf } from "../../declare/record.js";
import { messageText } from "../../tables/message-record.js";
import { transactionRecord } from "../../tables/transaction-record.js";
import { all, code, type Fragment, given } from "../../where.js";

/** A transaction as answered, with the cuts of its messages. Row `t` with `before`, `after` and `own`. */
const transactionText: Fragment = raw(textOf(transactionRecord));

/** The raw addresses a transaction's answer explains, separated by blanks. */
const transactionAddresses: Fragment = raw("concat_ws(' ', wire_address(t.account), own.peers)");

/** The columns of a `pageText` of transactions. */
export const pageColumns: Fragment = SQL`
  ${transactionText} as text, ${transactionAddresses} as addresses, array_append(own.accounts, t.account) as accounts`;

/** Columns of members of its text that trees of transactions are made of; hashes of sent messages are separated by blanks. */
export const nodeColumns = ["trace_id", "hash", "in_hash", "out_hashes"] as const;
export const transactionNode: Fragment = raw(
  "wire_hash(t.trace_id) as trace_id, wire_hash(t.hash) as hash, own.in_hash, own.out_hashes",
);

/**
 * The contents `b` and `i` of message `m`: message_contents by its primary key. `slot` is where the slot of the message
 * begins, and `bounds` are those of all messages and their slots. The start of a slot that was merged into it is behind it.
 */
export function withContents(slot: string, bounds?: { from: unknown; to: unknown }): Fragment {
  const content = (alias: string, hash: string) => SQL`
  left join lateral (
    select hash, body from message_contents
    where ${all(
      SQL`hash = ${raw(hash)} and from_lt >= ${raw(slot)} and from_lt <= m.tx_lt`,
      given(bounds, ({ from, to }) => SQL`from_lt between ${from} and ${to}`),
    )} limit 1) ${raw(alias)} on true`;
  return SQL`${content("b", "m.body_hash")}${content("i", "m.init_state_hash")}`;
}

const isIn: Fragment = raw(`m.direction = ${code(directions, "in").sql}`);
const ownMessage: Fragment = raw(messageText());

/** The hash of the state of all accounts that do not exist, and the key that it is stored by. */
const nonexist = {
  hash: "'\\x90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4'::bytea",
  account: `'\\x${"00".repeat(33)}'::bytea`,
  lt: "-1",
} as const;

/** State `alias` of `t.account` with a hash and an lt: account_states by its primary key. `bounds` are those of all lt. */
function stateAt(alias: string, hash: string, lt: string, bounds: Fragment): Fragment {
  const isAbsent = `${hash} = ${nonexist.hash}`;
  return SQL`left join lateral (
    select * from account_states
    where account = ${raw(`case when ${isAbsent} then ${nonexist.account} else t.account end`)}
      and lt = ${raw(`case when ${isAbsent} then ${nonexist.lt} else ${lt} end`)}
      and hash = ${raw(hash)} and ${bounds} offset 0) ${raw(alias)} on true`;
}

/**
 * account_states, messages and their contents by their primary keys. `bounds` are those of the lt of all `t`, of which
 * the first slot begins at `first`; `slot` is where that of a `t` begins.
 */
export function withParts(bounds: { from: unknown; to: unknown }, slot: string, first: unknown): Fragment {
  return SQL`
  ${stateAt("before", "t.account_state_hash_before", "t.prev_trans_lt", SQL`lt <= ${bounds.to}`)}
  ${stateAt("after", "t.account_state_hash_after", "t.lt", SQL`(lt = -1 or lt between ${bounds.from} and ${bounds.to})`)}
  cross join lateral (
    select string_agg(m.text, '') filter (where ${isIn}) as in_msg,
      string_agg(m.text, ',' order by m.created_lt) filter (where not ${isIn}) as out_msgs,
      string_agg(wire_address(m.peer), ' ') as peers, array_agg(m.peer) as accounts,
      string_agg(wire_hash(m.msg_hash), '') filter (where ${isIn}) as in_hash,
      string_agg(wire_hash(m.msg_hash), ' ' order by m.created_lt) filter (where not ${isIn}) as out_hashes
    from (
      select m.direction, m.created_lt, m.msg_hash, ${ownMessage} as text,
        case when ${isIn} then m.source else m.destination end as peer
      from messages m ${withContents(slot, { from: first, to: bounds.to })}
      where m.tx_hash = t.hash and m.tx_lt = t.lt and m.tx_lt between ${bounds.from} and ${bounds.to}) m) own`;
}
