import { bytesToBase64 } from "../../shared/values/bytes.js";
import { nameMarketplaces } from "../methods/v3/marketplaces.js";
import { presentAction } from "../methods/v3/present/action.js";
import { traceTree } from "../methods/v3/present/trace.js";
import { readTransaction } from "../methods/v3/present/transaction.js";
import { codeOf, traceStates } from "../store/codes.js";
import type { Queries } from "../store/database.js";
import { rawAddress } from "../store/declare/wire-forms.js";
import { actionsOfTraces } from "../store/queries/actions.js";
import { listJettonWallets } from "../store/queries/jettons.js";
import { transactionsAt, transactionsOfTraces } from "../store/queries/transactions.js";
import { accountsOfTraces, lastTransactionsIn, tracesEndedIn } from "../store/queries/units.js";
import type { StoredTraceRow } from "../store/tables/traces.js";
import { compareKeys, type EventKey, ranks } from "./event-key.js";
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
import type { EventType } from "./filter.js";
import type { Interests } from "./interests.js";

/** Larger traces are no `trace` events, and only their transactions on subscribed accounts are read. */
const maxTransactions = 4000;
/** Jetton wallets per statement. */
const walletsAtOnce = 1000;
const complete = codeOf(traceStates, "complete");

/**
 * The finalized events of a masterchain block that somebody is interested in, in their order. They follow from the index
 * alone.
 */
export async function readUnitEvents(
  queries: Queries,
  seqno: number,
  interests: Interests,
): Promise<StreamEvent[]> {
  const ofTraces = await readTraces(queries, seqno, interests);
  const last = await readLastTransactions(queries, seqno, interests);
  const ofStates = await stateEvents(queries, seqno, interests, last);
  const ofJettons = await jettonEvents(queries, seqno, interests, last);
  return [...ofTraces, ...ofStates, ...ofJettons].sort((a, b) => compareKeys(a.key!, b.key!));
}

/** A trace that ended, the accounts in it that somebody watches, and whether it is watched itself. */
type Watched = {
  row: StoredTraceRow;
  accounts: Uint8Array[];
  isWatched: boolean;
  /** Whether all its transactions are read. */
  isWhole: boolean;
};

async function readTraces(queries: Queries, seqno: number, interests: Interests): Promise<StreamEvent[]> {
  const asked = (["transactions", "actions", "trace"] as const).filter((type) => interests.wants(type));
  if (asked.length === 0) return [];
  const ended = await tracesEndedIn(queries, seqno);
  if (ended.length === 0) return [];
  const watched = await watchedTraces(queries, ended, interests);
  const transactions = await readTransactions(queries, watched);
  const actions = await readActions(
    queries,
    ended.filter(({ state }) => state === complete),
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
    if (trace.accounts.length > 0)
      events.push(transactionsEvent({ ...base, key: keyOf("transactions", trace) }, [...own].reverse()));
    if (trace.isWatched && trace.isWhole && trace.row.state === complete) {
      const { root } = traceTree(own.map(({ record }) => record));
      events.push(
        traceEvent({ ...base, key: keyOf("trace", trace) }, { root, transactions: own, actions: shown }),
      );
    }
    if (shown.length > 0 && interests.wants("actions"))
      events.push(actionsEvent({ ...base, key: keyOf("actions", trace) }, [...shown].sort(latestFirst)));
    return events;
  });
}

