import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { pendingMethods } from "../../../shared/methods/v3/pending.js";
import type { Action } from "../../../shared/schema/v3-actions.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Queries } from "../../store/database.js";
import type { ActionTypes } from "../../store/queries/actions.js";
import { receivedMessages } from "../../store/queries/pending.js";
import type { ActionRow } from "../../store/tables/actions.js";
import { shownTypes } from "./actions.js";
import { noExtras, withAddressBook, withExtras } from "./answer-extras.js";
import type { IndexDeps } from "./deps.js";
import { nameMarketplaces } from "./marketplaces.js";
import { addressesOfAction, presentAction } from "./present/action.js";
import { presentTrace } from "./present/trace.js";
import {
  addressesOf,
  presentTransactions,
  type TransactionParts,
  type TransactionRecord,
} from "./present/transaction.js";

/** An external message by its own hash and by the one that does not depend on how it is laid out. */
type PendingMessage = { readonly hash: Uint8Array; readonly hashNorm: Uint8Array };

export type PendingDeps = IndexDeps & {
  pending: {
    /** Those whose traces have not ended, newest first. */
    messages(): Promise<PendingMessage[]>;
    /** The index has all that followed from it. */
    end(message: PendingMessage): void;
    /** What has followed from messages, and what is expected to. */
    traces(messages: readonly PendingMessage[], call: Call): Promise<PendingTrace[]>;
    /** The expected actions of each of the traces. */
    actions(queries: Queries, traces: readonly PendingTrace[]): Promise<ActionRow[][]>;
  };
};

type PendingTrace = PendingMessage & {
  rows: TransactionParts;
  /** Hashes of the transactions that are in a block. */
  happened: ReadonlySet<string>;
  unfollowed: number;
};

export const pendingHandlers: Handlers<typeof pendingMethods, PendingDeps> = {
  pendingTransactions: async ({ account, trace_id }, deps, call) => {
    const traces = await readPending(deps, call);
    if (traces.length === 0) return { transactions: [], address_book: {} };
    return deps.index.read(call, async (queries) => {
      const wanted = new Set(account?.map((address) => address.toRawUpper()));
      const ids = new Set(trace_id?.map(bytesToBase64));
      const found = (await presentAll(queries, traces))
        .filter(({ names }) => wanted.size > 0 || names.some((name) => ids.has(name)))
        .flatMap(({ transactions }) => transactions)
        .filter(({ record, isIndexed }) => !isIndexed && (wanted.size === 0 || wanted.has(record.account)))
        .sort(byTime);
      const transactions = found.map(({ record }) => record);
      return withAddressBook({ transactions }, addressesOf(found), { queries, call, book: deps.book });
    });
  },

  pendingTraces: async ({ account, ext_msg_hash, supported_action_types }, deps, call) => {
    const traces = await readPending(deps, call);
    if (traces.length === 0) return { traces: [], ...noExtras };
    return deps.index.read(call, async (queries) => {
      const isWanted = wanted(account, ext_msg_hash);
      const found = (await presentAll(queries, traces)).filter(isWanted);
      const actions = await actionsOf(queries, deps, found, shownTypes(supported_action_types, call));
      const shown = found.map((trace, i) => presentPending(trace, actions[i]!));
      const addresses = [
        ...addressesOf(found.flatMap((trace) => trace.transactions)),
        ...actions.flat().flatMap(addressesOfAction),
      ];
      return withExtras({ traces: shown }, addresses, { queries, call, book: deps.book });
    });
  },

  pendingActions: async (params, deps, call) => {
    const { account, ext_msg_hash, supported_action_types, include_transactions } = params;
    const traces = await readPending(deps, call);
    if (traces.length === 0) return { actions: [], ...noExtras };
    return deps.index.read(call, async (queries) => {
      const presented = await presentAll(queries, traces);
      const found = account ? presented : presented.filter(wanted(undefined, ext_msg_hash));
      const all = await actionsOf(queries, deps, found, shownTypes(supported_action_types, call));
      const raw = account?.toRawUpper();
      const actions = all.flatMap((ofTrace, i) =>
        ofTrace
          .filter(({ accounts = [] }) => raw === undefined || accounts.includes(raw))
          .sort(newestFirst)
          .map((action) => (include_transactions ? withTransactions(action, found[i]!) : action)),
      );
      const addresses = actions.flatMap(addressesOfAction);
      return withExtras({ actions }, addresses, { queries, call, book: deps.book });
    });
  },
};

