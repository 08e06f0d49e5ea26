import type { Subscriber } from "../../../shared/methods/subscriber.js";
import type { StreamLimits } from "../../access/plan.js";
import { ServiceError } from "../../errors.js";
import { compareKeys, cursorOf, type EventKey, endOf, keyOfCursor } from "../../stream/event-key.js";
import { Feed, type FeedChannel } from "../../stream/feed.js";
import { startOf } from "../../stream/feed-start.js";
import type { Hub } from "../../stream/hub.js";
import {
  accountsIn,
  changed,
  choiceOf,
  filterOf,
  foreignList,
  isFirehose,
  type RecordChoice,
} from "../../stream/record-filter.js";
import {
  type Owner,
  type Place,
  type StreamConnections,
  tooManyConnections,
} from "../streaming/connections.js";
import { NotificationForm } from "./forms.js";

export type SocketSubscriptionsOptions = {
  hub: Hub;
  connections: StreamConnections;
  owner: Owner;
  channel: FeedChannel;
  actionsVersion: string | undefined;
  /** Monotonic clock, ms. */
  now: () => number;
};

type Held = { readonly feed: Feed; choice: RecordChoice };
type SubscribeParams = Parameters<Subscriber["subscribe"]>[0];
type UpdateParams = Parameters<Subscriber["update"]>[0];

