import SQL, { raw } from "sql-template-tag";
import { directions, traceStates } from "../../codes.js";
import type { Queries } from "../../database.js";
import { code } from "../../sql/where.js";
import { locateMessages, locationsOf, messagesIn, transactionOf } from "../slots/locators.js";
import { besideTracesOfMessages, isParticipant } from "../traces/account-traces.js";

/**
 * Which of these messages have been received, by their hashes in base64, and whether their traces are complete:
 * msg_locator, transactions_by_lt, account_traces_by_trace, traces by primary key.
 */
export async function receivedMessages(
  queries: Queries,
  hashes: readonly Uint8Array[],
): Promise<ReadonlyMap<string, { isTraceComplete: boolean }>> {
  const located = await locateMessages(queries, hashes);
  if (located.length === 0) return new Map();
  const locations = locationsOf(located);
  const gathered = await besideTracesOfMessages(queries, located);
  const rows = await gathered.query<{ hash: string; is_complete: boolean }>(
    SQL`select wire_hash(m.msg_hash) as hash, coalesce(bool_or(r.state = ${code(traceStates, "complete")}), false) as is_complete
      from ${messagesIn(locations)}
      ${transactionOf(locations)}
      left join lateral (
        select end_lt from account_traces where ${isParticipant("t.trace_id", raw("t.account"))} offset 0) place on true
      left join lateral (
        select state from traces where trace_id = t.trace_id and sort_lt = place.end_lt offset 0) r on true
      where m.msg_hash = wanted.hash and m.direction = ${code(directions, "in")}
      group by m.msg_hash`,
  );
  return new Map(rows.map(({ hash, is_complete }) => [hash, { isTraceComplete: is_complete }]));
}
