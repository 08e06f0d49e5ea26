import { setMaxListeners } from "node:events";
import type { Call } from "../../shared/methods/define.js";
import { bytesEqual, bytesToBase64 } from "../../shared/values/bytes.js";
import { ServiceError } from "../errors.js";
import type { BookSettings } from "../methods/v3/answer-extras.js";
import type { IndexDeps } from "../methods/v3/deps.js";
import type { PendingDeps } from "../methods/v3/pending-traces.js";
import type { Queries } from "../store/database.js";
import { newestUnit, tracesEndedIn, type UnitName, unitRange, unitsAmong } from "../store/queries/units.js";
import { Books } from "./books.js";
import { Doorbell } from "./doorbell.js";
import { compareKeys, type EventKey, endOf, unitMark } from "./event-key.js";
import type { Delivery, StreamEvent } from "./events.js";
import { type Filter, nothing } from "./filter.js";
import { HubCounts } from "./hub-counts.js";
import { Interests } from "./interests.js";
import { Reverts } from "./reverts.js";
import { Sent } from "./sent.js";
import { SentLog } from "./sent-log.js";
import { Speculation, type TraceChange } from "./speculation.js";
import { type Sink, Subscription } from "./subscription.js";
import { readUnitEvents } from "./unit-events.js";
import { readUnitRecords } from "./unit-records.js";
import { UnitSource } from "./unit-source.js";

export type HubOptions = {
  index: IndexDeps["index"];
  book: BookSettings;
  /** Absent if messages are not emulated: there are only finalized events then. */
  pending: PendingDeps["pending"] | undefined;
  /**
   * Whether the chain is a devnet. Reading it is cheap, so what is in its blocks is told as confirmed before it is told as
   * finalized; and it can be reverted.
   */
  isDevnet: boolean;
  /** Tells the cursors of this chain from those of others. */
  chain: string;
  /** Wall clock, ms. */
  now: () => number;
  /** Called with failures that are no outage of the database or the chain. */
  onError: (error: Error) => void;
};

/** Where a subscription begins; by default at the newest block. */
export type Start = {
  /** Events up to this one are left out. */
  after?: EventKey | undefined;
  /** The first masterchain block; default: the one of `after`. */
  next?: number | undefined;
  /** The last masterchain block. */
  to?: number | undefined;
};

const retryMs = 500;
/** Longest time between two looks at the index, in case no news arrives. */
const lookEveryMs = 5000;
const lookAtPendingEveryMs = 10_000;
/** Tries to look at what is not final before the next block is told. */
const looksBefore = 3;

/**
 * Tells subscriptions what happens. There is one hub per process. Finalized events follow from the committed index, block
 * by block, so all processes of an index tell the same ones in the same order.
 */
export class Hub {
  readonly #options: HubOptions;
  readonly #interests = new Interests();
  readonly #speculation: Speculation | undefined;
  readonly #sent = new SentLog();
  readonly #ending = new AbortController();
  readonly #unitNews = new Doorbell();
  readonly #pendingNews = new Doorbell();
  readonly #catchingUp = new Set<Promise<void>>();
  readonly #reverts = new Reverts();
  /** What was sent, for metrics. */
  readonly counts = new HubCounts();
  /** The last block whose events were told. */
  #position: UnitName | undefined;
  /** The block whose events are read for all subscriptions that have caught up: new ones read it by themselves. */
  #reading: { seqno: number; done: Promise<void> } | undefined;
  readonly #moved = new Set<() => void>();
  #looking: Promise<void> | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: HubOptions) {
    this.#options = options;
    const { pending, now } = options;
    setMaxListeners(0, this.#ending.signal);
    this.#speculation = pending && new Speculation(pending, now);
  }

