import type { Action } from "../../../shared/schema/v3/actions.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { addToGroup, groupBy } from "../../../shared/values/groups.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { presentAction } from "../../present/v3/action.js";
import { nameMarketplaces } from "../../present/v3/marketplaces.js";
import { actionsByAbi, transactionsByAbi } from "../../present/v3/record-abis.js";
import { readTexts } from "../../present/v3/texts.js";
import { traceTree } from "../../present/v3/trace.js";
import { takeTransaction } from "../../present/v3/transaction.js";
import { codeOf, traceStates } from "../../store/codes.js";
import type { Queries } from "../../store/database.js";
import { rawAddress } from "../../store/declare/wire-forms.js";
import { accountsOfTraces } from "../../store/queries/blocks/units.js";
import { type JettonWalletRecord, listJettonWallets } from "../../store/queries/tokens/jettons.js";
import { actionsOfTraces } from "../../store/queries/traces/actions.js";
import { transactionsAt, transactionsOfTraces } from "../../store/queries/transactions/transactions.js";
import { lateWallets, walletsDelayed } from "../../store/queries/upkeep/late-events.js";
import type { RecordText } from "../../store/sql/row-bytes.js";
import type { StoredTraceRow } from "../../store/tables/traces.js";
import { type EventKey, ranks } from "../subscriptions/event-key.js";
import type { EventType } from "../subscriptions/filter.js";
import type { Interests } from "../subscriptions/interests.js";
import { abiViews, readByViews } from "./abi-views.js";
import {
  accountStateEvent,
  actionsEvent,
  jettonEvent,
  type ShownAction,
  type ShownTransaction,
  type StreamEvent,
  traceEvent,
  transactionsEvent,
} from "./events.js";
import type { LastTransaction, UnitSource } from "./unit-source.js";

/** Larger traces yield no `trace` event, and only their transactions on subscribed accounts are read. */
export const maxTransactions = 4000;
/** Jetton wallets per statement. */
const walletsAtOnce = 1000;
const complete = codeOf(traceStates, "complete");

/** Whether a trace has ended, and the index has all of it. */
export function isComplete({ state }: Pick<StoredTraceRow, "state">): boolean {
  return state === complete;
}

/**
 * The finalized events, in TON Center's protocol, of a masterchain block that match any subscription. Derived from the
 * index alone.
 */
export async function readUnitEvents(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  const ofTraces = await readTraces(source, interests);
  const ofStates = await stateEvents(source, interests);
  const ofJettons = await jettonEvents(source, interests);
  return [...ofTraces, ...ofStates, ...ofJettons];
}

/** An ended trace, its watched accounts, and whether it is watched itself. */
type Watched = {
  row: StoredTraceRow;
  accounts: Uint8Array[];
  isWatched: boolean;
  /** Whether all its transactions are read. */
  isWhole: boolean;
};

async function readTraces(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  const { queries, seqno } = source;
  const asked = (["transactions", "actions", "trace"] as const).filter((type) => interests.wants(type));
  if (asked.length === 0) return [];
  const [ended, settled] = [new Set(await source.ended()), new Set(await source.settled())];
  const all = [...new Set([...ended, ...settled])];
  if (all.length === 0) return [];
  const watched = await watchedTraces(queries, all, interests);
  const transactions = await readTransactions(source, interests, watched);
  const actions = await readActions(
    source,
    [...settled].filter(
      (row) => isComplete(row) && (interests.wants("actions") || interests.hasTrace(nameOf(row, []))),
    ),
    interests,
  );
  const keyOf = (type: EventType, { row }: Watched): EventKey => ({
    seqno,
    rank: ranks[type],
    lt: row.end_lt,
    id: idOf(row),
  });
  return watched.flatMap((trace) => {
    const own = transactions.get(idOf(trace.row)) ?? [];
    const shown = actions.get(idOf(trace.row)) ?? [];
    const base = { trace: nameOf(trace.row, own), finality: "finalized" as const };
    const events: StreamEvent[] = [];
    if (trace.accounts.length > 0 && ended.has(trace.row))
      events.push(transactionsEvent({ ...base, key: keyOf("transactions", trace) }, [...own].reverse()));
    if (trace.isWatched && trace.isWhole && isComplete(trace.row) && settled.has(trace.row)) {
      const { root } = traceTree(own.map(({ record }) => record));
      events.push(
        traceEvent({ ...base, key: keyOf("trace", trace) }, { root, transactions: own, actions: shown }),
      );
    }
    if (shown.length > 0 && interests.wants("actions"))
      events.push(actionsEvent({ ...base, key: keyOf("actions", trace) }, shown));
    return events;
  });
}

