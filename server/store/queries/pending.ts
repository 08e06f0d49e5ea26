import SQL, { raw } from "sql-template-tag";
import { codeOf, traceStates } from "../codes.js";
import type { Queries } from "../database.js";
import type { AccountStateRow, MessageContentRow, MessageRow, TransactionRow } from "../tables.js";
import { transactionAddresses, transactionText, withParts } from "./transaction-json.js";
import type { TransactionText } from "./transactions.js";

/** Rows that are in no table. */
export type UnstoredRows = {
  transactions: TransactionRow[];
  messages: MessageRow[];
  messageContents: MessageContentRow[];
  accountStates: AccountStateRow[];
};

/** Transactions as they would be answered if their rows were stored; ascending. Reads nothing but what is given. */
export async function presentUnstoredRows(queries: Queries, rows: UnstoredRows): Promise<TransactionText[]> {
  return queries.query<TransactionText>(SQL`
    with transactions as (select * from jsonb_populate_recordset(null::transactions, ${json(rows.transactions)})),
      messages as (select * from jsonb_populate_recordset(null::messages, ${json(rows.messages)})),
      message_contents as (
        select * from jsonb_populate_recordset(null::message_contents, ${json(rows.messageContents)})),
      account_states as (
        select * from jsonb_populate_recordset(null::account_states, ${json(rows.accountStates)}))
    select ${transactionText} as text, ${transactionAddresses} as addresses from transactions t ${withParts}
    order by t.lt, t.account`);
}

/** Which of these messages have been received, and whether all has that followed: messages_by_hash, traces by id. */
export async function receivedMessages(
  queries: Queries,
  hashes: readonly Uint8Array[],
): Promise<ReadonlyMap<string, { isTraceComplete: boolean }>> {
  const complete = raw(String(codeOf(traceStates, "complete")));
  const rows = await queries.query<{ hash: string; is_complete: boolean }>(
    SQL`select wire_hash(m.msg_hash) as hash, coalesce(bool_or(t.state = ${complete}), false) as is_complete
      from messages m left join traces t on t.trace_id = m.trace_id
      where m.msg_hash = any(${hashes}) and m.direction = 0
      group by m.msg_hash`,
  );
  return new Map(rows.map(({ hash, is_complete }) => [hash, { isTraceComplete: is_complete }]));
}

function json(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value) => {
    if (typeof value === "bigint") return value.toString();
    return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
  });
}
