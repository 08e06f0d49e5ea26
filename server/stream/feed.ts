import type { Hub, Start } from "./hub.js";
import type { FilterEdit } from "./subscriptions/audience.js";
import { compareKeys, cursorOf, type EventKey, endOf } from "./subscriptions/event-key.js";
import type { Filter } from "./subscriptions/filter.js";
import {
  type FollowedMessage,
  hasEnded,
  LastStatus,
  type MessageWatch,
} from "./subscriptions/message-watches.js";
import { type Envelope, heartbeatOf, type SentEvent } from "./subscriptions/sent-event.js";
import type { Notice, Sink, Subscription } from "./subscriptions/subscription.js";

/** Serialization of events for a client. */
export interface FeedForm {
  /** Clients with the same name receive identical text for an event. */
  readonly name: string;
  /** The text of an event, or of a notice, in its envelope. */
  write(json: string, envelope: Envelope): string;
}

/** The connection of a feed. */
export interface FeedChannel {
  /** Whether the client has reached its limit of unread bytes. */
  readonly isFull: boolean;
  /** Whether events must wait because the client has been sent too much. */
  readonly isSlowed: boolean;
  /** Takes the text of an event or a notice. Ends of subscriptions are written also when it `isFull`. */
  write(frame: Buffer): void;
}

type FeedOptions = {
  hub: Hub;
  channel: FeedChannel;
  form: FeedForm;
  /** Maximum number of unacknowledged events; `undefined` for no limit. */
  window: number | undefined;
  /** The followed message of a message subscription. */
  message?: FollowedMessage | undefined;
  /** Suppresses notices about lag. */
  isQuiet?: boolean;
  /** Called when the subscription ends by itself. */
  onEnd: () => void;
  /** Monotonic clock, ms. */
  now: () => number;
};

/** `before`: the position before the event. `ending`: the notice to send after it. */
type Completing = { readonly before: EventKey; ending?: Notice };

/** Silence after which a heartbeat is sent. */
const heartbeatMs = 10_000;

/** A subscription of our own protocol: writes events within the client's window. */
export class Feed implements Sink {
  readonly #options: FeedOptions;
  readonly #subscription: Subscription;
  /** Keys of unacknowledged events; used only with a window. */
  readonly #unacknowledged: EventKey[] = [];
  readonly #closed = new AbortController();
  /** An event being completed from the chain. Everything else waits for it. */
  #completing: Completing | undefined;
  #lastSent: number;
  #watch: MessageWatch | undefined;
  /** The last status sent, for subscriptions to a message. */
  #lastStatus: LastStatus | undefined;

  /** Nothing is sent before `begin`. */
  constructor(options: FeedOptions, filter: Filter, start: Start & { isPast: boolean }) {
    this.#options = options;
    this.#lastSent = options.now();
    this.#lastStatus = options.message?.lastStatus;
    this.#subscription = options.hub.prepare(this, filter, start);
    this.#subscription.isBehind = start.isPast;
    if (start.isPast) options.hub.counts.resumes++;
  }

  /** Whether the hub must keep the next events for later. */
  get isFull(): boolean {
    const { channel, window } = this.#options;
    const isWindowFull = window !== undefined && this.#unacknowledged.length >= window;
    return this.#completing !== undefined || isWindowFull || channel.isFull || channel.isSlowed;
  }

  /** The position up to which everything was sent. */
  get key(): EventKey {
    return this.#withLastStatus(this.#completing?.before ?? this.#options.hub.cursorOf(this.#subscription)!);
  }

