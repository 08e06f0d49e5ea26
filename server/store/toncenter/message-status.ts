import SQL, { empty } from "sql-template-tag";
import type { Queries } from "../database.js";
import { integer } from "../declare/columns.js";
import { failedSql, type JudgedTransaction } from "../queries/messages/message-status.js";
import { selectJoined } from "../queries/rows.js";
import type { IndexReads } from "../reads/index-reads.js";
import type { Fragment } from "../sql/where.js";
import { inOurForm, readRows } from "./rows.js";
import { foreign } from "./tables.js";
import { hashValue, hashValues, isOneOfHashes } from "./values.js";

const { messages, traces, transactions } = foreign;

type StatusReads = Pick<
  IndexReads,
  "findMessage" | "failedTransactions" | "abortedAmong" | "sidesOf" | "receivedMessages" | "findSent"
>;

export const statusReads: StatusReads = {
  async findMessage(queries, hashes) {
    const [message] = await readRows(
      queries,
      messages,
      SQL`where x.msg_hash = any(${hashValues(hashes)}) or x.msg_hash_norm = any(${hashValues(hashes)})
        order by x.direction desc, x.tx_lt limit 1`,
    );
    if (!message) return undefined;
    const [transaction] = await readRows(
      queries,
      transactions,
      SQL`where x.hash = ${hashValue(message.tx_hash)} and x.lt = ${message.tx_lt}`,
    );
    if (!transaction) return undefined;
    const [trace] = await readRows(
      queries,
      traces,
      SQL`where x.trace_id = ${hashValue(transaction.trace_id)}`,
    );
    return { message, transaction, trace };
  },

  async failedTransactions(queries, trace, limit) {
    const ofTrace = SQL`where x.trace_id = ${hashValue(trace.trace_id)}`;
    const failed = await readWhere(queries, ofTrace, failedSql(trace.external_hash !== undefined), limit);
    return { ...failed, messages: await sidesOf(queries, failed.transactions) };
  },

  async abortedAmong(queries, hashes) {
    if (hashes.length === 0) return [];
    const named = SQL`where ${isOneOfHashes("x.hash", hashes)}`;
    return (await readWhere(queries, named, SQL`t.aborted`)).transactions;
  },

  sidesOf,

  async receivedMessages(queries, hashes) {
    const rows = await queries.query<{ hash: string; is_complete: boolean }>(SQL`
      select m.msg_hash::text as hash, coalesce(bool_or(r.state = 'complete'), false) as is_complete
      from messages m left join traces r on r.trace_id = m.trace_id
      where m.msg_hash = any(${hashValues(hashes)}) and m.direction = 'in'
      group by m.msg_hash`);
    return new Map(rows.map(({ hash, is_complete }) => [hash, { isTraceComplete: is_complete }]));
  },

  /** Nothing is kept in a database of TON Center. */
  findSent: () => Promise.resolve([]),
};

type Judged = { transactions: JudgedTransaction[]; total: number };

/** The first of those transactions that meet a condition, by lt, and how many there are. */
async function readWhere(
  queries: Queries,
  rest: Fragment,
  condition: Fragment,
  limit?: number,
): Promise<Judged> {
  const rows = await selectJoined(
    queries,
    { t: transactions.columns, n: { total: integer } },
    SQL`(
      select t.*, count(*) over ()::integer as total from ${inOurForm(transactions, rest)} t
      where ${condition} order by t.lt, t.account ${limit === undefined ? empty : SQL`limit ${limit}`}) t
    cross join lateral (select t.total) n
    order by t.lt, t.account`,
  );
  return { transactions: rows.map(({ t }) => t), total: rows[0]?.n.total ?? 0 };
}

async function sidesOf(queries: Queries, failed: readonly JudgedTransaction[]) {
  if (failed.length === 0) return [];
  const hashes = failed.map(({ hash }) => hash);
  return readRows(
    queries,
    messages,
    SQL`where ${isOneOfHashes("x.tx_hash", hashes)} and (x.direction = 'in' or x.bounced)`,
  );
}
