import type { Call } from "../../shared/methods/define.js";
import type { Action } from "../../shared/schema/v3/actions.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { deleteOldest, itemAt, valueAt } from "../../shared/values/lookups.js";
import type { BookSettings } from "../present/v3/answer-extras.js";
import {
  type PendingDeps,
  type PendingMessage,
  type PresentedTrace,
  pendingActionsByAbi,
  pendingByAbi,
  presentPending,
  presentPendingActions,
  presentPendingTrace,
} from "../present/v3/pending-traces.js";
import { describeExpected } from "../present/v3/texts.js";
import { traceTree } from "../present/v3/trace.js";
import type { TransactionRecord } from "../present/v3/transaction.js";
import type { Queries } from "../store/database.js";
import { receivedMessages } from "../store/queries/messages/pending.js";
import { type AbiViews, readByViews } from "./events/abi-views.js";
import {
  accountStateEvent,
  actionsEvent,
  type ShownAction,
  type ShownTransaction,
  type StreamEvent,
  traceEvent,
  transactionsEvent,
} from "./events/events.js";
import {
  accountRecordEvent,
  actionRecordEvents,
  type TraceParts,
  traceRecordEvent,
  transactionRecordEvent,
} from "./events/records.js";
import { leastOf } from "./subscriptions/filter.js";
import type { Subscription } from "./subscriptions/subscription.js";
import { traceFinality } from "./trace-finality.js";

/** A trace with pending events already sent. */
type Tracked = {
  readonly message: PendingMessage;
  /** Wall clock, ms. */
  readonly since: number;
  readonly receivers: Set<Subscription>;
  /** Fingerprint of the last events. */
  emulated: string;
  happened: ReadonlySet<string>;
  accounts: ReadonlySet<string>;
  /** Ids under which records were sent, by position in the trace. */
  readonly ids: Map<string, string>;
  /** Hashes of transactions that were sent. */
  readonly hashes: Set<string>;
};

/** A dropped trace, with its receivers and the transactions they received. */
type Forgotten = { trace: string; receivers: ReadonlySet<Subscription>; hashes: readonly string[] };

/** A change of a trace; `isBroken` if earlier content no longer holds. */
export type TraceChange = {
  readonly trace: string;
  readonly isBroken: boolean;
  /** Events of what has changed. */
  readonly events: readonly StreamEvent[];
  /** Events of the whole trace, if those of traces without a change are wanted too. */
  readonly all: readonly StreamEvent[];
  /** Call once the events are sent. */
  settle(receivers: Iterable<Subscription>): void;
};

/** How to look for changes. */
type Look = {
  call: Call;
  texts: BookSettings | undefined;
  /** Default: none. */
  views?: AbiViews;
  withUnchanged?: boolean;
};

/** The input of the events of a look. */
type Sources = Pick<Look, "texts"> & { queries: Queries; views: AbiViews };

/** How long to wait for a message's first transaction; sent messages are remembered that long. */
const retentionMs = 600_000;
const maxTracked = 1000;
/** Final traces are remembered, so that no pending event follows their final ones. */
const maxFinal = 10_000;

/** Follows traces that are not final: emulated ones, and those in blocks not yet indexed. */
export class PendingEvents {
  readonly #pending: PendingDeps["pending"];
  readonly #now: () => number;
  readonly #tracked = new Map<string, Tracked>();
  readonly #final = new Set<string>();
  /** Positions of transactions in their traces, by the hash of their received message. */
  readonly #places = new Map<string, { trace: string; place: string }>();

  constructor(pending: PendingDeps["pending"], now: () => number) {
    this.#pending = pending;
    this.#now = now;
  }

  /** Whether any followed trace could fail silently, so that it must be polled. */
  get isFollowing(): boolean {
    return this.#tracked.size > 0;
  }