  /** Adds the status to the position, so that a resuming client does not receive the same status again. */
  #withLastStatus(key: EventKey): EventKey {
    return this.#lastStatus === undefined ? key : { ...key, id: this.#lastStatus.text };
  }

  /** `key` as clients send it back. */
  get cursor(): string {
    return this.#cursorOf(this.key);
  }

  /** Whether everything available has been sent to the client. */
  get isCurrent(): boolean {
    return this.#completing === undefined && !this.#subscription.isWaiting;
  }

  /** Sends a notice as soon as the feed has begun. */
  owe(notice: Notice): void {
    this.#subscription.owe(notice);
  }

  /** Sends what the subscription begins with; call it once. */
  begin(): void {
    const { hub, message } = this.#options;
    hub.resume(this.#subscription);
    if (!message) return;
    if (hasEnded(message)) this.tell({ type: "end" });
    else this.#follow(message);
  }

  #follow(message: FollowedMessage): void {
    let isBehind = message.lastStatus !== undefined;
    const isFull = () => this.isFull;
    this.#watch = this.#options.hub.follow(message, {
      get isFull() {
        return isFull();
      },
      changed: (status, mark) => {
        this.#lastStatus = LastStatus.after(this.#lastStatus, mark);
        const { cursor } = this;
        const json = JSON.stringify({ type: "message", message: status });
        // Statuses are never revoked, unlike events of transactions before finality.
        this.#writeFrame(Buffer.from(this.#options.form.write(json, { cursor, finality: "finalized" })));
        if (this.#options.window !== undefined) this.#unacknowledged.push(this.key);
        if (isBehind) this.#write({ type: "caught-up" }, this.cursor);
        isBehind = false;
      },
      ended: () => this.tell({ type: "end" }),
    });
  }

  /** Takes an event of the hub. */
  send(sent: SentEvent): void {
    if (this.#subscription.filter.withRaw && sent.key) void this.#complete(sent);
    else this.#deliver(sent, frameOf(sent, this.#options.form));
  }

  #deliver({ key }: SentEvent, frame: Buffer): void {
    this.#writeFrame(frame);
    if (this.#options.window !== undefined && key) this.#unacknowledged.push(key);
  }

  async #complete(sent: SentEvent): Promise<void> {
    const { hub, form } = this.#options;
    const completing: Completing = { before: this.key };
    this.#completing = completing;
    const json = await hub.withRaw(sent, this.#closed.signal);
    this.#completing = undefined;
    if (this.#closed.signal.aborted) return;
    this.#deliver(sent, Buffer.from(form.write(json, sent)));
    if (completing.ending) this.tell(completing.ending);
    else this.resume();
  }

  /** Takes a notice of the hub. */
  tell(notice: Notice): void {
    // All notices but an end wait until there is room.
    if (this.#completing) this.#completing.ending = notice;
    else if (this.#options.isQuiet && isOfProgress(notice)) return;
    else if (notice.type === "invalidated") {
      const { type, trace, transactions } = notice;
      this.#write({ type, trace_external_hash_norm: trace, transactions }, undefined);
    } else if (notice.type === "reverted") this.#reverted(endOf(notice.to));
    else if (notice.type === "lagging") {
      const { type, seconds, isReset } = notice;
      this.#write({ type, seconds, ...(isReset && { speculative: "reset" }) }, this.cursor);
    } else this.#write({ type: notice.type }, this.cursor);
    if (notice.type === "end") this.#options.onEnd();
  }

  /**
   * Events above the base can no longer be acknowledged. The client resumes from the cursor, so a subscription that has
   * not reached the base reports its own position.
   */
  #reverted(base: EventKey): void {
    const kept = this.#unacknowledged.filter((key) => compareKeys(key, base) <= 0);
    this.#unacknowledged.splice(0, Number.POSITIVE_INFINITY, ...kept);
    const place = compareKeys(this.key, base) < 0 ? this.key : this.#withLastStatus(base);
    this.#write({ type: "reverted", mc_seqno: base.seqno }, this.#cursorOf(place));
  }

  /** Notifies the client that this process is stopping. */
  closing(): void {
    this.#write({ type: "closing" }, this.cursor);
  }

  /**
   * Resumes feeds whose clients can take more, and sends due heartbeats. The heartbeats of one connection go out in a
   * single write. Called periodically.
   */
  static watch(feeds: readonly Feed[]): void {
    let silence = 0;
    for (const feed of feeds) {
      feed.resume();
      silence = Math.max(silence, feed.#silence);
    }
    if (silence < heartbeatMs) return;
    for (const feed of feeds) if (feed.#silence >= heartbeatMs / 2) feed.#beat();
  }

  get #silence(): number {
    return this.#options.now() - this.#lastSent;
  }

  #beat(): void {
    const { hub, channel, form } = this.#options;
    if (!hub.head || channel.isFull) return;
    // Subscribers at the head share one heartbeat frame.
    const beat = this.#subscription.next === undefined ? hub.heartbeat : undefined;
    if (beat && compareKeys(beat.key, this.key) === 0) this.#writeFrame(frameOf(beat, form));
    else this.#write(heartbeatOf(hub.head), this.cursor);
  }

  /** Continues if the client can take more. */
  resume(): void {
    if (this.#subscription.isWaiting && !this.isFull) this.#options.hub.resume(this.#subscription);
    if (this.#watch?.isOwed && !this.isFull) this.#options.hub.lookAtMessages();
  }

  /** The client has processed all events up to one. */
  acknowledge(key: EventKey): void {
    const left = this.#unacknowledged.findIndex((each) => compareKeys(each, key) > 0);
    this.#unacknowledged.splice(0, left < 0 ? Number.POSITIVE_INFINITY : left);
    this.resume();
  }

  /** Resolves when no block is being read for this feed; do not change it before. */
  untilIdle(): Promise<void> {
    return this.#options.hub.untilIdle(this.#subscription);
  }

  /** Replaces the filter from the current position on. */
  change(filter: Filter): void {
    this.#options.hub.change(this.#subscription, filter);
  }

  /** As `change`, but costs only the difference. */
  edit(edit: FilterEdit): void {
    this.#options.hub.edit(this.#subscription, edit);
  }

  /** Nothing is written after it. */
  close(): void {
    this.#closed.abort();
    if (this.#watch) this.#options.hub.unfollow(this.#watch);
    this.#options.hub.unsubscribe(this.#subscription);
  }

  #cursorOf(key: EventKey): string {
    return cursorOf(key, this.#options.hub.chain);
  }

  #write(event: object, cursor: string | undefined): void {
    this.#writeFrame(Buffer.from(this.#options.form.write(JSON.stringify(event), { cursor })));
  }

  #writeFrame(frame: Buffer): void {
    const { channel, now } = this.#options;
    channel.write(frame);
    this.#lastSent = now();
  }
}

function isOfProgress(notice: Notice): boolean {
  return notice.type === "caught-up" || (notice.type === "lagging" && !notice.isReset);
}

function frameOf(sent: SentEvent, form: FeedForm): Buffer {
  return sent.frame(form.name, () => form.write(sent.json, sent));
}
