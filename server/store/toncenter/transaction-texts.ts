import SQL, { raw } from "sql-template-tag";
import { directions } from "../codes.js";
import { maybeQuoted } from "../declare/json-text.js";
import { textOf } from "../declare/record.js";
import { code, type Fragment } from "../sql/where.js";
import { messageText } from "../tables/message-record.js";
import { transactionRecord } from "../tables/transaction-record.js";
import { columnsIn, ofShown } from "./columns.js";
import { foreign } from "./tables.js";

/** The text of a transaction as answered, with the cuts of its messages. */
const transactionText = ofShown(textOf(transactionRecord));
const ownMessage = ofShown(messageText());
const isIn = raw(`m.direction = ${code(directions, "in").sql}`);

const contents = (alias: string, hash: string) => SQL`
  left join lateral (select hash, body from message_contents where hash = ${raw(hash)}) ${raw(alias)} on true`;
/** The contents `b` and `i` of message `m`. */
const withContents = SQL`${contents("b", "m.body_hash")}${contents("i", "m.init_state_hash")}`;

/** The hash of the state of all accounts that do not exist, which may have no row. */
const nonexist = "kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ=";

function stateOf(alias: string, hash: string): Fragment {
  return SQL`
  left join lateral (
    (select ${columnsIn("shown", foreign.accountStates)} from account_states x where x.hash = ${raw(hash)})
    union all
    (select ${raw(hash)}, 0, null, 0, null, null, null where ${raw(hash)} = ${raw(`'${nonexist}'::tonhash`)})
    limit 1) ${raw(alias)} on true`;
}

/** Rows of texts of the transactions `x` that `from` has in the order of the page, with their addresses. */
export function textsOfTransactions(from: Fragment, more: Fragment = SQL``): Fragment {
  return SQL`
  select ${transactionText} as text, concat_ws(' ', t.account, own.peers) as addresses${more}
  from (select ${columnsIn("shown", foreign.transactions)}, row_number() over () as place from (${from}) x) t
  ${stateOf("before", "t.account_state_hash_before")}
  ${stateOf("after", "t.account_state_hash_after")}
  cross join lateral (
    select string_agg(m.text, '') filter (where ${isIn}) as in_msg,
      string_agg(m.text, ',' order by m.created_lt) filter (where not ${isIn}) as out_msgs,
      string_agg(m.peer::text, ' ') as peers,
      string_agg(m.msg_hash::text, '') filter (where ${isIn}) as in_hash,
      string_agg(m.msg_hash::text, ' ' order by m.created_lt) filter (where not ${isIn}) as out_hashes
    from (
      select m.direction, m.created_lt, m.msg_hash, ${ownMessage} as text,
        case when ${isIn} then m.source else m.destination end as peer
      from (
        select ${columnsIn("shown", foreign.messages)} from messages x where x.tx_hash = t.hash and x.tx_lt = t.lt) m
      ${withContents}) m) own
  order by t.place`;
}

const listedText = ofShown(
  messageText({
    in_msg_tx_hash: maybeQuoted(`(case when ${isIn.sql} then m.tx_hash else other.tx_hash end)`),
    out_msg_tx_hash: maybeQuoted(`(case when ${isIn.sql} then other.tx_hash else m.tx_hash end)`),
  }),
);

/** The same of the messages `x`. `hasBoth`: whether the transaction on the other side is named. */
export function textsOfMessages(from: Fragment, { hasBoth }: { hasBoth: boolean }): Fragment {
  return SQL`
  select ${listedText} as text, concat_ws(' ', m.source, m.destination) as addresses
  from (select ${columnsIn("shown", foreign.messages)}, row_number() over () as place from (${from}) x) m
  ${withContents}
  left join lateral (
    select o.tx_hash from messages o
    where ${hasBoth}::boolean and m.source is not null and m.destination is not null
      and o.msg_hash = m.msg_hash and o.direction::text <> (array['in', 'out'])[m.direction + 1]
    limit 1) other on true
  order by m.place`;
}