  /** Stops sending pending events of a trace that is final. */
  end(trace: string): void {
    this.#untrack(trace);
    this.#final.add(trace);
    if (this.#final.size > maxFinal) deleteOldest(this.#final);
  }

  /** Drops all traces: after a revert final ones may be pending again. Returns the pending ones. */
  forget(): Forgotten[] {
    const known = Array.from(this.#tracked, ([trace, { receivers, hashes }]) => ({
      trace,
      receivers,
      hashes: [...hashes],
    }));
    this.#tracked.clear();
    this.#places.clear();
    this.#final.clear();
    return known;
  }

  /** Whether the final form of a trace was sent. */
  isFinal(trace: string): boolean {
    return this.#final.has(trace);
  }

  /** Who received events of a trace before finality. */
  receiversOf(trace: string): ReadonlySet<Subscription> {
    return this.#tracked.get(trace)?.receivers ?? new Set();
  }

  /** Transactions of a trace that were sent before finality. */
  hashesOf(trace: string): readonly string[] {
    return [...(this.#tracked.get(trace)?.hashes ?? [])];
  }

  /** The id under which a client received the event's record before, if it differs. */
  replacedBy({ id, place, trace, message }: StreamEvent, receiver: Subscription): string | undefined {
    if (id === undefined || this.#tracked.size === 0) return undefined;
    const found = message === undefined ? { trace: trace ?? "", place } : this.#places.get(message.hash);
    const tracked = found && this.#tracked.get(found.trace);
    if (!tracked || found.place === undefined) return undefined;
    if (message) this.#placeChildren(found.trace, found.place, message.sent);
    const before = tracked.ids.get(found.place);
    return before !== id && tracked.receivers.has(receiver) ? before : undefined;
  }

  /** Forgets what a subscription received. */
  drop(subscription: Subscription): void {
    for (const { receivers } of this.#tracked.values()) receivers.delete(subscription);
  }

  /**
   * Changes since the last call. `read` gives a snapshot of the index. `texts`: absent if none are wanted.
   * `withUnchanged`: whether traces without a change come too.
   */
  async changes(
    { call, texts, views = new Map(), withUnchanged = false }: Look,
    read: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>,
    take: (queries: Queries, changes: readonly TraceChange[]) => Promise<void>,
  ): Promise<void> {
    const messages = await this.#pending.messages();
    const waiting = messages.filter(({ hashNorm }) => !this.isFinal(bytesToBase64(hashNorm)));
    const unseen = this.#unseen(waiting);
    if (waiting.length === 0 && unseen.length === 0) return;
    const hashes = [...waiting, ...unseen.map(([, { message }]) => message)].map(({ hash }) => hash);
    const received = await read((queries) => receivedMessages(queries, hashes));
    const isComplete = ({ hash }: PendingMessage) =>
      received.get(bytesToBase64(hash))?.isTraceComplete === true;
    const isTracked = ({ hashNorm }: PendingMessage) => this.#tracked.has(bytesToBase64(hashNorm));
    // Traces indexed before any pending event was sent are sent as final only.
    const followed = waiting.filter((message) => isTracked(message) || !isComplete(message));
    const traces = await this.#pending.traces(followed, call);
    await read(async (queries) => {
      const changes: TraceChange[] = [];
      const found = new Set<string>();
      for (const trace of traces) {
        const indexed = isComplete(trace) ? none : await indexedOf(queries, trace.rows.messages);
        const presented = presentPending(trace, indexed);
        found.add(presented.externalHash);
        const change = await this.#changeOf({ queries, texts, views, withUnchanged }, trace, presented);
        if (change) changes.push(change);
      }
      for (const message of followed) {
        const name = bytesToBase64(message.hashNorm);
        if (!found.has(name) && isTracked(message) && !isComplete(message)) changes.push(this.#gone(name));
      }
      for (const [name, { message, since }] of unseen) {
        const isOver = this.#now() - since > retentionMs && !received.has(bytesToBase64(message.hash));
        if (isOver) changes.push(this.#gone(name));
      }
      if (changes.length > 0) await take(queries, changes);
    });
  }

  /** Traces whose messages are no longer among the newest. */
  #unseen(messages: readonly PendingMessage[]): [string, Tracked][] {
    const names = new Set(messages.map(({ hashNorm }) => bytesToBase64(hashNorm)));
    return [...this.#tracked].filter(([name]) => !names.has(name));
  }

  #gone(trace: string): TraceChange {
    return { trace, isBroken: true, events: [], all: [], settle: () => this.#untrack(trace) };
  }

  async #changeOf(
    { withUnchanged, ...sources }: Sources & Pick<Look, "withUnchanged">,
    message: PresentedTrace["trace"],
    presented: PresentedTrace,
  ): Promise<TraceChange | undefined> {
    const { externalHash: trace } = presented;
    const records = presented.transactions.map(({ record }) => record);
    const isEmulated = ({ finality }: TransactionRecord) => finality === "pending";
    const emulated = records.filter(isEmulated).map(shapeOf).join();
    const sure = records.filter(({ finality }) => finality !== "pending");
    const happened = new Set(sure.map(({ hash }) => hash));
    const accounts = new Set(records.map(({ account }) => account));
    const before = this.#tracked.get(trace);
    const news = sure.filter(({ hash }) => !before?.happened.has(hash));
    const hasOtherTail = emulated !== (before?.emulated ?? "");
    const isChanged = news.length > 0 || hasOtherTail;
    if (!isChanged && !withUnchanged) return undefined;
    const { queries, views } = sources;
    const named = new Map<string, PresentedTrace>();
    const byAbi = await readByViews(views, presented.transactions.length, async (book, view) => {
      const trace = await pendingByAbi(presented, { queries, book });
      named.set(view, trace);
      return trace.transactions.map(({ record }) => record);
    });
    const transactions = presented.transactions.map((each, at) => ({ ...each, byAbi: byAbi[at] }));
    const base = { trace, key: undefined };
    const whole: StreamEvent[] = [];
    const finality = traceFinality(records);
    if (finality !== "finalized") {
      const actions = await this.#actionsOf(presented, named, sources);
      const { root } = traceTree(records);
      whole.push(traceEvent({ ...base, finality }, { root, transactions, actions }));
      if (actions.length > 0) whole.push(actionsEvent({ ...base, finality }, actions));
      const place = { finality, key: undefined };
      whole.push(traceRecordEvent(place, partsOf(presented, named, actions), trace));
      whole.push(...actionRecordEvents(actions, () => place, trace));
    }
    const changed = [
      ...(hasOtherTail ? transactions.filter(({ record }) => isEmulated(record)) : []),
      ...transactions.filter(({ record }) => news.includes(record)),
    ];
    const events = isChanged ? [...transactionEvents(trace, transactions, changed), ...whole] : [];
    const all = withUnchanged ? [...transactionEvents(trace, transactions, transactions), ...whole] : [];
    for (const [message, where] of placesIn(records)) this.#places.set(message, { trace, place: where });
    const isBroken = before !== undefined && [...before.accounts].some((account) => !accounts.has(account));
    return {
      trace,
      isBroken,
      events,
      all,
      settle: (receivers) => {
        const known = new Set([...(isBroken ? [] : (before?.receivers ?? [])), ...receivers]);
        const ids = new Map(isBroken ? [] : before?.ids);
        for (const { id, place, message } of events) {
          const where = message ? this.#places.get(message.hash)?.place : place;
          if (id !== undefined && where !== undefined) ids.set(where, id);
        }
        const hashes = new Set(isBroken ? [] : before?.hashes);
        for (const { record } of changed) hashes.add(record.hash);
        this.#track(trace, {
          ids,
          hashes,
          message,
          since: before?.since ?? this.#now(),
          receivers: known,
          emulated,
          happened,
          accounts,
        });
      },
    };
  }

  #track(trace: string, tracked: Tracked): void {
    this.#tracked.set(trace, tracked);
    if (this.#tracked.size > maxTracked) this.#untrack(this.#tracked.keys().next().value!);
  }

  #untrack(trace: string): void {
    if (!this.#tracked.delete(trace)) return;
    for (const [message, { trace: name }] of this.#places) if (name === trace) this.#places.delete(message);
  }

  /** Positions of the transactions that a transaction's messages will cause. */
  #placeChildren(trace: string, place: string, messages: readonly string[]): void {
    for (const [at, message] of messages.entries())
      this.#places.set(message, { trace, place: `${place}/${at}` });
  }

  async #actionsOf(
    presented: PresentedTrace,
    named: ReadonlyMap<string, PresentedTrace>,
    { queries, texts: book, views }: Sources,
  ): Promise<ShownAction[]> {
    const [rows = []] = await this.#pending.actions(queries, [presented.trace]);
    const actions = await presentPendingActions(queries, rows, presented);
    const described = async (shown: readonly Action[]) => {
      const texts = book ? await describeExpected(queries, shown, presented.trace.rows, { book }) : [];
      return shown.map((action, at) => ({ action, texts: texts[at] }));
    };
    const plain = await described(actions);
    const byAbi = await readByViews(views, rows.length, (_, view) =>
      described(pendingActionsByAbi(actions, valueAt(named, view))),
    );
    return rows.map((row, at) => ({ row, ...itemAt(plain, at), byAbi: byAbi[at] }));
  }
}

const none: ReadonlyMap<string, unknown> = new Map();

function indexedOf(queries: Queries, messages: readonly { msg_hash: Uint8Array }[]) {
  return receivedMessages(
    queries,
    messages.map(({ msg_hash }) => msg_hash),
  );
}

/** Events of the transactions of a trace that have changed. */
function transactionEvents(
  trace: string,
  transactions: readonly ShownTransaction[],
  changed: readonly ShownTransaction[],
): StreamEvent[] {
  const base = { trace, key: undefined };
  const emulated = changed.filter(({ record }) => record.finality === "pending");
  const news = changed.filter(({ record }) => record.finality !== "pending").map(({ record }) => record);
  const events: StreamEvent[] = [];
  if (emulated.length > 0)
    events.push(transactionsEvent({ ...base, finality: "pending" }, [...emulated].reverse()));
  if (news.length > 0) {
    const records = transactions.map(({ record }) => record);
    const finality = leastOf(records.map((record) => record.finality ?? "finalized"));
    if (finality !== "finalized")
      events.push(transactionsEvent({ ...base, finality }, [...transactions].reverse()));
    events.push(...stateEvents(news, records));
  }
  for (const transaction of changed) {
    const { finality = "finalized" } = transaction.record;
    if (finality !== "finalized")
      events.push(transactionRecordEvent({ finality, key: undefined }, transaction, trace));
  }
  return events;
}

/** The part of an emulated transaction that stays the same while its logical time, and so every hash, changes. */
function shapeOf({ account, in_msg, out_msgs, description }: TransactionRecord): string {
  return `${account} ${in_msg?.opcode} ${in_msg?.value} ${out_msgs.length} ${description.aborted}`;
}

/** Account states after the transactions in blocks, for accounts without a later known transaction. */
function stateEvents(
  news: readonly TransactionRecord[],
  records: readonly TransactionRecord[],
): StreamEvent[] {
  const last = new Map(
    records.filter(({ finality }) => finality !== "pending").map((record) => [record.account, record]),
  );
  return news.flatMap((record) => {
    const { account, finality, account_state_after: state } = record;
    const isKnown = last.get(account) === record && state.balance !== null && state.balance !== undefined;
    const base = { finality: "confirmed", key: undefined } as const;
    return isKnown && finality === "confirmed"
      ? [accountStateEvent(base, account, state), accountRecordEvent(base, record)]
      : [];
  });
}

/** Positions of a trace's transactions, by the hash of the received message: paths from the root. */
function placesIn(records: readonly TransactionRecord[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const { in_msg, out_msgs } of records) {
    if (!in_msg) continue;
    const place = places.get(in_msg.hash) ?? "";
    places.set(in_msg.hash, place);
    for (const [at, { hash }] of out_msgs.entries()) places.set(hash, `${place}/${at}`);
  }
  return places;
}

function partsOf(
  presented: PresentedTrace,
  named: ReadonlyMap<string, PresentedTrace>,
  actions: readonly ShownAction[],
): TraceParts {
  const { names, transactions } = presented;
  return {
    // The trace's own id comes first.
    names: [...new Set([...names].reverse())],
    accounts: transactions.map(({ record }) => record.account),
    addresses: transactions.flatMap(({ addresses }) => addresses.split(" ")),
    actions,
    views: named,
    present: (shown, { view }) =>
      presentPendingTrace((view === undefined ? undefined : named.get(view)) ?? presented, shown),
  };
}
