import type { NotificationParams, SubscribeParams } from "../api.js";
import { abortedBy, awaited, isRpcError } from "../errors.js";
import { backOff } from "../retry.js";
import type { Clock } from "../transports/transport.js";
import { defaultReconnect } from "../transports/web-socket.js";
import type { Receiver, Subscribed } from "./connections.js";
import { isAbove } from "./cursor.js";
import { defaultWindow } from "./defaults.js";
import type { SubscriptionStart } from "./start.js";
import type { Place, Reset, WatchOptions, WatchStatus } from "./types.js";

/** Characters of events that may wait for the loop. Above it the subscription ends, and resumes at half of it. */
const maxWaitingLength = 4 * 1024 * 1024;
/** After a service has announced its stop, its clients reconnect spread over this time. */
const leaveMs = 5000;

type StreamSource = {
  /** Subscribes; rejects if that is not possible now. */
  readonly subscribe: (params: SubscribeParams) => Promise<Subscribed>;
  readonly params: SubscribeParams;
  /** The member of events that has the record. */
  readonly record: string;
  readonly clock: Clock;
  readonly random: () => number;
};

/** Something that waits for the loop. */
type Item<T> = {
  readonly value?: T;
  readonly cursor?: string | undefined;
  readonly length: number;
  /** Runs when the loop reaches it. */
  readonly run?: (() => void) | undefined;
  /** A later item may replace it while it waits. */
  readonly isBeat?: boolean;
};