/** The subscriptions of one WebSocket connection. */
export class SocketSubscriptions {
  readonly #options: SocketSubscriptionsOptions;
  readonly #held = new Map<string, Held>();
  /** Subscriptions whose start is being looked up. */
  #opening = 0;
  #place: Place | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: SocketSubscriptionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#held.size;
  }

  /** The calls of one message. Its subscriptions begin once it is answered. */
  forMessage(): Subscriber & { answered(): void } {
    const opened: Feed[] = [];
    return {
      subscribe: async (params) => {
        const { id, feed } = await this.#subscribe(params);
        opened.push(feed);
        const { seqno, genUtime } = this.#options.hub.head!;
        return { subscription: id, cursor: feed.cursor, head: { seqno, gen_utime: Number(genUtime) } };
      },
      unsubscribe: ({ subscription }) => this.#end(subscription),
      update: (params) => this.#update(params),
      acknowledge: ({ subscription, cursor }) => {
        const { feed } = this.#find(subscription);
        feed.acknowledge(this.#keyOf(cursor));
      },
      answered: () => {
        for (const feed of opened) feed.begin();
      },
    };
  }

  /** The client has read. */
  resume(): void {
    for (const { feed } of this.#held.values()) feed.resume();
  }

  /** Called every second. */
  watch(): void {
    for (const { feed } of this.#held.values()) feed.watch();
  }

  /** The place that all subscriptions have reached, as text that is short enough for a close frame. */
  get reached(): string | undefined {
    const keys = Array.from(this.#held.values(), ({ feed }) => feed.key);
    const least = keys.reduce<EventKey | undefined>(
      (a, b) => (a && compareKeys(a, b) <= 0 ? a : b),
      undefined,
    );
    if (!least) return undefined;
    const { seqno, unit } = least;
    const isWhole = least.rank === endOf({ seqno, rootHash: new Uint8Array(4) }).rank;
    // Of a block that was sent in part the client drops what it has.
    const key = isWhole ? least : { seqno, rank: 0, lt: 0n, id: "", ...(unit !== undefined && { unit }) };
    return cursorOf(key, this.#options.hub.chain);
  }

  /** Tells all that this process stops. */
  closing(): void {
    for (const { feed } of this.#held.values()) feed.closing();
    this.close();
  }

  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#held.keys()]) this.#end(id);
    this.#leaveIfEmpty();
  }

  async #subscribe(params: SubscribeParams): Promise<{ id: string; feed: Feed }> {
    const { hub, actionsVersion, channel, now } = this.#options;
    const choice = choiceOf(params, actionsVersion);
    const place = this.#enter();
    const { limits } = place;
    if (this.#held.size + this.#opening >= limits.subscriptions) throw limited("subscriptions", limits);
    this.#opening++;
    try {
      this.#hold(place, [choice]);
      const { from, to, trace } = params;
      const start = await startOf(hub, { from, to, trace });
      if (!place.takeHistory(start.history)) throw limited("history", limits);
      if (this.#isClosed) throw new ServiceError("unavailable", "the caller has gone");
      // Others may have been opened meanwhile.
      this.#hold(place, [choice]);
      const id = String(++this.#lastId);
      const form = new NotificationForm(id);
      const onEnd = () => this.#end(id);
      const feed = new Feed(
        { hub, channel, form, window: params.window, onEnd, now },
        filterOf(choice),
        start,
      );
      if (start.revertedTo) feed.owe({ type: "reverted", to: start.revertedTo });
      this.#held.set(id, { feed, choice });
      return { id, feed };
    } finally {
      this.#opening--;
      this.#settle();
    }
  }

  async #update({ subscription, add, remove }: UpdateParams): Promise<{ cursor: string }> {
    const held = this.#find(subscription);
    const foreign = foreignList(held.choice, add, remove);
    if (foreign !== undefined) {
      const text = `${foreign} cannot be used with kind ${held.choice.kind}`;
      throw new ServiceError("invalid-params", text, { data: { param: foreign } });
    }
    const before = held.choice;
    held.choice = changed(before, add, remove);
    try {
      this.#hold(this.#place!, []);
    } catch (error) {
      held.choice = before;
      throw error;
    }
    return { cursor: await held.feed.update(filterOf(held.choice)) };
  }

  #find(subscription: string): Held {
    const held = this.#held.get(subscription);
    if (!held) {
      const data = { param: "subscription" };
      throw new ServiceError("absent", "there is no such subscription", { data });
    }
    return held;
  }

  #keyOf(cursor: string): EventKey {
    const key = keyOfCursor(cursor, this.#options.hub.chain);
    if (key) return key;
    const data = { param: "cursor" };
    throw new ServiceError("invalid-params", "cursor contains no cursor of this chain", { data });
  }

  #end(id: string): boolean {
    const held = this.#held.get(id);
    if (!held) return false;
    this.#held.delete(id);
    held.feed.close();
    this.#settle();
    return true;
  }

  /** Connections count while they have subscriptions. */
  #enter(): Place {
    if (this.#place) return this.#place;
    const { connections, owner } = this.#options;
    if (this.#isClosed) throw new ServiceError("unavailable", "the caller has gone");
    const place = connections.enter(owner);
    if (typeof place === "number")
      throw new ServiceError("rate-limited", tooManyConnections(place), { data: { limit: "connections" } });
    this.#place = place;
    return place;
  }

  /** Counts what all subscriptions hold, and some that are to come. */
  #hold(place: Place, more: readonly RecordChoice[]): void {
    const all = [...Array.from(this.#held.values(), ({ choice }) => choice), ...more];
    const limit = place.hold({
      accounts: all.reduce((sum, choice) => sum + accountsIn(choice), 0),
      firehoses: all.filter(isFirehose).length,
    });
    if (limit !== undefined) throw limited(limit, place.limits);
  }

  #settle(): void {
    if (this.#place && this.#held.size + this.#opening > 0) this.#hold(this.#place, []);
    this.#leaveIfEmpty();
  }

  #leaveIfEmpty(): void {
    if (this.#held.size + this.#opening > 0) return;
    this.#place?.leave();
    this.#place = undefined;
  }

  /** Whether so much was sent that nothing more is for a while. */
  get isSlowed(): boolean {
    return this.#place?.isSlowed ?? false;
  }

  spend(bytes: number): void {
    this.#place?.spend(bytes);
  }
}

/** The refusal of what is beyond a limit of the caller's plan. */
export function limited(limit: keyof StreamLimits, limits: StreamLimits): ServiceError {
  const text = `limit of ${limit} exceeded: at most ${limits[limit]}`;
  return new ServiceError("rate-limited", text, { data: { limit } });
}