/** Actions can name accounts without a transaction in the trace, so subscriptions to actions need all traces. */
async function watchedTraces(
  queries: Queries,
  ended: readonly StoredTraceRow[],
  interests: Interests,
): Promise<Watched[]> {
  const accounts = new Map<string, Uint8Array[]>();
  if (interests.wants("transactions")) {
    const ids = ended.map(({ trace_id }) => trace_id);
    for (const { trace_id, account } of await accountsOfTraces(queries, ids))
      if (interests.hasAccount("transactions", rawAddress.present(account)))
        addToGroup(accounts, bytesToBase64(trace_id), account);
  }
  return ended.map((row) => {
    const own = accounts.get(idOf(row)) ?? [];
    const isWatched = [nameOf(row, []), idOf(row)].some((name) => interests.hasTrace(name));
    // A trace without an external message is named by its first transaction.
    const isNameless = own.length > 0 && row.external_hash_norm === undefined;
    return {
      row,
      accounts: own,
      isWatched,
      isWhole: (isWatched || isNameless) && row.nodes_ <= maxTransactions,
    };
  });
}

type TransactionsByTrace = ReadonlyMap<string, ShownTransaction[]>;

const spanOf = (row: StoredTraceRow) => ({ id: row.trace_id, from: row.start_lt, to: row.end_lt });

/** By trace id, ascending: all transactions of whole traces, and those on watched accounts of the others. */
async function readTransactions(
  source: UnitSource,
  interests: Interests,
  watched: readonly Watched[],
): Promise<TransactionsByTrace> {
  const whole = watched.filter(({ isWhole }) => isWhole).map(({ row }) => row);
  const partly = watched.filter(({ isWhole, accounts }) => !isWhole && accounts.length > 0);
  const texts =
    partly.length > 0
      ? await transactionsOfTraces(
          source.queries,
          partly.map(({ row }) => spanOf(row)),
          { accounts: partly.flatMap(({ accounts }) => accounts) },
        )
      : [];
  const shown = await namedByAbi(source, interests, texts.map(shownOf));
  return new Map([...(await readWhole(source, interests, whole)), ...byTraceId(shown)]);
}

/** All transactions of traces by trace id, ascending. */
export async function readWhole(
  source: UnitSource,
  interests: Interests,
  traces: readonly StoredTraceRow[],
): Promise<TransactionsByTrace> {
  const texts = traces.length > 0 ? await transactionsOfTraces(source.queries, traces.map(spanOf)) : [];
  return byTraceId(await namedByAbi(source, interests, texts.map(shownOf)));
}

const shownOf = ({ text, addresses }: RecordText): ShownTransaction => takeTransaction(text, addresses);

/** The transactions with what ABIs say of them, if any subscription wants that. */
export async function namedByAbi(
  { queries, book }: UnitSource,
  interests: Interests,
  shown: readonly ShownTransaction[],
): Promise<readonly ShownTransaction[]> {
  const views = abiViews(interests, book);
  if (views.size === 0) return shown;
  const records = shown.map(({ record }) => record);
  const named = await readByViews(views, shown.length, (seen) =>
    transactionsByAbi(records, { queries, book: seen }),
  );
  return shown.map((each, at) => ({ ...each, byAbi: named[at] }));
}

function byTraceId(all: readonly ShownTransaction[]): TransactionsByTrace {
  return groupBy(all, ({ record }) => record.trace_id ?? record.hash);
}

