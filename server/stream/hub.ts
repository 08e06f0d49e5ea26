import { settled } from "../../shared/values/promises.js";
import { ServiceError } from "../errors.js";
import { Doorbell } from "../os/doorbell.js";
import type { BookSettings, IndexDeps } from "../present/v3/answer-extras.js";
import type { PendingDeps } from "../present/v3/pending-traces.js";
import { withStatusText } from "../present/v3/texts.js";
import type { Queries } from "../store/database.js";
import type { UnitName } from "../store/queries/blocks/units.js";
import { CatchUp } from "./catch-up.js";
import type { ReadEdits } from "./events/account-edits.js";
import { type RawSource, withRaw } from "./events/raw-transactions.js";
import { HubCounts } from "./hub-counts.js";
import { HubWork } from "./hub-work.js";
import { NewestUnits } from "./newest-units.js";
import { PendingEvents } from "./pending-events.js";
import { PendingFeed } from "./pending-feed.js";
import { lastSeconds } from "./replays.js";
import type { Reverts } from "./reverts.js";
import { Audience, type FilterEdit } from "./subscriptions/audience.js";
import { compareKeys, type EventKey, endOf } from "./subscriptions/event-key.js";
import type { Filter } from "./subscriptions/filter.js";
import {
  type FollowedMessage,
  type MessageSink,
  MessageWatch,
  MessageWatches,
  type ReadStatus,
} from "./subscriptions/message-watches.js";
import { Heartbeats, type SentEvent } from "./subscriptions/sent-event.js";
import { type Replay, type Sink, Subscription } from "./subscriptions/subscription.js";

export type HubOptions = RawSource & {
  index: IndexDeps["index"];
  book: BookSettings;
  /** Absent if messages are not emulated; then all events are finalized. */
  pending: PendingDeps["pending"] | undefined;
  /**
   * Whether the chain is a devnet. Reading it is cheap, so events are sent as confirmed before finalized; and it can be
   * reverted.
   */
  isDevnet: boolean;
  /** Absent if every account change has a transaction. */
  readEdits?: ReadEdits | undefined;
  readMessage: ReadStatus;
  /** Distinguishes this chain's cursors from those of others. */
  chain: string;
  /** Wall clock, ms. */
  now: () => number;
  /** Called with failures other than outages of the database or the chain. */
  onError: (error: Error) => void;
};

/** Starting point of a subscription; by default the newest block. */
export type Start = {
  /** Events up to this one are skipped. */
  after?: EventKey | undefined;
  /** The first masterchain block; default: the one of `after`. */
  next?: number | undefined;
  /** The last masterchain block. */
  to?: number | undefined;
};

/** Longest interval between two looks at the index, in case a notification is missed. */
const lookEveryMs = 5000;
const lookAtPendingEveryMs = 10_000;
/** Interval while no message is followed. */
const idleMs = 60_000;

/**
 * Sends events to subscriptions. There is one hub per process. Finalized events are derived from the committed index,
 * block by block, so all processes of an index send the same events in the same order.
 */