  /** Starts to follow the index, in the background. */
  start(): void {
    const { signal } = this.#ending;
    this.#ended = Promise.all([
      this.#repeat(
        this.#unitNews,
        () => lookEveryMs,
        () => this.#advance(),
        signal,
      ),
      this.#repeat(
        this.#pendingNews,
        () => (this.#speculation?.isFollowing ? lookAtPendingEveryMs : lookEveryMs),
        () => this.#lookAtPending(),
        signal,
      ),
    ]);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#ended;
    await Promise.all(this.#catchingUp);
  }

  /** The index may have changed. */
  indexChanged(): void {
    this.#unitNews.ring();
  }

  /** A message was sent, or the chain has a new block. */
  chainChanged(): void {
    this.#pendingNews.ring();
  }

  /** The newest block whose events were told; `undefined` while there is none, and nobody can subscribe. */
  get head(): UnitName | undefined {
    return this.#position;
  }

  get seqno(): number | undefined {
    return this.#position?.seqno;
  }

  get chain(): string {
    return this.#options.chain;
  }

  /** Reverts of the index since this process follows it. */
  get reverts(): Pick<Reverts, "baseOf"> {
    return this.#reverts;
  }

  /** Resolves when the hub has told a block, or after `maxMs`. Returns whether it has. */
  reaches(seqno: number, maxMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (has: boolean) => {
        clearTimeout(timer);
        this.#moved.delete(look);
        resolve(has);
      };
      const look = () => (this.seqno ?? 0) >= seqno && end(true);
      const timer = setTimeout(() => end(false), maxMs);
      this.#moved.add(look);
      look();
    });
  }

  /** Whether the index has a masterchain block. */
  async has(seqno: number): Promise<boolean> {
    return (await this.read((queries) => unitsAmong(queries, [seqno]))).length > 0;
  }

  get subscriptions(): number {
    return this.#interests.all.size;
  }

  get accounts(): number {
    return this.#interests.accounts;
  }

  /** Subscriptions that are being read for by themselves, or wait for their clients. */
  get lagging(): number {
    let count = 0;
    for (const { next } of this.#interests.all) if (next !== undefined) count++;
    return count;
  }

  subscribe(sink: Sink, filter: Filter, start: Start = {}): Subscription {
    const subscription = this.prepare(sink, filter, start);
    if (subscription.next !== undefined) this.resume(subscription);
    return subscription;
  }

  /** As `subscribe`, but nothing is sent before `resume`. */
  prepare(sink: Sink, filter: Filter, { after, next = after?.seqno, to }: Start = {}): Subscription {
    const subscription = new Subscription(sink, filter);
    if (next !== undefined && next <= (this.seqno ?? 0) + 1) {
      subscription.after = after;
      subscription.next = next;
    }
    subscription.to = to;
    this.#interests.add(subscription);
    if (filter.minFinality !== "finalized") this.#pendingNews.ring();
    return subscription;
  }

  /** The place up to which a subscription was served. */
  cursorOf({ next, after }: Subscription): EventKey | undefined {
    const head = this.#position;
    if (next !== undefined || !head) return after;
    const end = endOf(head);
    return after && compareKeys(after, end) > 0 ? after : end;
  }

  /** Replaces what a subscription receives, once no block is being read for it. */
  async update(subscription: Subscription, edit: (filter: Filter) => Filter): Promise<void> {
    for (;;) {
      const reading = subscription.reading ?? this.#reading?.done;
      if (!reading) break;
      await reading.catch(() => {});
    }
    this.change(subscription, edit(subscription.filter));
  }

  /** Replaces what a subscription receives, from now on. */
  change(subscription: Subscription, filter: Filter): void {
    if (!subscription.isOpen) return;
    this.#interests.remove(subscription);
    subscription.filter = filter;
    this.#interests.add(subscription);
    if (filter.minFinality !== "finalized") this.#pendingNews.ring();
  }

  unsubscribe(subscription: Subscription): void {
    if (!subscription.isOpen) return;
    subscription.isOpen = false;
    this.#interests.remove(subscription);
    this.#speculation?.drop(subscription);
    // The log of what was sent may keep it for a while.
    subscription.filter = nothing;
  }

  /** The client has read: a subscription that lags goes on where it stopped. */
  resume(subscription: Subscription): void {
    if (!subscription.isOpen) return;
    if (subscription.next === undefined || subscription.isCatchingUp) {
      if (!subscription.sink.isFull) subscription.tellOwed(0);
      return;
    }
    subscription.isCatchingUp = true;
    const done: Promise<void> = this.#catchUp(subscription).finally(() => {
      subscription.isCatchingUp = false;
      this.#catchingUp.delete(done);
    });
    this.#catchingUp.add(done);
  }

  async #repeat(
    news: Doorbell,
    maxMs: () => number,
    work: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      if (await this.#succeeds(work)) await news.heard(signal, maxMs());
    }
  }

  /** Whether work was done; if it was not, after the time until it is to be tried again. */
  async #succeeds(work: () => Promise<void>): Promise<boolean> {
    const { signal } = this.#ending;
    try {
      await work();
      return true;
    } catch (error) {
      // The parts that own the database and the chain report their outages.
      if (!(error instanceof ServiceError) && !signal.aborted) this.#options.onError(error as Error);
      await new Doorbell().heard(signal, retryMs);
      return false;
    }
  }

  get #call(): Call {
    return {
      signal: this.#ending.signal,
      asked: new Set(),
      caller: "streams",
      unlimited: true,
      options: {},
    };
  }

  /** Reads from a snapshot of the index. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#options.index.read(this.#call, work);
  }

  /** Tells what the index has beyond the last block, one block after the other. */
  async #advance(): Promise<void> {
    for (;;) {
      // Confirmed before finalized: what the index has by now is in a block.
      if (this.#options.isDevnet) await this.#lookBefore();
      const isThere = await this.read((queries) => this.#step(queries));
      if (isThere) return;
    }
  }

  /** Looks at what is not final. What is final does not wait for long for a look that fails. */
  async #lookBefore(): Promise<void> {
    for (let attempt = 0; attempt < looksBefore && !this.#ending.signal.aborted; attempt++)
      if (await this.#succeeds(() => this.#lookAtPending())) return;
  }

  /** One block. Returns whether the newest one is reached. */
  async #step(queries: Queries): Promise<boolean> {
    const newest = await newestUnit(queries);
    if (!newest) return true;
    const before = this.#position;
    if (!before) {
      this.#reach(newest);
      return true;
    }
    const [stored] = await unitsAmong(queries, [before.seqno]);
    if (!stored || !bytesEqual(stored.rootHash, before.rootHash)) {
      await this.#revert(queries, newest);
      return false;
    }
    if (newest.seqno <= before.seqno) return true;
    if (this.#interests.all.size === 0) {
      this.#speculation?.forget();
      this.#reach(newest);
      return true;
    }
    const [unit] = await unitsAmong(queries, [before.seqno + 1]);
    if (!unit) return true;
    const done = this.#tell(queries, unit);
    this.#reading = { seqno: unit.seqno, done };
    try {
      await done;
    } finally {
      this.#reading = undefined;
    }
    return unit.seqno === newest.seqno;
  }

  async #tell(queries: Queries, unit: UnitName): Promise<void> {
    const source = new UnitSource(queries, unit.seqno);
    const events = await readEvents(source, this.#interests);
    const ended = await this.#endedIn(queries, unit);
    await this.#withTexts(queries, events, this.#interests, (event, receivers, json) => {
      const sent = this.#final(unit, event, json);
      let count = 0;
      for (const receiver of receivers) {
        if (!receiver.offer(this.#replacing(event, receiver, sent))) continue;
        count++;
        if (event.isLast) this.#finishTrace(receiver, unit);
        if (this.#options.isDevnet && event.trace !== undefined && event.id === undefined)
          this.#sent.add(unit.seqno, event.trace, receiver);
      }
      this.counts.sent(event, count);
    });
    this.counts.told(this.#options.now() / 1000 - Number(unit.genUtime));
    for (const trace of ended) this.#speculation?.end(trace);
    this.#reach(unit);
    for (const subscription of this.#interests.all)
      if (subscription.to !== undefined && subscription.next === undefined && unit.seqno >= subscription.to)
        this.#finish(subscription);
  }

  /** A final event with its place in the chain. */
  #final(unit: UnitName, event: StreamEvent, json: string): FinalSent {
    const { id, finality } = event;
    const key = { ...event.key!, unit: unitMark(unit) };
    const { chain } = this.#options;
    return new Sent({ json, key, chain, ...(id !== undefined && { id, finality }) }) as FinalSent;
  }

  /** The event for a client that was sent it before, under another id. */
  #replacing(event: StreamEvent, receiver: Subscription, sent: FinalSent): FinalSent {
    const replaces = this.#speculation?.replacedBy(event, receiver);
    return replaces === undefined ? sent : (sent.replacing(replaces) as FinalSent);
  }

  /** One trace was asked for, and it is complete. */
  #finishTrace(subscription: Subscription, unit: UnitName): void {
    if (!subscription.filter.requires?.has("traces")) return;
    subscription.after = endOf(unit);
    this.#finish(subscription);
  }

  #finish(subscription: Subscription): void {
    if (!subscription.isOpen) return;
    subscription.sink.tell({ type: "end" });
    this.unsubscribe(subscription);
  }

  #reach(unit: UnitName): void {
    this.#position = unit;
    this.#sent.reached(unit);
    for (const look of this.#moved) look();
  }

  /** Names of traces that a block has completed, as far as they matter to what is not final. */
  async #endedIn(queries: Queries, { seqno }: UnitName): Promise<string[]> {
    const isConcerned = this.#interests.isSpeculative || this.#speculation?.isFollowing;
    if (!this.#speculation || !isConcerned) return [];
    const rows = await tracesEndedIn(queries, seqno);
    return rows.flatMap(({ external_hash_norm: hash }) => (hash ? [bytesToBase64(hash)] : []));
  }

  /** The index has taken blocks back: what was told of them is void. */
  async #revert(queries: Queries, newest: UnitName): Promise<void> {
    const told = this.#sent.units;
    const stored = await unitsAmong(
      queries,
      told.map(({ seqno }) => seqno),
    );
    const hashes = new Map(stored.map(({ seqno, rootHash }) => [seqno, rootHash]));
    const common = told.findLast(({ seqno, rootHash }) => {
      const now = hashes.get(seqno);
      return now !== undefined && bytesEqual(now, rootHash);
    });
    const to = common ?? newest;
    this.#reverts.add(
      told.filter(({ seqno }) => seqno > to.seqno),
      to,
    );
    const undone = this.#sent.takeAbove(common?.seqno ?? -1);
    const sentHashes = new Map<string, readonly string[]>();
    for (const { trace, receivers, hashes } of this.#speculation?.forget() ?? []) {
      sentHashes.set(trace, hashes);
      for (const receiver of receivers) undone.push({ trace, receiver });
    }
    const traces = new Map<Subscription, Set<string>>();
    for (const { trace, receiver } of undone)
      traces.set(receiver, (traces.get(receiver) ?? new Set()).add(trace));
    for (const [receiver, names] of traces)
      for (const trace of names)
        receiver.tell({ type: "invalidated", trace, transactions: sentHashes.get(trace) ?? [] });
    this.#position = to;
    for (const subscription of this.#interests.all) subscription.revert(to);
  }

  /** Makes the texts of what subscriptions receive; `give` is called for all of them without interruption. */
  async #withTexts(
    queries: Queries,
    events: readonly StreamEvent[],
    interests: Interests,
    give: (event: StreamEvent, receivers: readonly Subscription[], json: string) => void,
  ): Promise<void> {
    if (events.length === 0) return;
    const books = new Books(this.#options.book);
    const deliver = () => events.map((event) => ({ event, deliveries: event.deliveries(interests) }));
    let all = deliver();
    // Filters may change while books are read.
    while (
      await books.load(
        queries,
        all.flatMap(({ deliveries }) => deliveries),
      )
    )
      all = deliver();
    for (const { event, deliveries } of all)
      for (const delivery of deliveries)
        for (const { receivers, addressBook, metadata } of byBooks(delivery))
          give(event, receivers, books.text(delivery, { addressBook, metadata }));
  }

  /** One look at a time. */
  #lookAtPending(): Promise<void> {
    const before = this.#looking;
    const look = (async () => {
      await before?.catch(() => {});
      await this.#lookOnce();
    })();
    this.#looking = look;
    return look.finally(() => {
      if (this.#looking === look) this.#looking = undefined;
    });
  }

  async #lookOnce(): Promise<void> {
    const speculation = this.#speculation;
    if (!speculation || this.#ending.signal.aborted) return;
    if (!this.#interests.isSpeculative && !speculation.isFollowing) return;
    await speculation.changes(
      this.#call,
      (work) => this.read(work),
      async (queries, changes) => {
        for (const change of changes) await this.#tellChange(queries, speculation, change);
      },
    );
  }

  async #tellChange(queries: Queries, speculation: Speculation, change: TraceChange): Promise<void> {
    const receivers = new Set<Subscription>();
    const texts: [StreamEvent, readonly Subscription[], string][] = [];
    await this.#withTexts(queries, change.events, this.#interests, (event, to, json) =>
      texts.push([event, to, json]),
    );
    // Its final form may have been sent meanwhile.
    const { trace } = change;
    if (speculation.isFinal(trace)) return;
    if (change.isBroken) {
      const transactions = speculation.hashesOf(trace);
      for (const receiver of speculation.receiversOf(trace))
        receiver.tell({ type: "invalidated", trace, transactions });
    }
    for (const [event, to, json] of texts) {
      const { id, finality } = event;
      const sent = new Sent({ json, ...(id !== undefined && { id, finality }) });
      let count = 0;
      for (const receiver of to) {
        if (!receiver.takesSpeculation) {
          this.counts.dropped++;
          continue;
        }
        count++;
        receivers.add(receiver);
        const replaces = speculation.replacedBy(event, receiver);
        receiver.sink.send(replaces === undefined ? sent : sent.replacing(replaces));
      }
      this.counts.sent(event, count);
    }
    change.settle(receivers);
  }

  async #catchUp(subscription: Subscription): Promise<void> {
    const { signal } = this.#ending;
    while (subscription.isOpen && !subscription.sink.isFull && !signal.aborted) {
      const { next, to } = subscription;
      if (next === undefined) return;
      if (to !== undefined && next > to) {
        this.#finish(subscription);
        return;
      }
      // A block that is being read for all others is not read for this one, so it is read here.
      if (next > (this.#reading?.seqno ?? this.seqno ?? 0)) {
        subscription.tellOwed(0);
        subscription.caughtUp();
        return;
      }
      const reading = this.read((queries) => this.#tellOne(queries, subscription, next)).finally(() => {
        subscription.reading = undefined;
      });
      subscription.reading = reading;
      await this.#succeeds(() => reading);
    }
  }

  /** The events of one block for one subscription. */
  async #tellOne(queries: Queries, subscription: Subscription, seqno: number): Promise<void> {
    const { reverts } = subscription;
    const [unit] = await unitsAmong(queries, [seqno]);
    if (!unit) {
      const range = await unitRange(queries);
      // The index was reverted, which the hub is going to notice.
      if (!range || seqno >= range.first) throw new ServiceError("unavailable", "the block was reverted");
      subscription.next = range.first;
      return;
    }
    this.counts.resumedUnits++;
    const interests = new Interests([subscription]);
    const events = await readEvents(new UnitSource(queries, seqno), interests);
    let isWhole = true;
    await this.#withTexts(queries, events, interests, (event, _, json) => {
      isWhole &&= subscription.isOpen && subscription.reverts === reverts;
      if (!isWhole) return;
      subscription.tellOwed(this.#secondsBehind(unit));
      isWhole = subscription.give(this.#final(unit, event, json));
      if (isWhole) this.counts.sent(event, 1);
      if (isWhole && event.isLast) this.#finishTrace(subscription, unit);
    });
    if (isWhole && subscription.isOpen && subscription.reverts === reverts) subscription.passed(unit);
  }

  #secondsBehind(unit: UnitName): number {
    return Number((this.#position ?? unit).genUtime - unit.genUtime);
  }
}

type FinalSent = Sent & { readonly key: EventKey };

/** The events of a masterchain block that somebody is interested in, in their order. */
async function readEvents(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  const events = await readUnitEvents(source, interests);
  const records = await readUnitRecords(source, interests);
  return [...events, ...records].sort((a, b) => compareKeys(a.key!, b.key!));
}

type Asked = { receivers: Subscription[]; addressBook: boolean; metadata: boolean };

/** Receivers by the books that they ask for. */
function byBooks({ receivers }: Delivery): Asked[] {
  const groups = new Map<string, Asked>();
  for (const receiver of receivers) {
    const { withAddressBook: addressBook, withMetadata: metadata } = receiver.filter;
    const key = `${addressBook} ${metadata}`;
    const group = groups.get(key);
    if (group) group.receivers.push(receiver);
    else groups.set(key, { receivers: [receiver], addressBook, metadata });
  }
  return [...groups.values()];
}
