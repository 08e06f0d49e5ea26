import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { pendingMethods } from "../../../shared/methods/v3/pending.js";
import type { Action } from "../../../shared/schema/v3/actions.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { ChainReads } from "../../chain/run/supposed-chain.js";
import { addressesOfAction } from "../../present/v3/action.js";
import { type BookSettings, noExtras, withAddressBook, withExtras } from "../../present/v3/answer-extras.js";
import { codeBookOf } from "../../present/v3/code-book.js";
import {
  type ExpectedRecord,
  type PendingDeps,
  type PendingMessage,
  type PendingTrace,
  type PresentedTrace,
  pendingActionsByAbi,
  pendingByAbi,
  presentPending,
  presentPendingActions,
  presentPendingTrace,
} from "../../present/v3/pending-traces.js";
import { isShown, shownTypes } from "../../present/v3/shown-actions.js";
import { describeExpected, withTexts } from "../../present/v3/texts.js";
import { addressesOf } from "../../present/v3/transaction.js";
import type { Queries } from "../../store/database.js";
import type { ActionTypes } from "../../store/queries/traces/actions.js";
import { reads } from "../../store/reads/index-reads.js";
import type { Outcome } from "./messages/expected.js";
import { type OutcomeDeps, TriedOutcomes } from "./messages/tried-outcomes.js";

type PendingMethodDeps = PendingDeps & OutcomeDeps & { reader: ChainReads };

export const pendingHandlers: Handlers<typeof pendingMethods, PendingMethodDeps> = {
  pendingTransactions: async ({ account, trace_id, include_abi }, deps, call) => {
    const traces = await readPending(deps, call);
    if (traces.length === 0) return { transactions: [], address_book: {} };
    return deps.index.read(call, async (queries) => {
      const wanted = new Set(account?.map((address) => address.toRawUpper()));
      const ids = new Set(trace_id?.map(bytesToBase64));
      const isWanted = ({ names, transactions }: PresentedTrace) =>
        wanted.size > 0
          ? transactions.some(({ record }) => wanted.has(record.account))
          : names.some((name) => ids.has(name));
      const source = { queries, call, book: deps.book, include_abi };
      const found = (await presentWanted(traces, isWanted, source))
        .flatMap(({ transactions }) => transactions)
        .filter(({ record, isIndexed }) => !isIndexed && (wanted.size === 0 || wanted.has(record.account)))
        .sort(byTime);
      const transactions = found.map(({ record }) => record);
      const answer = { transactions, ...codeBookOf(transactions, deps.book) };
      return withAddressBook(answer, addressesOf(found), source);
    });
  },

  pendingTraces: async (params, deps, call) => {
    const { account, ext_msg_hash, supported_action_types, include_text, include_abi } = params;
    const traces = await readPending(deps, call);
    if (traces.length === 0) return { traces: [], ...noExtras };
    const [answer, found] = await deps.index.read(call, async (queries) => {
      const source = { queries, call, book: deps.book, include_abi };
      const found = await presentWanted(traces, wanted(account, ext_msg_hash), source);
      const types = shownTypes(supported_action_types, call);
      const actions = await actionsOf(deps, found, { ...source, types, include_text });
      const shown = found.map((trace, i) => presentPendingTrace(trace, itemAt(actions, i)));
      const addresses = [
        ...addressesOf(found.flatMap((trace) => trace.transactions)),
        ...actions.flat().flatMap(addressesOfAction),
      ];
      const records = found.flatMap(({ transactions }) => transactions.map(({ record }) => record));
      const codes = codeBookOf(records, deps.book);
      return [await withExtras({ traces: shown, ...codes }, addresses, source), found] as const;
    });
    return params.include_hint
      ? { ...answer, traces: await withOutcomes(answer.traces, found, deps, call) }
      : answer;
  },

  pendingActions: async (params, deps, call) => {
    const { account, ext_msg_hash, supported_action_types, include_transactions, ...included } = params;
    const traces = await readPending(deps, call);
    if (traces.length === 0) return { actions: [], ...noExtras };
    return deps.index.read(call, async (queries) => {
      const source = { queries, call, book: deps.book, ...included };
      const isWanted = account ? () => true : wanted(undefined, ext_msg_hash);
      const found = await presentWanted(traces, isWanted, source);
      const types = shownTypes(supported_action_types, call);
      const all = await actionsOf(deps, found, { ...source, types });
      const raw = account?.toRawUpper();
      const actions = all.flatMap((ofTrace, i) =>
        ofTrace
          .filter(({ accounts = [] }) => raw === undefined || accounts.includes(raw))
          .sort(newestFirst)
          .map((action) => (include_transactions ? withTransactions(action, itemAt(found, i)) : action)),
      );
      const addresses = actions.flatMap(addressesOfAction);
      return withExtras({ actions }, addresses, source);
    });
  },
};