export class Hub {
  readonly #options: HubOptions;
  readonly #work: HubWork;
  readonly #pendingEvents: PendingEvents | undefined;
  readonly #audience: Audience;
  readonly #newest: NewestUnits;
  readonly #pendingFeed: PendingFeed | undefined;
  readonly #catchUp: CatchUp;
  readonly #heartbeats: Heartbeats;
  readonly #unitNews = new Doorbell();
  readonly #pendingNews = new Doorbell();
  readonly #messageNews = new Doorbell();
  readonly #messages: MessageWatches;
  /** Counts of sent events, for metrics. */
  readonly counts = new HubCounts();
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: HubOptions) {
    this.#options = options;
    const { pending, now, book, chain, isDevnet, readEdits } = options;
    const { counts } = this;
    const work = new HubWork(options);
    const pendingEvents = pending && new PendingEvents(pending, now);
    const audience = new Audience(pendingEvents);
    const shared = { work, audience, book, counts, chain, readEdits };
    this.#heartbeats = new Heartbeats(chain);
    this.#work = work;
    this.#messages = new MessageWatches({
      read: options.readMessage,
      describe: (status) => withStatusText(status, book, (read) => work.read(read)),
      now,
    });
    this.#pendingEvents = pendingEvents;
    this.#audience = audience;
    this.#newest = new NewestUnits({ ...shared, pendingEvents, isDevnet, now });
    this.#pendingFeed = pendingEvents && new PendingFeed({ ...shared, pendingEvents });
    const onCaughtUp = (subscription: Subscription) => this.#sendPending(subscription);
    this.#catchUp = new CatchUp({ ...shared, newest: this.#newest, onCaughtUp });
  }

  /** Starts following the index in the background. */
  start(): void {
    const untilPendingMs = () => (this.#pendingEvents?.isFollowing ? lookAtPendingEveryMs : lookEveryMs);
    this.#ended = Promise.all([
      this.#work.repeat(
        this.#unitNews,
        () => lookEveryMs,
        () => this.#advance(),
      ),
      this.#work.repeat(this.#pendingNews, untilPendingMs, async () => this.#pendingFeed?.look()),
      this.#work.repeat(
        this.#messageNews,
        () => (this.#messages.size > 0 ? lookEveryMs : idleMs),
        () => this.#messages.look(this.#work.call),
      ),
    ]);
  }

  /** Ends the reading of the index. Subscriptions stay open, and get no more events. */
  async close(): Promise<void> {
    this.#work.end();
    await this.#ended;
    await this.#catchUp.close();
  }

  /** The index may have changed. */
  indexChanged(): void {
    this.#unitNews.ring();
  }

  /** A message was sent, or the chain has a new block. */
  chainChanged(): void {
    this.#pendingNews.ring();
    this.#messageNews.ring();
  }

  /** Reports a message's status changes to a client until `unfollow`. */
  follow(message: FollowedMessage, sink: MessageSink): MessageWatch {
    const watch = new MessageWatch(message, this.#options.now(), sink);
    this.#messages.add(watch);
    this.#messageNews.ring();
    return watch;
  }

  /** Ends the reports of `follow`. */
  unfollow(watch: MessageWatch): void {
    this.#messages.delete(watch);
  }

  /** Resends statuses to clients that can take more. */
  lookAtMessages(): void {
    this.#messageNews.ring();
  }

  /** The newest block whose events were sent; `undefined` before the first, when subscribing is impossible. */
  get head(): UnitName | undefined {
    return this.#newest.position;
  }

  /** Seqno of `head`. */
  get seqno(): number | undefined {
    return this.head?.seqno;
  }

  /** The idle heartbeat of subscriptions at the head; `undefined` while there is no block. */
  get heartbeat(): ReturnType<Heartbeats["at"]> | undefined {
    return this.head && this.#heartbeats.at(this.head);
  }

  /** The mark of this chain in cursors, which those of other chains do not have. */
  get chain(): string {
    return this.#options.chain;
  }

  /** Reverts of the index since this process follows it. */
  get reverts(): Pick<Reverts, "baseOf" | "count"> {
    return this.#newest.reverts;
  }

  /** Calls back after each sent block and each revert. */
  onReached(listener: () => void): () => void {
    return this.#newest.onReached(listener);
  }

  /** Resolves when the hub has sent a block, or after `maxMs`. Returns whether it has. */
  reaches(seqno: number, maxMs: number): Promise<boolean> {
    return this.#newest.reaches(seqno, maxMs);
  }

  /** Reads from a snapshot of the index. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#work.read(work);
  }

  /** The text of a final transaction with its bag of cells. */
  withRaw(sent: SentEvent, signal: AbortSignal): Promise<string> {
    return withRaw(sent, this.#options, signal);
  }

  /** Number of open subscriptions. */
  get subscriptions(): number {
    return this.#audience.all.size;
  }

  /** Number of different accounts in their filters. */
  get accounts(): number {
    return this.#audience.interests.accounts;
  }

  /** Number of subscriptions that catch up or wait for their clients. */
  get lagging(): number {
    let count = 0;
    for (const { next } of this.#audience.all) if (next !== undefined) count++;
    return count;
  }

  /** Sends the events that match a filter, from the start (default: the next block) until `unsubscribe`. */
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
    this.#audience.add(subscription);
    this.#lookFor(filter);
    return subscription;
  }

  /** The position up to which a subscription was served. */
  cursorOf({ next, after }: Subscription): EventKey | undefined {
    const { head } = this;
    if (next !== undefined || !head) return after;
    const end = endOf(head);
    return after && compareKeys(after, end) > 0 ? after : end;
  }

  /** Resolves when no block is being read for a subscription, so that its changes apply at once. */
  async untilIdle(subscription: Subscription): Promise<void> {
    for (;;) {
      const reading = subscription.reading ?? this.#newest.reading?.done;
      if (!reading) break;
      await settled(reading);
    }
  }

  /** The blocks whose events a new subscription can get. Throws `unavailable` before the first block. */
  lastSeconds(): Promise<Replay> {
    const { head } = this;
    if (!head) throw new ServiceError("unavailable", "The streams are starting");
    return this.read((queries) => lastSeconds(queries, head));
  }

  /** Sends what a subscription matches of the past, if it is given, then of the traces that are not final. */
  replay(subscription: Subscription, replay: Replay | undefined): void {
    if (!subscription.isOpen) return;
    subscription.wantsPending = subscription.filter.minFinality !== "finalized";
    if (replay) subscription.goBack(replay);
    if (subscription.next === undefined) this.#sendPending(subscription);
    else this.resume(subscription);
  }

  #sendPending(subscription: Subscription): void {
    if (!subscription.wantsPending) return;
    subscription.wantsPending = false;
    this.#pendingFeed?.add(subscription);
    this.#pendingNews.ring();
  }

  /** Replaces what a subscription receives, from now on. */
  change(subscription: Subscription, filter: Filter): void {
    if (!subscription.isOpen) return;
    this.#audience.change(subscription, filter);
    this.#lookFor(filter);
  }

  /** As `change`, but costs only the difference. */
  edit(subscription: Subscription, edit: FilterEdit): void {
    if (!subscription.isOpen) return;
    this.#audience.edit(subscription, edit);
    this.#lookFor(edit.filter);
  }

  /** Ends a subscription at once; it may have ended by itself. */
  unsubscribe(subscription: Subscription): void {
    this.#audience.remove(subscription);
  }

  /** The client has read: continues a lagging subscription where it stopped. */
  resume(subscription: Subscription): void {
    if (!subscription.isOpen) return;
    if (subscription.next === undefined || subscription.isCatchingUp) {
      if (!subscription.sink.isFull) subscription.tellOwed(0);
      return;
    }
    this.#catchUp.begin(subscription);
  }

  /** Subscriptions to pending events receive the current ones right away. */
  #lookFor({ minFinality }: Filter): void {
    if (minFinality !== "finalized") this.#pendingNews.ring();
  }

  /** Sends the blocks that the index has beyond the last sent one, one at a time. */
  async #advance(): Promise<void> {
    for (;;) {
      // Confirmed events come before finalized ones: transactions that the index has by now are in a block.
      if (this.#options.isDevnet) await this.#pendingFeed?.lookBefore();
      const isThere = await this.read((queries) => this.#newest.step(queries));
      this.#messageNews.ring();
      if (isThere) return;
    }
  }
}
