import SQL, { raw } from "sql-template-tag";
import { codeOf, directions, transactionKinds } from "../../codes.js";
import type { Queries, Sql, Transaction } from "../../database.js";
import { isHash } from "../../sql/keys.js";
import { oneRow } from "../../sql/one-row.js";
import { all, distinct } from "../../sql/where.js";
import { contractCodes } from "../../tables/accounts.js";
import { contentColumns, messages } from "../../tables/messages.js";
import { type QueuedAccountRow, recognitionQueue } from "../../tables/recognition.js";
import { transactions } from "../../tables/transactions.js";
import { besideRows } from "../cluster/beside-rows.js";
import { lockOfRows } from "../cluster/divided-clauses.js";
import { gatheredAccountSlots } from "../cluster/gathered-directories.js";
import { gatheredByMessages, isAnyOf } from "../cluster/gathered-rows.js";
import { selectJoined, selectRows } from "../rows.js";
import { withContents } from "../transactions/transaction-text.js";

/** An account to be queued: its turn follows from what is queued already. */
export type NewQueuedAccount = Omit<QueuedAccountRow, "turn" | "queued_at">;

/**
 * Queues accounts. Each code has turns as far apart as its accounts are expected to cost, from the turn on that is next: so
 * codes share the time, and cheap accounts come first. Of an account that waits the later state counts, and its turn stays.
 */
export async function queueAccounts(
  transaction: Transaction,
  rows: readonly NewQueuedAccount[],
): Promise<void> {
  if (rows.length === 0) return;
  const column = <Name extends keyof NewQueuedAccount>(name: Name) => rows.map((row) => row[name] ?? null);
  const currencies = rows.map(({ balance_extra_currencies: each }) => (each ? JSON.stringify(each) : null));
  await transaction.query(SQL`
    insert into recognition_queue as q (
      account, code_hash, hash, data_hash, data_boc, balance, balance_extra_currencies, has_libraries,
      last_trans_lt, timestamp, mc_seqno, from_seqno, to_seqno, blamed_code, cost_ms, turn, queued_at)
    select account, code_hash, hash, data_hash, data_boc, balance, currencies::jsonb, has_libraries,
      last_trans_lt, timestamp, mc_seqno, from_seqno, to_seqno, blamed_code, cost_ms,
      greatest(
        coalesce((select min(turn) from recognition_queue), 0),
        coalesce((select max(turn) from recognition_queue b where b.blamed_code = given.blamed_code), 0))
        + sum(cost_ms) over (partition by blamed_code order by cost_ms, account, code_hash),
      extract(epoch from now())::bigint
    from unnest(
      ${column("account")}::bytea[], ${column("code_hash")}::bytea[], ${column("hash")}::bytea[],
      ${column("data_hash")}::bytea[], ${column("data_boc")}::bytea[], ${column("balance")}::bigint[],
      ${currencies}::text[], ${column("has_libraries")}::boolean[], ${column("last_trans_lt")}::bigint[],
      ${column("timestamp")}::bigint[], ${column("mc_seqno")}::integer[], ${column("from_seqno")}::integer[],
      ${column("to_seqno")}::integer[], ${column("blamed_code")}::bytea[], ${column("cost_ms")}::integer[]
    ) given (account, code_hash, hash, data_hash, data_boc, balance, currencies, has_libraries,
      last_trans_lt, timestamp, mc_seqno, from_seqno, to_seqno, blamed_code, cost_ms)
    order by account, code_hash
    on conflict (account, code_hash) do update set
      from_seqno = least(q.from_seqno, excluded.from_seqno),
      to_seqno = greatest(q.to_seqno, excluded.to_seqno),
      ${laterState}`);
}

const stateColumns = [
  "hash",
  "data_hash",
  "data_boc",
  "balance",
  "balance_extra_currencies",
  "has_libraries",
  "last_trans_lt",
  "timestamp",
  "mc_seqno",
] as const satisfies readonly (keyof QueuedAccountRow)[];