/** The actions of traces that any subscription receives, by trace id. */
export async function readActions(
  source: UnitSource,
  traces: readonly StoredTraceRow[],
  interests: Interests,
): Promise<ReadonlyMap<string, ShownAction[]>> {
  const { queries } = source;
  const spans = traces.map(({ trace_id, end_lt }) => ({ id: trace_id, to: end_lt }));
  const rows = await actionsOfTraces(queries, spans, { wanted: interests.actionTypes(), ancestors: [] });
  const presented = rows.map((row) => presentAction(row, { accounts: true }));
  const actions = await nameMarketplaces(queries, presented);
  const described = async (shown: readonly Action[]) => {
    const texts = interests.wantsTexts ? await readTexts(queries, shown, source) : [];
    return shown.map((action, at) => ({ action, texts: texts[at] }));
  };
  const plain = await described(actions);
  const named = await readByViews(abiViews(interests, source.book), rows.length, async (seen) =>
    described(await actionsByAbi(actions, { queries, book: seen })),
  );
  const byTrace = new Map<string, ShownAction[]>();
  for (const [at, row] of rows.entries()) {
    const byAbi = itemAt(named, at);
    const shown = { row, ...itemAt(plain, at), ...(byAbi.size > 0 && { byAbi }) };
    addToGroup(byTrace, bytesToBase64(row.trace_id), shown);
  }
  return byTrace;
}

async function stateEvents(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  const type = "account_state_change";
  if (!interests.wants(type)) return [];
  const { queries, seqno } = source;
  const last = await source.last();
  const edits = await source.edits();
  const watched = last.filter(({ account }) => {
    const name = rawAddress.present(account);
    return interests.hasAccount(type, name) && !edits.has(name);
  });
  const found = await transactionsAt(queries, watched, takeTransaction);
  const edited = [...edits.values()].filter(({ account }) => interests.hasAccount(type, account));
  return [...found.map(({ record }) => record), ...edited].map(({ account, lt, account_state_after }) => {
    const key = { seqno, rank: ranks[type], lt: BigInt(lt), id: account };
    return accountStateEvent({ finality: "finalized", key }, account, account_state_after);
  });
}

async function jettonEvents(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  const type = "jettons_change";
  if (!interests.wants(type)) return [];
  const wallets = await changedWallets(source, (account) => interests.hasAccount(type, account));
  return wallets.map((wallet) => {
    const key = { seqno: source.seqno, rank: ranks[type], lt: 0n, id: wallet.address };
    return jettonEvent({ finality: "finalized", key }, wallet);
  });
}

/**
 * Watched jetton wallets, by address or owner, that changed or were recognised. Only the last state of a wallet is
 * stored: a wallet that changed again is an event of the later block.
 */
export async function changedWallets(
  source: UnitSource,
  isWatched: (account: string) => boolean,
): Promise<JettonWalletRecord[]> {
  const last = await statesToTell(source);
  const ltOf = new Map(last.map(({ account, lt }) => [rawAddress.present(account), String(lt)]));
  const changed: JettonWalletRecord[] = [];
  for (let at = 0; at < last.length; at += walletsAtOnce) {
    const addresses = last.slice(at, at + walletsAtOnce).map(({ account }) => account);
    const page = { limit: walletsAtOnce, offset: 0, sort: "desc" } as const;
    for (const wallet of await listJettonWallets(source.queries, { addresses, withBalance: false }, page)) {
      const isCurrent = wallet.last_transaction_lt === ltOf.get(wallet.address);
      if (isCurrent && (isWatched(wallet.address) || isWatched(wallet.owner))) changed.push(wallet);
    }
  }
  return changed;
}

/** The account states to send with a block. Accounts that wait for recognition are sent later. */
async function statesToTell(source: UnitSource): Promise<LastTransaction[]> {
  const { queries, seqno } = source;
  const nameOf = ({ account, lt }: LastTransaction) => `${bytesToBase64(account)} ${lt}`;
  const last = await source.last();
  const delayed = new Set((await walletsDelayed(queries, last)).map(nameOf));
  const own = new Set(last.map(({ account }) => bytesToBase64(account)));
  // An account that also changed in this block is sent with its current state.
  const late = (await lateWallets(queries, seqno)).filter(({ account }) => !own.has(bytesToBase64(account)));
  return [...last.filter((state) => !delayed.has(nameOf(state))), ...late];
}

/** The id of a trace in the index, in base64. */
export function idOf({ trace_id }: Pick<StoredTraceRow, "trace_id">): string {
  return bytesToBase64(trace_id);
}

/** A trace's name for clients: its external message, else its first message, else its first transaction. */
export function nameOf(row: StoredTraceRow, transactions: readonly ShownTransaction[]): string {
  if (row.external_hash_norm) return bytesToBase64(row.external_hash_norm);
  const first = transactions[0]?.record;
  return first?.hash === idOf(row) && first.in_msg ? first.in_msg.hash : idOf(row);
}
