import SQL, { raw } from "sql-template-tag";
import { itemAt, valueAt } from "../../../../shared/values/lookups.js";
import { classificationStates, traceStates } from "../../codes.js";
import type { Queries, Transaction } from "../../database.js";
import { isHash, isOneOfHashes } from "../../sql/keys.js";
import { latin1Text as keyOf } from "../../sql/row-bytes.js";
import { all, code, type Fragment, greatest, keyLists, least } from "../../sql/where.js";
import { accountKey, hashPrefix } from "../../tables/directories.js";
import { contentColumns, type MessageContentRow } from "../../tables/messages.js";
import {
  type MessagePart,
  messagePart,
  type TransactionPart,
  transactionPart,
} from "../../tables/trace-parts.js";
import { type TraceRow, traces } from "../../tables/traces.js";
import { besideRows } from "../cluster/beside-rows.js";
import { lockOfRows, ofShardsOf } from "../cluster/divided-clauses.js";
import { gatheredTraceParts } from "../cluster/gathered-rows.js";
import { selectJoined, selectRows } from "../rows.js";
import { slotBounds } from "../slots/slots.js";
import { placesById, tracesAt } from "./account-traces.js";

/** Parts of traces, as classification reads them. */
export type TraceParts = {
  transactions: (TransactionPart & { trace_id: Uint8Array })[];
  messages: MessagePart[];
  messageContents: MessageContentRow[];
};

/** The parts of complete traces: transactions_by_trace, messages_by_transaction, message_contents_by_hash. */
export async function readTraceParts(
  queries: Queries,
  rows: readonly Pick<TraceRow, "trace_id" | "start_lt" | "end_lt">[],
): Promise<TraceParts> {
  if (rows.length === 0) return { transactions: [], messages: [], messageContents: [] };
  const gathered = await besideTraces(queries, rows);
  const transactions = await readTransactions(gathered, rows);
  const messages = await readMessages(gathered, transactions);
  return { transactions, messages, messageContents: await readContents(gathered, transactions, messages) };
}

async function besideTraces(
  queries: Queries,
  rows: readonly Pick<TraceRow, "trace_id" | "start_lt" | "end_lt">[],
): Promise<Queries> {
  return besideRows(queries, async () => {
    const lts = rows.map(({ start_lt }) => start_lt);
    const { first } = await slotBounds(queries, lts);
    const isWithin = SQL`t.lt between ${least(lts)} and ${greatest(rows.map(({ end_lt }) => end_lt))}`;
    const ids = rows.map(({ trace_id }) => trace_id);
    return gatheredTraceParts({ condition: all(isOneOfHashes("t.trace_id", ids), isWithin), first });
  });
}

async function readTransactions(
  queries: Queries,
  rows: readonly Pick<TraceRow, "trace_id" | "start_lt" | "end_lt">[],
): Promise<TraceParts["transactions"]> {
  if (rows.length === 0) return [];
  const spans = SQL`
    ${keyLists(rows, { trace_id: "bytea", start_lt: "bigint", end_lt: "bigint" })} wanted(trace_id, from_lt, to_lt)`;
  const found = await selectJoined(
    queries,
    { t: { ...transactionPart, trace_id: traces.columns.trace_id } },
    SQL`${spans} cross join lateral (
      select * from transactions
      where ${isHash("trace_id", raw("wanted.trace_id"))} and lt between wanted.from_lt and wanted.to_lt offset 0) t`,
  );
  return found.map(({ t }) => t);
}

async function readMessages(
  queries: Queries,
  transactions: readonly TransactionPart[],
): Promise<MessagePart[]> {
  if (transactions.length === 0) return [];
  const names = SQL`${keyLists(transactions, { hash: "bytea", lt: "bigint" })} wanted(hash, lt)`;
  const found = await selectJoined(
    queries,
    { m: messagePart },
    SQL`${names} cross join lateral (
      select * from messages where ${isHash("tx_hash", raw("wanted.hash"))} and tx_lt = wanted.lt offset 0) m`,
  );
  return found.map(({ m }) => m);
}

/** The contents of messages of these transactions, in the slots of the transactions. */
async function readContents(
  queries: Queries,
  transactions: readonly TransactionPart[],
  messages: readonly MessagePart[],
): Promise<MessageContentRow[]> {
  if (messages.length === 0) return [];
  const lts = transactions.map(({ lt }) => lt);
  const { starts, first, greatest } = await slotBounds(queries, lts);
  const places = new Map(
    transactions.map(({ hash, lt }, at) => [keyOf(hash), { from_lt: itemAt(starts, at), lt }]),
  );
  const wanted = new Map<string, { hash: Uint8Array; from_lt: bigint; lt: bigint }>();
  for (const { tx_hash, body_hash, init_state_hash } of messages) {
    const place = valueAt(places, keyOf(tx_hash));
    for (const hash of init_state_hash ? [body_hash, init_state_hash] : [body_hash])
      wanted.set(keyOf(hash), { hash, ...place });
  }
  const names = [...wanted.values()];
  const found = await selectJoined(
    queries,
    { c: contentColumns },
    SQL`${keyLists(names, { hash: "bytea", from_lt: "bigint", lt: "bigint" })} wanted(hash, from_lt, lt)
    cross join lateral (
      select hash, body from message_contents
      where ${isHash("hash", raw("wanted.hash"))} and from_lt between wanted.from_lt and wanted.lt
        and from_lt between ${first} and ${greatest} limit 1) c`,
  );
  return found.map(({ c }) => c);
}

