import SQL, { raw } from "sql-template-tag";
import { accountStatuses, directions } from "../../codes.js";
import { textOf } from "../../declare/record.js";
import { isHash } from "../../sql/keys.js";
import { all, code, type Fragment, given } from "../../sql/where.js";
import { messageText } from "../../tables/message-record.js";
import { transactionRecord } from "../../tables/transaction-record.js";

/** A transaction as answered, with the cuts of its messages. Row `t` with `before`, `after` and `own`. */
const transactionText: Fragment = raw(textOf(transactionRecord));

/** The raw addresses a transaction's answer explains, separated by blanks. */
const transactionAddresses: Fragment = raw("concat_ws(' ', wire_address(t.account), own.peers)");

const accounts: Fragment = raw("array_append(own.accounts, t.account)");
const columnsWith = (accounts: Fragment): Fragment =>
  SQL`${transactionText} as text, ${transactionAddresses} as addresses, ${accounts} as accounts`;

/** The columns of a `pageText` of transactions. */
export const pageColumns: Fragment = columnsWith(accounts);

/** The same for rows that tell by `is_cut` which of them are not shown. */
export function pageColumnsOf(row: string): Fragment {
  return columnsWith(SQL`case when not ${raw(row)}.is_cut then ${accounts} end`);
}

/** Columns of members of its text that trees of transactions are made of; hashes of sent messages are separated by blanks. */
export const nodeColumns = ["trace_id", "hash", "in_hash", "out_hashes"] as const;
export const transactionNode: Fragment = raw(
  "wire_hash(t.trace_id) as trace_id, wire_hash(t.hash) as hash, own.in_hash, own.out_hashes",
);

/**
 * The contents `b` and `i` of message `m`: message_contents_by_hash. `slot` is where the slot of the message
 * begins, and `bounds` are those of all messages and their slots. The start of a slot that was merged into it is behind it.
 * Few messages have a state init: the others do not search for one.
 */
export function withContents(slot: string, bounds?: { from: unknown; to: unknown }): Fragment {
  const content = (alias: string, hash: string, isThere?: Fragment) => SQL`
  left join lateral (
    select hash, body from message_contents
    where ${all(
      isThere,
      SQL`${isHash("hash", raw(hash))} and from_lt >= ${raw(slot)} and from_lt <= m.tx_lt`,
      given(bounds, ({ from, to }) => SQL`from_lt between ${from} and ${to}`),
    )} limit 1) ${raw(alias)} on true`;
  return SQL`${content("b", "m.body_hash")}${content("i", "m.init_state_hash", SQL`m.init_state_hash is not null`)}`;
}

const isIn: Fragment = raw(`m.direction = ${code(directions, "in").sql}`);
const ownMessage: Fragment = raw(messageText());

/** The hash of the state of all accounts that do not exist. No row has it: all else of this state follows. */
const nonexist = "'\\x90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4'::bytea";
const noBalance = "0";
const noStatus = code(accountStatuses, "nonexist").sql;

/**
 * State `alias` of `t.account`, whose key is `holder.account_key`, with a hash and an lt: account_states_by_account, by its first
 * two columns, as an account has one state at an lt. `bounds` are those of all lt.
 */
function stateAt(alias: string, hash: string, lt: string, bounds: Fragment): Fragment {
  const stored = `stored_${alias}`;
  const orAbsent = (column: string, value: string) =>
    `coalesce(${stored}.${column}, case when ${hash} = ${nonexist} then ${value} end) as ${column}`;
  const columns = [
    orAbsent("hash", hash),
    orAbsent("balance", noBalance),
    orAbsent("account_status", noStatus),
    ...["balance_extra_currencies", "frozen_hash", "data_hash", "code_hash"].map(
      (column) => `${stored}.${column}`,
    ),
  ];
  return SQL`left join lateral (
    select * from account_states
    where account_key = holder.account_key and lt = ${raw(lt)} and hash = ${raw(hash)} and ${bounds} offset 0
  ) ${raw(stored)} on true
  cross join lateral (select ${raw(columns.join(", "))}) ${raw(alias)}`;
}

/**
 * account_states_by_account, messages_by_transaction, message_contents_by_hash. `bounds` are those of the lt of all `t`, of
 * which the first slot begins at `first`; `slot` is where that of a `t` begins. Without `offset 0` the expression of a message's
 * text would stand in each aggregate, and all of them take long to prepare.
 */
export function withParts(bounds: { from: unknown; to: unknown }, slot: string, first: unknown): Fragment {
  return SQL`
  cross join lateral (select account_key(t.account) as account_key offset 0) holder
  ${stateAt("before", "t.account_state_hash_before", "t.prev_trans_lt", SQL`lt <= ${bounds.to}`)}
  ${stateAt("after", "t.account_state_hash_after", "t.lt", SQL`lt between ${bounds.from} and ${bounds.to}`)}
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
      where ${isHash("m.tx_hash", raw("t.hash"))} and m.tx_lt = t.lt and m.tx_lt between ${bounds.from} and ${bounds.to} offset 0) m) own`;
}
