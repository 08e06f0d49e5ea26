import type { Call } from "../../../shared/methods/define.js";
import type { Action } from "../../../shared/schema/v3/actions.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { Queries } from "../../store/database.js";
import type { ActionRow } from "../../store/tables/actions.js";
import { presentAction } from "./action.js";
import type { IndexDeps } from "./answer-extras.js";
import { nameMarketplaces } from "./marketplaces.js";
import { type AbiSource, actionsIn, transactionsByAbi } from "./record-abis.js";
import { presentTrace } from "./trace.js";
import { presentTransactions, type TransactionParts, type TransactionRecord } from "./transaction.js";

/** An external message by its own hash and by its normalized hash, which does not depend on serialization. */
export type PendingMessage = { readonly hash: Uint8Array; readonly hashNorm: Uint8Array };

/** Dependencies of methods and events about traces that are not in blocks yet. */
export type PendingDeps = IndexDeps & {
  pending: {
    /** Messages whose traces have not ended, newest first. */
    messages(): Promise<PendingMessage[]>;
    /** Called when the index has the whole trace. */
    end(message: PendingMessage): void;
    /** Traces of messages, including expected transactions. */
    traces(messages: readonly PendingMessage[], call: Call): Promise<PendingTrace[]>;
    /** The expected actions of each trace. */
    actions(queries: Queries, traces: readonly PendingTrace[]): Promise<ActionRow[][]>;
  };
};

export type PendingTrace = PendingMessage & {
  rows: TransactionParts;
  /** The first transaction; absent if there is none. */
  first?: CellOf<Transaction> | undefined;
  /** Hashes of the transactions that are in a block. */
  happened: ReadonlySet<string>;
  unfollowed: number;
};

export type PresentedTrace = {
  trace: PendingTrace;
  /** All hashes that identify the trace. */
  names: readonly string[];
  externalHash: string;
  unfollowed: number;
  transactions: ExpectedRecord[];
};
/** `isIndexed`: the index has a transaction that received the same message. */
export type ExpectedRecord = { record: TransactionRecord; addresses: string; isIndexed: boolean };

/** A trace with its records. `indexed` has the base64 hashes of messages with an indexed receiving transaction. */
export function presentPending(
  trace: PendingTrace,
  indexed: Pick<ReadonlyMap<string, unknown>, "has">,
): PresentedTrace {
  const externalHash = bytesToBase64(trace.hashNorm);
  const transactions = presentTransactions(trace.rows).map(({ record, addresses }) => {
    const hasHappened = trace.happened.has(record.hash);
    const isIndexed = record.in_msg !== null && indexed.has(record.in_msg.hash);
    const sure = isIndexed ? "finalized" : "confirmed";
    const finality = hasHappened ? sure : "pending";
    const shown = asPending({ ...record, emulated: !hasHappened, finality }, externalHash);
    return { record: shown, addresses, isIndexed };
  });
  const names = [externalHash, bytesToBase64(trace.hash), itemAt(transactions, 0).record.trace_id!];
  return { trace, names, externalHash, unfollowed: trace.unfollowed, transactions };
}

/** The trace with what ABIs say of its transactions. */
export async function pendingByAbi(trace: PresentedTrace, source: AbiSource): Promise<PresentedTrace> {
  const records = trace.transactions.map(({ record }) => record);
  const named = await transactionsByAbi(records, source);
  const transactions = trace.transactions.map((each, at) => ({ ...each, record: itemAt(named, at) }));
  return { ...trace, transactions };
}

/** Its actions, by the ABIs that `pendingByAbi` has found. */
export function pendingActionsByAbi(actions: readonly Action[], { transactions }: PresentedTrace): Action[] {
  return actionsIn(
    actions,
    transactions.map(({ record }) => record),
  );
}

/** Actions of a trace in answers. */
export function presentPendingActions(
  queries: Queries,
  rows: readonly ActionRow[],
  { transactions, externalHash }: PresentedTrace,
): Promise<Action[]> {
  const finality = leastFinal(transactions);
  const actions = rows.map((row) => ({
    ...presentAction(row, { accounts: true }),
    trace_external_hash_norm: externalHash,
    finality,
  }));
  return nameMarketplaces(queries, actions);
}

function leastFinal(transactions: readonly ExpectedRecord[]): Action["finality"] {
  const levels = new Set(transactions.map(({ record }) => record.finality));
  return levels.has("pending") ? "pending" : levels.has("confirmed") ? "confirmed" : "finalized";
}

function asPending(record: TransactionRecord, externalHash: string): TransactionRecord {
  const { account, hash, lt, now, mc_block_seqno, trace_id, ...rest } = record;
  return { account, hash, lt, now, mc_block_seqno, trace_id, trace_external_hash: externalHash, ...rest };
}

/** A trace in answers. */
export function presentPendingTrace(
  { externalHash, unfollowed, transactions: expected }: PresentedTrace,
  actions: readonly Action[],
) {
  const transactions = expected.map(({ record }) => record);
  const first = itemAt(transactions, 0);
  const last = itemAt(transactions, -1);
  const row = {
    trace_id: first.trace_id!,
    external_hash: externalHash,
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
    classification_state: "ok" as const,
  };
  return presentTrace(row, transactions, [...actions]);
}