/** Whether a trace has a transaction of the account; without an account, whether it has one of the hashes. */
function wanted(account: Address | undefined, ext_msg_hash: readonly Uint8Array[] | undefined) {
  const raw = account?.toRawUpper();
  const hashes = new Set(ext_msg_hash?.map(bytesToBase64));
  return ({ names, transactions }: PresentedTrace) =>
    raw !== undefined
      ? transactions.some(({ record }) => record.account === raw)
      : names.some((name) => hashes.has(name));
}

/** What traces are presented from, with ABIs if they are requested. */
type Source = { queries: Queries; call: Call; book: BookSettings; include_abi: boolean };

/** The actions of each trace that are shown to a caller. */
async function actionsOf(
  { pending }: PendingDeps,
  found: readonly PresentedTrace[],
  { types, include_text, ...source }: Source & { types: ActionTypes; include_text: boolean },
): Promise<Action[][]> {
  const { queries, book, include_abi } = source;
  const rows = await pending.actions(
    queries,
    found.map(({ trace }) => trace),
  );
  const shown: Action[][] = [];
  for (const [i, ofTrace] of rows.entries()) {
    const wanted = ofTrace.filter((row) => isShown(row, types));
    const presented = itemAt(found, i);
    const plain = await presentPendingActions(queries, wanted, presented);
    const actions = include_abi ? pendingActionsByAbi(plain, presented) : plain;
    const { rows } = presented.trace;
    const texts = include_text ? await describeExpected(queries, actions, rows, { book }) : [];
    shown.push(withTexts(actions, texts));
  }
  return shown;
}

/** Outcomes of traces, whose trials take time: no connection to the index is kept meanwhile. */
async function withOutcomes<Trace extends object>(
  traces: readonly Trace[],
  found: readonly PresentedTrace[],
  deps: PendingMethodDeps,
  call: Call,
): Promise<(Trace & { outcome: Outcome })[]> {
  const outcomes = new TriedOutcomes(deps, call);
  const { reader: chain } = deps;
  const block = chain.last;
  const judged: (Trace & { outcome: Outcome })[] = [];
  for (const [i, trace] of traces.entries()) {
    const expected = itemAt(found, i).trace;
    const { first } = expected;
    judged.push({ ...trace, outcome: await outcomes.of(expected, first && { first, chain, block }) });
  }
  return judged;
}

function newestFirst(a: Action, b: Action): number {
  const difference = BigInt(b.end_lt) - BigInt(a.end_lt) || BigInt(b.start_lt) - BigInt(a.start_lt);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

function withTransactions(action: Action, { transactions }: PresentedTrace): Action {
  const own = transactions.filter(({ record }) => action.transactions.includes(record.hash));
  return { ...action, transactions_full: own.map(({ record }) => record) };
}

function byTime({ record: a }: ExpectedRecord, { record: b }: ExpectedRecord): number {
  const difference = BigInt(a.lt) - BigInt(b.lt);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return a.account < b.account ? -1 : 1;
}

async function presentWanted(
  traces: readonly PendingTrace[],
  isWanted: (trace: PresentedTrace) => boolean,
  source: Source,
): Promise<PresentedTrace[]> {
  const hashes = traces.flatMap(({ rows }) => rows.messages.map(({ msg_hash }) => msg_hash));
  const indexed = await reads.receivedMessages(source.queries, hashes);
  const found = traces.map((trace) => presentPending(trace, indexed)).filter(isWanted);
  return source.include_abi ? Promise.all(found.map((trace) => pendingByAbi(trace, source))) : found;
}

/** The traces that are not completely indexed. Checked before anything is emulated. */
async function readPending({ index, pending }: PendingDeps, call: Call): Promise<PendingTrace[]> {
  const messages = await pending.messages();
  if (messages.length === 0) return [];
  const hashes = messages.map(({ hash }) => hash);
  const received = await index.read(call, (queries) => reads.receivedMessages(queries, hashes));
  const hasEnded = ({ hash }: PendingMessage) => received.get(bytesToBase64(hash))?.isTraceComplete ?? false;
  for (const message of messages) if (hasEnded(message)) pending.end(message);
  return pending.traces(
    messages.filter((message) => !hasEnded(message)),
    call,
  );
}
