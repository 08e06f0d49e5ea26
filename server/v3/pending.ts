import type { Call, Handlers } from "../../shared/methods/define.js";
import type { pendingMethods } from "../../shared/methods/v3/pending.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import type { Queries } from "../store/database.js";
import { type LooseRows, presentLooseRows, receivedMessages } from "../store/queries/pending.js";
import { bookOf, noMetadata } from "./companions.js";
import type { IndexDeps } from "./deps.js";
import { presentTrace } from "./present/trace.js";
import { addressesOf, readTransaction, type TransactionRecord } from "./present/transaction.js";

export type PendingDeps = IndexDeps & {
  /** What is expected to follow from the messages that wait for a block, newest first. */
  pending: {
    read(
      call: Call,
    ): Promise<{ hash: Uint8Array; hashNorm: Uint8Array; rows: LooseRows; unfollowed: number }[]>;
  };
};

export const pendingHandlers: Handlers<typeof pendingMethods, PendingDeps> = {
  pendingTransactions: async ({ account, trace_id }, deps, call) => {
    const traces = await deps.pending.read(call);
    if (traces.length === 0) return { transactions: [], address_book: {} };
    return deps.index.read(call, async (queries) => {
      const wanted = new Set(account?.map((address) => address.toRawUpper()));
      const ids = new Set(trace_id?.map(bytesToBase64));
      const found = (await presentAll(queries, traces))
        .filter(({ id }) => wanted.size > 0 || ids.has(id))
        .flatMap(({ transactions }) => transactions)
        .filter(({ record }) => wanted.size === 0 || wanted.has(record.account))
        .sort(byTime);
      return {
        transactions: found.map(({ record }) => record),
        address_book: await bookOf(queries, addressesOf(found), call.options, deps.book),
      };
    });
  },

  pendingTraces: async ({ account, ext_msg_hash }, deps, call) => {
    const traces = await deps.pending.read(call);
    if (traces.length === 0) return { traces: [], address_book: {}, metadata: noMetadata() };
    return deps.index.read(call, async (queries) => {
      const raw = account?.toRawUpper();
      const hashes = new Set(ext_msg_hash?.map(bytesToBase64));
      const found = (await presentAll(queries, traces)).filter(({ id, hash, transactions }) =>
        raw !== undefined
          ? transactions.some(({ record }) => record.account === raw)
          : hashes.has(id) || hashes.has(hash),
      );
      const transactions = found.flatMap((trace) => trace.transactions);
      return {
        traces: found.map(presentPending),
        address_book: await bookOf(queries, addressesOf(transactions), call.options, deps.book),
        metadata: noMetadata(),
      };
    });
  },
};

type Traces = Awaited<ReturnType<PendingDeps["pending"]["read"]>>;
/** `id` is the hash a trace is found by as long as its first transaction has none. */
type Presented = { id: string; hash: string; unfollowed: number; transactions: Expected[] };
type Expected = { record: TransactionRecord; addresses: string };

/** Those that have begun in the index are no longer pending. */
async function presentAll(queries: Queries, traces: Traces): Promise<Presented[]> {
  if (traces.length === 0) return [];
  const begun = await receivedMessages(
    queries,
    traces.map(({ hash }) => hash),
  );
  const presented: Presented[] = [];
  for (const { hash, hashNorm, rows, unfollowed } of traces) {
    const id = bytesToBase64(hashNorm);
    if (begun.has(bytesToBase64(hash))) continue;
    const texts = await presentLooseRows(queries, rows);
    const transactions = texts.map((text) => ({
      record: asPending(readTransaction(text), id),
      addresses: text.addresses,
    }));
    presented.push({ id, hash: bytesToBase64(hash), unfollowed, transactions });
  }
  return presented;
}

function asPending(record: TransactionRecord, id: string): TransactionRecord {
  const { account, hash, lt, now, mc_block_seqno, trace_id: _, ...rest } = record;
  const trace = { trace_id: id, trace_external_hash: id };
  return { account, hash, lt, now, mc_block_seqno, ...trace, ...rest, emulated: true, finality: "pending" };
}

function presentPending({ id, unfollowed, transactions: expected }: Presented) {
  const transactions = expected.map(({ record }) => record);
  const first = transactions[0]!;
  const last = transactions.at(-1)!;
  const row = {
    id: new Uint8Array(),
    trace_id: id,
    external_hash: id,
    mc_seqno_start: "0",
    mc_seqno_end: "0",
    start_lt: first.lt,
    start_utime: first.now,
    end_lt: last.lt,
    end_utime: Math.max(...transactions.map(({ now }) => now)),
    trace_state: "pending" as const,
    messages: transactions.reduce((sum, { in_msg }) => sum + (in_msg ? 1 : 0), unfollowed),
    transactions: transactions.length,
    pending_messages: unfollowed,
    classification_state: "unclassified" as const,
  };
  return presentTrace(row, transactions, { actions: true });
}

function byTime({ record: a }: Expected, { record: b }: Expected): number {
  const difference = BigInt(a.lt) - BigInt(b.lt);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return a.account < b.account ? -1 : 1;
}