const complete = code(traceStates, "complete");
const unclassified = code(classificationStates, "unclassified");

/** Complete traces that are not classified yet, oldest first: traces_unclassified. */
export function readUnclassified(queries: Queries, limit: number): Promise<TraceRow[]> {
  return selectRows(
    queries,
    traces,
    "t",
    SQL`traces t where t.state = ${complete} and t.classification_state = ${unclassified} order by t.sort_lt, t.trace_id limit ${limit}`,
  );
}

/** A trace, by its place. */
export async function readTrace(queries: Queries, id: Uint8Array): Promise<TraceRow | undefined> {
  const [row] = await tracesAt(queries, await placesById(queries, [id]));
  return row;
}

/** The clause that locks traces, before any other lock is taken: see `lockOfRows`. */
export function lockOfTraces(transaction: Transaction): Promise<Fragment> {
  return lockOfRows(transaction, "join", SQL`for update of t`);
}

/** Locks those of the traces that are as they were read, by `lock`. Returns their ids. */
export async function holdTraces(
  transaction: Queries,
  rows: readonly Pick<TraceRow, "trace_id" | "end_lt">[],
  lock: Fragment,
): Promise<Uint8Array[]> {
  const held = await transaction.query<{ trace_id: Uint8Array }>(SQL`
    select t.trace_id from traces t
    join unnest(
      ${rows.map(({ trace_id }) => trace_id)}::bytea[], ${rows.map(({ end_lt }) => end_lt)}::bigint[]
    ) wanted(trace_id, end_lt) on t.trace_id = wanted.trace_id and t.sort_lt = wanted.end_lt
    where t.state = ${complete}
    order by t.sort_lt, t.trace_id ${lock}`);
  return held.map(({ trace_id }) => trace_id);
}

/** Sets what became of complete traces: primary keys. */
export async function setClassified(
  queries: Queries,
  classified: readonly Pick<TraceRow, "trace_id" | "end_lt" | "classification_state">[],
): Promise<void> {
  await queries.query(SQL`
    update traces t set classification_state = c.state
    from unnest(
      ${classified.map(({ trace_id }) => trace_id)}::bytea[],
      ${classified.map(({ end_lt }) => end_lt)}::bigint[],
      ${classified.map(({ classification_state }) => classification_state)}::smallint[]
    ) c(trace_id, end_lt, state)
    where t.trace_id = c.trace_id and t.sort_lt = c.end_lt`);
}

/** Deletes the actions of complete traces, and what leads to them: actions_by_trace, action_locator, action_accounts_by_lt. */
export async function deleteActions(
  queries: Queries,
  rows: readonly Pick<TraceRow, "trace_id" | "end_lt">[],
): Promise<void> {
  const ids = rows.map(({ trace_id }) => trace_id);
  const gone = await queries.query<{
    trace_end_lt: bigint;
    action_id: Uint8Array;
    accounts: readonly Uint8Array[];
  }>(SQL`
    delete from actions a
    using ${keyLists(rows, { trace_id: "bytea", end_lt: "bigint" })} wanted(trace_id, end_lt)
    where ${isHash("a.trace_id", raw("wanted.trace_id"))} and a.trace_end_lt = wanted.end_lt ${await ofShardsOf(queries, ids)}
    returning a.trace_end_lt, a.action_id, a.accounts`);
  if (gone.length === 0) return;
  const located = gone.map(({ trace_end_lt, action_id }) => ({ trace_end_lt, key: hashPrefix(action_id) }));
  await queries.query(SQL`
    delete from action_locator l using ${keyLists(located, { key: "bigint", trace_end_lt: "bigint" })} g(key, end_lt)
    where l.hash_prefix = g.key and l.trace_end_lt = g.end_lt`);
  const entries = gone.flatMap(({ accounts }, at) =>
    accounts.map((account) => ({ ...itemAt(located, at), account: accountKey(account) })),
  );
  const columns = { account: "bigint", key: "bigint", trace_end_lt: "bigint" } as const;
  await queries.query(SQL`
    delete from action_accounts c using ${keyLists(entries, columns)} g(account, key, end_lt)
    where c.account_key = g.account and c.trace_end_lt = g.end_lt and c.action_key = g.key`);
}