/** Actions can name accounts without a transaction in the trace, so all traces count if actions are asked for. */
async function watchedTraces(
  queries: Queries,
  ended: readonly StoredTraceRow[],
  interests: Interests,
): Promise<Watched[]> {
  const accounts = new Map<string, Uint8Array[]>();
  if (interests.wants("transactions")) {
    const ids = ended.map(({ trace_id }) => trace_id);
    for (const { trace_id, account } of await accountsOfTraces(queries, ids))
      if (interests.hasAccount("transactions", rawAddress.present(account))) {
        const id = bytesToBase64(trace_id);
        accounts.set(id, [...(accounts.get(id) ?? []), account]);
      }
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

/** By trace id, ascending: all of those that are read whole, of the others those on watched accounts. */
async function readTransactions(
  queries: Queries,
  watched: readonly Watched[],
): Promise<ReadonlyMap<string, ShownTransaction[]>> {
  const spanOf = ({ row }: Watched) => ({ id: row.trace_id, from: row.start_lt, to: row.end_lt });
  const whole = watched.filter(({ isWhole }) => isWhole).map(spanOf);
  const partly = watched.filter(({ isWhole, accounts }) => !isWhole && accounts.length > 0);
  const texts = [
    ...(whole.length > 0 ? await transactionsOfTraces(queries, whole) : []),
    ...(partly.length > 0
      ? await transactionsOfTraces(
          queries,
          partly.map(spanOf),
          partly.flatMap(({ accounts }) => accounts),
        )
      : []),
  ];
  const byTrace = new Map<string, ShownTransaction[]>();
  for (const text of texts) {
    const shown = { record: readTransaction(text), addresses: text.addresses };
    const id = shown.record.trace_id ?? shown.record.hash;
    byTrace.set(id, [...(byTrace.get(id) ?? []), shown]);
  }
  return byTrace;
}

/** By trace id. */
async function readActions(
  queries: Queries,
  traces: readonly StoredTraceRow[],
  interests: Interests,
): Promise<ReadonlyMap<string, ShownAction[]>> {
  const ofAll = interests.wants("actions");
  const wanted = traces.filter((row) => ofAll || interests.hasTrace(nameOf(row, [])));
  const spans = wanted.map(({ trace_id, end_lt }) => ({ id: trace_id, to: end_lt }));
  const rows = await actionsOfTraces(queries, spans, { wanted: interests.actionTypes(), ancestors: [] });
  const presented = rows.map((row) => presentAction(row, { accounts: true }));
  const actions = await nameMarketplaces(queries, presented);
  const byTrace = new Map<string, ShownAction[]>();
  for (const [at, row] of rows.entries()) {
    const id = bytesToBase64(row.trace_id);
    byTrace.set(id, [...(byTrace.get(id) ?? []), { row, action: actions[at]! }]);
  }
  return byTrace;
}

type LastTransaction = { account: Uint8Array; lt: bigint };

async function readLastTransactions(
  queries: Queries,
  seqno: number,
  interests: Interests,
): Promise<LastTransaction[]> {
  const asked = interests.wants("account_state_change") || interests.wants("jettons_change");
  return asked ? lastTransactionsIn(queries, seqno) : [];
}

async function stateEvents(
  queries: Queries,
  seqno: number,
  interests: Interests,
  last: readonly LastTransaction[],
): Promise<StreamEvent[]> {
  const type = "account_state_change";
  const watched = last.filter(({ account }) => interests.hasAccount(type, rawAddress.present(account)));
  const texts = await transactionsAt(queries, watched);
  return texts.map(readTransaction).map(({ account, lt, account_state_after }) => {
    const key = { seqno, rank: ranks[type], lt: BigInt(lt), id: account };
    return accountStateEvent({ finality: "finalized", key }, account, account_state_after);
  });
}

/** Only the last state of a wallet is stored: one that changed again since is an event of the later block. */
async function jettonEvents(
  queries: Queries,
  seqno: number,
  interests: Interests,
  last: readonly LastTransaction[],
): Promise<StreamEvent[]> {
  const type = "jettons_change";
  if (!interests.wants(type)) return [];
  const ltOf = new Map(last.map(({ account, lt }) => [rawAddress.present(account), String(lt)]));
  const events: StreamEvent[] = [];
  for (let at = 0; at < last.length; at += walletsAtOnce) {
    const addresses = last.slice(at, at + walletsAtOnce).map(({ account }) => account);
    const page = { limit: walletsAtOnce, offset: 0, sort: "desc" } as const;
    for (const wallet of await listJettonWallets(queries, { addresses, withBalance: false }, page)) {
      const isWatched = [wallet.address, wallet.owner].some((each) => interests.hasAccount(type, each));
      if (!isWatched || wallet.last_transaction_lt !== ltOf.get(wallet.address)) continue;
      const key = { seqno, rank: ranks[type], lt: 0n, id: wallet.address };
      events.push(jettonEvent({ finality: "finalized", key }, wallet));
    }
  }
  return events;
}

/** Latest first, as `/actions` lists them. */
export function latestFirst({ action: a }: ShownAction, { action: b }: ShownAction): number {
  const difference = BigInt(b.end_lt) - BigInt(a.end_lt) || BigInt(b.start_lt) - BigInt(a.start_lt);
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  return a.action_id < b.action_id ? 1 : -1;
}

function idOf({ trace_id }: Pick<StoredTraceRow, "trace_id">): string {
  return bytesToBase64(trace_id);
}

/** The name of a trace for clients: of its external message, else of its first message, else of its first transaction. */
function nameOf(row: StoredTraceRow, transactions: readonly ShownTransaction[]): string {
  if (row.external_hash_norm) return bytesToBase64(row.external_hash_norm);
  const first = transactions[0]?.record;
  return first?.hash === idOf(row) && first.in_msg ? first.in_msg.hash : idOf(row);
}