const isLater = "(excluded.last_trans_lt, excluded.timestamp) >= (q.last_trans_lt, q.timestamp)";
const laterState = raw(
  stateColumns
    .map((name) => `${name} = case when ${isLater} then excluded.${name} else q.${name} end`)
    .join(", "),
);

/** An account that waits, and its code if that is stored. */
export type QueuedAccount = { queued: QueuedAccountRow; code: Uint8Array | undefined };

/** The accounts whose turn is next: recognition_queue_by_turn. */
export async function nextQueued(queries: Queries, limit: number): Promise<QueuedAccount[]> {
  const rows = await selectJoined(
    queries,
    { q: recognitionQueue.columns },
    SQL`(select * from recognition_queue order by turn, account limit ${limit}) q
      left join contract_codes k on k.code_hash = q.code_hash
      order by q.turn, q.account`,
    { outer: { k: contractCodes.columns } },
  );
  return rows.map(({ q, k }) => ({ queued: q, code: k?.boc }));
}

/** Removes those of the accounts that are as they were read. Returns them. */
export async function takeQueued(
  transaction: Transaction,
  rows: readonly QueuedAccountRow[],
): Promise<{ account: Uint8Array; code_hash: Uint8Array }[]> {
  return transaction.query(SQL`
    delete from recognition_queue q
    using unnest(
      ${rows.map(({ account }) => account)}::bytea[], ${rows.map(({ code_hash }) => code_hash)}::bytea[],
      ${rows.map(({ hash }) => hash)}::bytea[], ${rows.map(({ mc_seqno }) => mc_seqno)}::integer[],
      ${rows.map(({ from_seqno }) => from_seqno)}::integer[], ${rows.map(({ to_seqno }) => to_seqno)}::integer[]
    ) seen (account, code_hash, hash, mc_seqno, from_seqno, to_seqno)
    where (q.account, q.code_hash, q.hash, q.mc_seqno, q.from_seqno, q.to_seqno)
      = (seen.account, seen.code_hash, seen.hash, seen.mc_seqno, seen.from_seqno, seen.to_seqno)
    returning q.account, q.code_hash`);
}

/** Gives accounts the last turns. */
export async function postponeQueued(database: Sql, rows: readonly QueuedAccountRow[]): Promise<void> {
  await database.query(SQL`
    update recognition_queue q set turn = (select max(turn) + 1 from recognition_queue)
    from unnest(
      ${rows.map(({ account }) => account)}::bytea[], ${rows.map(({ code_hash }) => code_hash)}::bytea[]
    ) seen (account, code_hash)
    where q.account = seen.account and q.code_hash = seen.code_hash`);
}

/** Removes accounts that waited already at a masterchain block and have changed after it. Returns them. */
export async function takeQueuedAcross(transaction: Transaction, seqno: number): Promise<QueuedAccountRow[]> {
  const across = SQL`from_seqno <= ${seqno} and to_seqno > ${seqno}`;
  const rows = await selectRows(
    transaction,
    recognitionQueue,
    "q",
    SQL`recognition_queue q where ${across} for update`,
  );
  await transaction.query(SQL`delete from recognition_queue where ${across}`);
  return rows;
}

/** Whether any of these accounts is queued. */
export async function hasQueued(queries: Queries, accounts: readonly Uint8Array[]): Promise<boolean> {
  const rows = await queries.query(
    SQL`select from recognition_queue where account = any(${accounts}::bytea[]) limit 1`,
  );
  return rows.length > 0;
}

/** How many accounts wait, and for how long the first of them has, in seconds; 0 if none does. */
export type QueueLength = { length: number; oldestSec: number };

/** recognition_queue_by_age. */
export async function readQueueLength(queries: Queries): Promise<QueueLength> {
  const { length, age } = await oneRow<{ length: bigint; age: bigint | null }>(
    queries,
    SQL`select count(*) as length, extract(epoch from now())::bigint - min(queued_at) as age from recognition_queue`,
  );
  return { length: Number(length), oldestSec: Number(age ?? 0n) };
}