/** Whether a trace has a transaction of the account; without an account, one of the hashes. */
function wanted(account: Address | undefined, ext_msg_hash: readonly Uint8Array[] | undefined) {
  const raw = account?.toRawUpper();
  const hashes = new Set(ext_msg_hash?.map(bytesToBase64));
  return ({ names, transactions }: Presented) =>
    raw !== undefined
      ? transactions.some(({ record }) => record.account === raw)
      : names.some((name) => hashes.has(name));
}

/** The actions of each trace that a caller is shown. */
async function actionsOf(
  queries: Queries,
  { pending }: PendingDeps,
  found: readonly Presented[],
  { wanted: types, ancestors }: ActionTypes,
): Promise<Action[][]> {
  const rows = await pending.actions(
    queries,
    found.map(({ trace }) => trace),
  );
  const shown = rows.map((ofTrace, i) => {
    const { transactions, externalHash } = found[i]!;
    const finality = leastFinal(transactions);
    return ofTrace
      .filter(
        (row) => types.includes(row.type) && !row.ancestor_type.some((type) => ancestors.includes(type)),
      )
      .map((row) => ({
        ...presentAction(row, { accounts: true }),
        trace_external_hash_norm: externalHash,
        finality,
      }));
  });
  const named: Action[][] = [];
  for (const actions of shown) named.push(await nameMarketplaces(queries, actions));
  return named;
}

function leastFinal(transactions: readonly Expected[]): Action["finality"] {
  const levels = new Set(transactions.map(({ record }) => record.finality));
  return levels.has("pending") ? "pending" : levels.has("confirmed") ? "confirmed" : "finalized";
}

function newestFirst(a: Action, b: Action): number {
  const difference = BigInt(b.end_lt) - BigInt(a.end_lt) || BigInt(b.start_lt) - BigInt(a.start_lt);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

function withTransactions(action: Action, { transactions }: Presented): Action {
  const own = transactions.filter(({ record }) => action.transactions.includes(record.hash));
  return { ...action, transactions_full: own.map(({ record }) => record) };
}

/** The traces of which the index does not have all. What it has is known before anything is emulated. */
async function readPending({ index, pending }: PendingDeps, call: Call): Promise<PendingTrace[]> {
  const messages = await pending.messages();
  if (messages.length === 0) return [];
  const hashes = messages.map(({ hash }) => hash);
  const received = await index.read(call, (queries) => receivedMessages(queries, hashes));
  const hasEnded = ({ hash }: PendingMessage) => received.get(bytesToBase64(hash))?.isTraceComplete ?? false;
  for (const message of messages) if (hasEnded(message)) pending.end(message);
  return pending.traces(
    messages.filter((message) => !hasEnded(message)),
    call,
  );
}

type Presented = {
  trace: PendingTrace;
  /** Every hash the trace can be asked for by. */
  names: readonly string[];
  externalHash: string;
  unfollowed: number;
  transactions: Expected[];
};
/** `isIndexed`: the index has a transaction that took in the same message. */
type Expected = { record: TransactionRecord; addresses: string; isIndexed: boolean };

async function presentAll(queries: Queries, traces: readonly PendingTrace[]): Promise<Presented[]> {
  const hashes = traces.flatMap(({ rows }) => rows.messages.map(({ msg_hash }) => msg_hash));
  const indexed = await receivedMessages(queries, hashes);
  return traces.map((trace) => {
    const externalHash = bytesToBase64(trace.hashNorm);
    const transactions = presentTransactions(trace.rows).map(({ record, addresses }) => {
      const hasHappened = trace.happened.has(record.hash);
      const isIndexed = record.in_msg !== null && indexed.has(record.in_msg.hash);
      const sure = isIndexed ? "finalized" : "confirmed";
      const finality = hasHappened ? sure : "pending";
      const shown = asPending({ ...record, emulated: !hasHappened, finality }, externalHash);
      return { record: shown, addresses, isIndexed };
    });
    const names = [externalHash, bytesToBase64(trace.hash), transactions[0]!.record.trace_id!];
    return { trace, names, externalHash, unfollowed: trace.unfollowed, transactions };
  });
}

function asPending(record: TransactionRecord, externalHash: string): TransactionRecord {
  const { account, hash, lt, now, mc_block_seqno, trace_id, ...rest } = record;
  return { account, hash, lt, now, mc_block_seqno, trace_id, trace_external_hash: externalHash, ...rest };
}

function presentPending(
  { externalHash, unfollowed, transactions: expected }: Presented,
  actions: readonly Action[],
) {
  const transactions = expected.map(({ record }) => record);
  const first = transactions[0]!;
  const last = transactions.at(-1)!;
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

function byTime({ record: a }: Expected, { record: b }: Expected): number {
  const difference = BigInt(a.lt) - BigInt(b.lt);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return a.account < b.account ? -1 : 1;
}
