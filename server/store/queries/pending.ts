import SQL from "sql-template-tag";
import { directions, traceStates } from "../codes.js";
import type { Queries } from "../database.js";
import { code } from "../where.js";
import { locateMessages, messagesAt } from "./locators.js";

/**
 * Which of these messages have been received, by their hashes in base64, and whether their traces are complete:
 * msg_locator, traces by id.
 */
export async function receivedMessages(
  queries: Queries,
  hashes: readonly Uint8Array[],
): Promise<ReadonlyMap<string, { isTraceComplete: boolean }>> {
  const located = await locateMessages(queries, hashes);
  if (located.length === 0) return new Map();
  const rows = await queries.query<{ hash: string; is_complete: boolean }>(
    SQL`select wire_hash(m.msg_hash) as hash, coalesce(bool_or(t.state = ${code(traceStates, "complete")}), false) as is_complete
      from ${messagesAt(located)} left join traces t on t.trace_id = m.trace_id
      where m.msg_hash = wanted.hash and m.direction = ${code(directions, "in")}
      group by m.msg_hash`,
  );
  return new Map(rows.map(({ hash, is_complete }) => [hash, { isTraceComplete: is_complete }]));
}