/** Cost of the get-methods of a code, in milliseconds of CPU time. */
export type CodeCostRow = { code_hash: Uint8Array; balance_ms: number; expected_ms: number };

/** Costs of the codes for which they are stored. */
export function readCodeCosts(queries: Queries, codes: readonly Uint8Array[]): Promise<CodeCostRow[]> {
  return queries.query(SQL`
    select code_hash, balance_ms, expected_ms from recognition_costs
    where code_hash = any(${codes}::bytea[])`);
}

/** Replaces the costs of these codes. */
export async function storeCodeCosts(transaction: Transaction, rows: readonly CodeCostRow[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction.query(SQL`
    insert into recognition_costs (code_hash, balance_ms, expected_ms)
    select * from unnest(
      ${rows.map(({ code_hash }) => code_hash)}::bytea[], ${rows.map(({ balance_ms }) => balance_ms)}::integer[],
      ${rows.map(({ expected_ms }) => expected_ms)}::integer[]
    ) given (code_hash, balance_ms, expected_ms)
    order by code_hash
    on conflict (code_hash) do update set balance_ms = excluded.balance_ms, expected_ms = excluded.expected_ms`);
}

const { account, hash, lt, now, aborted, mc_block_seqno, trace_id } = transactions.columns;
const requestColumns = {
  t: { account, hash, lt, now, aborted, mc_block_seqno, trace_id },
  m: { source: messages.columns.source },
};

/**
 * Ordinary transactions of accounts in blocks that received one of these messages: transactions_by_account in the slots of
 * the accounts. They are locked until the end of the transaction.
 */
export async function lockRequests(
  transaction: Transaction,
  opcodes: readonly number[],
  spans: readonly Pick<QueuedAccountRow, "account" | "from_seqno" | "to_seqno">[],
) {
  const isRequest = SQL`m.opcode = any(${opcodes}::integer[]) and m.direction = ${codeOf(directions, "in")}
      and m.source is not null`;
  const gathered = await besideRows(transaction, async () => {
    const first = Math.min(...spans.map(({ from_seqno }) => from_seqno));
    const last = Math.max(...spans.map(({ to_seqno }) => to_seqno));
    const bounds = await oneRow<{ from: bigint | null; to: bigint | null }>(
      transaction,
      SQL`select min(from_lt) as "from", max(to_lt) as "to" from slots
        where first_mc_seqno <= ${last} and last_mc_seqno >= ${first}`,
    );
    if (bounds.from === null) return [gatheredAccountSlots([])];
    const accounts = distinct(spans.map(({ account }) => account));
    const isWithin = SQL`m.mc_seqno between ${first} and ${last} and m.tx_lt >= ${bounds.from} and m.tx_lt < ${bounds.to}`;
    return [
      gatheredAccountSlots(accounts),
      ...gatheredByMessages(all(isAnyOf("m.account", accounts), isRequest, isWithin), bounds.from),
    ];
  });
  const lock = await lockOfRows(transaction, "join", SQL`for share of t`);
  return selectJoined(
    gathered,
    requestColumns,
    SQL`unnest(
      ${spans.map((span) => span.account)}::bytea[], ${spans.map((span) => span.from_seqno)}::integer[],
      ${spans.map((span) => span.to_seqno)}::integer[]) wanted (account, from_seqno, to_seqno)
    join account_slots a on a.account = wanted.account
    join slots s on s.from_lt = a.from_lt
      and s.first_mc_seqno <= wanted.to_seqno and s.last_mc_seqno >= wanted.from_seqno
    join transactions t on t.account = wanted.account and t.lt >= s.from_lt and t.lt < s.to_lt
      and t.mc_block_seqno between wanted.from_seqno and wanted.to_seqno
    join messages m on ${isHash("m.tx_hash", raw("t.hash"))} and m.tx_lt = t.lt
    ${withContents("s.from_lt")}
    where ${isRequest} and t.descr = ${codeOf(transactionKinds, "ord")}
    ${lock}`,
    { outer: { b: { body: contentColumns.body } } },
  );
}