type Waiter<T> = {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Events on demand. It subscribes when the first one is requested, and again from its cursor whenever the subscription
 * is lost. Leaving the loop ends it for good.
 */
export class EventStream<T extends Place> implements AsyncIterableIterator<T>, Receiver {
  readonly #source: StreamSource;
  readonly #options: WatchOptions;
  readonly #window: number;
  readonly #items: Item<T>[] = [];
  readonly #waiters: Waiter<T>[] = [];
  #length = 0;
  #hasBegun = false;
  #ended: { error?: unknown } | undefined;
  #subscribed: Subscribed | undefined;
  #timer: unknown;
  /** Cursor of what the loop has taken. */
  #taken: string | undefined;
  /** Events that the loop has taken and that are not acknowledged. */
  #unacknowledged = 0;
  #acknowledged: string | undefined;
  /** Start of the next subscription: behind the events that were received. */
  #from: SubscriptionStart | undefined;
  /** Cursor of the last record received. */
  #last: string | undefined;
  #isPaused = false;
  #isLeaving = false;
  #isSpeculative = false;

  constructor(source: StreamSource, options: WatchOptions) {
    this.#source = source;
    this.#options = options;
    this.#window = source.params.window ?? defaultWindow;
    this.#from = source.params.from;
    if (typeof this.#from === "string") this.#taken = this.#last = this.#from;
  }

  /** Cursor of the last event that the loop has taken; `undefined` until it is known. Give it back as `from`. */
  get cursor(): string | undefined {
    return this.#taken;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next event. */
  next(): Promise<IteratorResult<T, undefined>> {
    const next = new Promise<IteratorResult<T, undefined>>((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      this.#begin();
      this.#flow();
    });
    return awaited(next);
  }

  /** Ends the subscription. */
  async return(): Promise<IteratorResult<T, undefined>> {
    this.#leave({});
    return { done: true, value: undefined };
  }

  receive(params: NotificationParams, length: number): void {
    const { cursor, finality, id, replaces, event } = params;
    const { type, ...record } = event;
    if (type === this.#source.record) {
      if (cursor !== undefined && this.#last !== undefined && !isAbove(cursor, this.#last)) {
        // The service counts it as sent.
        this.#unacknowledged++;
        return;
      }
      this.#last = cursor ?? this.#last;
      if (finality !== "finalized") this.#isSpeculative = true;
      const place = {
        finality,
        ...(cursor !== undefined && { cursor }),
        ...(id !== undefined && { id }),
        ...(replaces !== undefined && { replaces }),
      };
      this.#from = cursor ?? this.#from;
      this.#put({ value: { ...record, ...place } as unknown as T, cursor, length });
      return;
    }
    if (type !== "reverted") this.#from = cursor ?? this.#from;
    this.#heed(params);
  }

  lost(): void {
    this.#subscribed = undefined;
    if (this.#ended) return;
    this.#forgetSpeculation();
    const { clock, random } = this.#source;
    if (!this.#isLeaving) void this.#connect();
    else this.#timer = clock.setTimeout(() => void this.#connect(), random() * leaveMs);
  }

  /** An event that is about the subscription. */
  #heed({ event, cursor }: NotificationParams): void {
    switch (event.type) {
      case "caught-up":
        this.#status("live", cursor);
        break;
      case "lagging":
        this.#status("lagging", cursor);
        if (event.speculative) this.#forgetSpeculation();
        break;
      case "invalidated":
        this.#reset(event, cursor);
        if (this.#source.params.kind === "trace") this.#finish();
        break;
      case "reverted":
        // Events above the block come again, under lower cursors. Older services send the block's cursor also to a subscription
        // that has not reached it; resuming there would skip events.
        this.#last = undefined;
        if (cursor && typeof this.#from === "string" && !isAbove(cursor, this.#from)) this.#from = cursor;
        this.#reset(event, this.#from === cursor ? cursor : undefined);
        break;
      case "closing":
        this.#isLeaving = true;
        this.#beat(cursor);
        break;
      case "end":
        this.#finish(cursor);
        break;
      default:
        this.#beat(cursor);
    }
  }

  #begin(): void {
    if (this.#hasBegun || this.#ended) return;
    this.#hasBegun = true;
    const { signal } = this.#options;
    if (signal?.aborted) this.#abort();
    else {
      signal?.addEventListener("abort", this.#abort);
      void this.#connect();
    }
  }

  /** Subscribes, as often as it takes. */
  async #connect(): Promise<void> {
    const { subscribe, params, clock, random } = this.#source;
    this.#isLeaving = false;
    this.#status("connecting");
    for (let failures = 0; !this.#ended; failures++) {
      try {
        const from = this.#from;
        const subscribed = await subscribe({ ...params, ...(from !== undefined && { from }) });
        if (this.#ended) return subscribed.close();
        this.#subscribed = subscribed;
        this.#unacknowledged = 0;
        if (from === undefined) this.#from = subscribed.cursor;
        this.#status(from === undefined ? "live" : "catching-up", this.#taken ?? subscribed.cursor);
        return subscribed.open(this);
      } catch (error) {
        if (!isRpcError(error) || !(error.retryable || error.code === "internal")) {
          this.#end({ error });
          return;
        }
        const waitMs = Math.max(error.retryAfterMs ?? 0, random() * backOff(defaultReconnect, failures));
        await new Promise<void>((resolve) => {
          this.#timer = clock.setTimeout(resolve, waitMs);
        });
      }
    }
  }

  #status(status: WatchStatus, cursor?: string): void {
    this.#put({ cursor, length: 0, run: () => this.#options.onStatus?.(status) });
  }

  #reset(reset: Reset, cursor?: string): void {
    this.#put({ cursor, length: 0, run: () => this.#options.onReset?.(reset) });
  }

  /** Pending traces are followed on one connection only. */
  #forgetSpeculation(): void {
    if (!this.#isSpeculative) return;
    this.#isSpeculative = false;
    this.#reset({ type: "speculative" });
  }

  /** Only the last of several events with nothing but a cursor matters. */
  #beat(cursor: string | undefined): void {
    if (this.#items.at(-1)?.isBeat) this.#items.pop();
    this.#put({ cursor, length: 0, isBeat: true });
  }

  /** The last event was received. */
  #finish(cursor?: string): void {
    this.#put({ cursor, length: 0, run: () => this.#leave({}) });
    this.#subscribed?.close();
    this.#subscribed = undefined;
  }

  #put(item: Item<T>): void {
    if (this.#ended) return;
    this.#items.push(item);
    this.#length += item.length;
    this.#flow();
    if (this.#length <= maxWaitingLength || !this.#subscribed) return;
    this.#isPaused = true;
    this.#subscribed.close();
    this.#subscribed = undefined;
    this.#forgetSpeculation();
  }

  /** Passes waiting items to the loop, as many as it has requested. */
  #flow(): void {
    while (this.#waiters.length > 0) {
      const item = this.#items.shift();
      if (item) this.#take(item);
      else if (this.#ended) this.#settle(this.#ended);
      else return;
    }
  }

  #take({ value, cursor, length, run }: Item<T>): void {
    this.#length -= length;
    this.#taken = cursor ?? this.#taken;
    if (value !== undefined) this.#unacknowledged++;
    this.#acknowledge();
    if (value !== undefined) this.#waiters.shift()!.resolve({ done: false, value });
    try {
      run?.();
    } catch (error) {
      this.#leave({ error });
    }
    if (!this.#isPaused || this.#length > maxWaitingLength / 2) return;
    this.#isPaused = false;
    void this.#connect();
  }

  #acknowledge(): void {
    const isDue = this.#unacknowledged >= this.#window / 2 && this.#taken !== this.#acknowledged;
    if (!isDue || !this.#subscribed || this.#taken === undefined) return;
    this.#acknowledged = this.#taken;
    this.#unacknowledged = 0;
    this.#subscribed.ack(this.#taken);
  }

  readonly #abort = (): void => {
    this.#leave({ error: abortedBy(this.#options.signal!, "watch") });
  };

  /** Ends immediately: waiting items are dropped. */
  #leave(ended: { error?: unknown }): void {
    this.#items.length = 0;
    this.#end(ended);
  }

  /** Ends once what waits is taken. */
  #end(ended: { error?: unknown }): void {
    if (!this.#ended) {
      this.#ended = ended;
      this.#source.clock.clearTimeout(this.#timer);
      this.#options.signal?.removeEventListener("abort", this.#abort);
      this.#subscribed?.close();
      this.#subscribed = undefined;
    }
    this.#flow();
  }

  /** An error is thrown once; after it the loop is over. */
  #settle(ended: { error?: unknown }): void {
    const { resolve, reject } = this.#waiters.shift()!;
    this.#ended = {};
    if ("error" in ended) reject(ended.error);
    else resolve({ done: true, value: undefined });
  }
}
