import type { Subscriber } from "../../../shared/methods/subscriber.js";
import { subscribeParams } from "../../../shared/schema/streams/subscription-params.js";
import { settled } from "../../../shared/values/promises.js";
import type { Access } from "../../access/access.js";
import { ServiceError } from "../../errors.js";
import { ParamReader } from "../../rpc/params/params.js";
import { Feed, type FeedChannel } from "../../stream/feed.js";
import { startOf } from "../../stream/feed-start.js";
import type { Hub } from "../../stream/hub.js";
import {
  compareKeys,
  cursorOf,
  type EventKey,
  endOf,
  keyOfCursor,
} from "../../stream/subscriptions/event-key.js";
import { limitError } from "../../stream/subscriptions/limit-error.js";
import { followedIn } from "../../stream/subscriptions/message-watches.js";
import {
  accountsIn,
  ChoiceEdit,
  choiceOf,
  filterOf,
  foreignList,
  isFirehose,
  type RecordChoice,
} from "../../stream/subscriptions/record-filter.js";
import type {
  ConnectionSubscriptions,
  OpenSubscriptions,
  SubscribingConnection,
} from "../sockets/connection-subscriptions.js";
import { ownerOf, type Place, type StreamConnections, tooManyConnections } from "../streaming/connections.js";
import { NotificationForm, type NotificationName } from "./forms.js";
import { HeldTotals, holdingOf } from "./held-totals.js";

type SubscriptionDeps = { hub: Hub; connections: StreamConnections; access: Access };
type OwnDeps = SubscriptionDeps & { reader: ParamReader };

/** Opens the subscriptions of connections. */
export function openSubscriptions(deps: SubscriptionDeps): OpenSubscriptions {
  const reader = new ParamReader(subscribeParams, "v2");
  return (connection) => new SocketSubscriptions({ ...deps, reader }, connection);
}

type Held = { readonly feed: Feed; choice: RecordChoice };
type SubscribeParams = Parameters<Subscriber["subscribe"]>[0];
type UpdateParams = Parameters<Subscriber["update"]>[0];

/** The subscriptions of one WebSocket connection. */
class SocketSubscriptions implements ConnectionSubscriptions {
  readonly #deps: OwnDeps;
  readonly #connection: SubscribingConnection;
  readonly #channel: FeedChannel;
  readonly #held = new Map<string, Held>();
  readonly #totals = new HeldTotals();
  /** Subscriptions whose start is being looked up. */
  #opening = 0;
  /** The change of a subscription that is about to be made. */
  #editing: { id: string; edit: ChoiceEdit } | undefined;
  /** The last change. */
  #edited: Promise<unknown> = Promise.resolve();
  #place: Place | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(deps: OwnDeps, connection: SubscribingConnection) {
    this.#deps = deps;
    this.#connection = connection;
    const { channel } = connection;
    const isSlowed = () => this.#place?.isSlowed === true;
    this.#channel = {
      get isFull() {
        return channel.isFull;
      },
      get isSlowed() {
        return isSlowed();
      },
      write: (frame) => {
        channel.write(frame);
        this.#place?.spend(frame.length);
      },
    };
  }

  forMessage(): Subscriber & { answered(): void } {
    const opened: Feed[] = [];
    const open = async (params: SubscribeParams, notifications: NotificationName) => {
      const { id, feed } = await this.#subscribe(params, notifications);
      opened.push(feed);
      return { id, feed };
    };
    return {
      subscribe: async (params) => {
        const { id, feed } = await open(params, "subscription");
        const { seqno, genUtime } = this.#deps.hub.head!;
        return { subscription: id, cursor: feed.cursor, head: { seqno, gen_utime: Number(genUtime) } };
      },
      tonSubscribe: async ({ kind, filter }) => {
        // The reader applies the schema, whose output this is.
        const params = this.#deps.reader.read({ object: { ...filter, kind } }, true)
          .values as SubscribeParams;
        return (await open(params, "ton_subscription")).id;
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

  resume(): void {
    for (const { feed } of this.#held.values()) feed.resume();
  }

  watch(): void {
    if (this.#held.size > 0) Feed.watch(Array.from(this.#held.values(), ({ feed }) => feed));
  }

  get reached(): string | undefined {
    const keys = Array.from(this.#held.values(), ({ feed }) => feed.key);
    const least = keys.reduce<EventKey | undefined>(
      (a, b) => (a && compareKeys(a, b) <= 0 ? a : b),
      undefined,
    );
    if (!least) return undefined;
    const { seqno, unit } = least;
    const isWhole = least.rank === endOf({ seqno, rootHash: new Uint8Array(4) }).rank;
    // After a partly sent block the client drops its events of that block.
    const key = isWhole ? least : { seqno, rank: 0, lt: 0n, id: "", ...(unit !== undefined && { unit }) };
    return cursorOf(key, this.#deps.hub.chain);
  }

  closing(): void {
    for (const { feed } of this.#held.values()) feed.closing();
    this.close();
  }

  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#held.keys()]) this.#end(id);
    this.#leaveIfEmpty();
  }

  async #subscribe(
    params: SubscribeParams,
    notifications: NotificationName,
  ): Promise<{ id: string; feed: Feed }> {
    const { hub } = this.#deps;
    const { callOptions, now } = this.#connection;
    const channel = this.#channel;
    const choice = choiceOf(params, callOptions.actionsVersion);
    await this.#refresh();
    const place = this.#enter();
    const { limits } = place;
    if (this.#held.size + this.#opening >= limits.subscriptions) throw limitError("subscriptions", limits);
    this.#opening++;
    try {
      this.#hold(place, choice);
      const { from, to, trace, message } = params;
      const start = await startOf(hub, { from, to, trace, message });
      if (!place.takeHistory(start.history)) throw limitError("history", limits);
      if (this.#isClosed) throw new ServiceError("unavailable", "the caller has gone");
      // Others may have been opened meanwhile.
      this.#hold(place, choice);
      const id = String(++this.#lastId);
      const form = new NotificationForm(id, notifications);
      const onEnd = () => this.#end(id);
      const feed = new Feed(
        {
          hub,
          channel,
          form,
          window: params.window,
          message: followedIn(params, start.lastStatus),
          onEnd,
          now,
        },
        filterOf(choice, this.#connection.caller.owner),
        start,
      );
      if (start.revertedTo) feed.owe({ type: "reverted", to: start.revertedTo });
      this.#held.set(id, { feed, choice });
      this.#totals.set(id, choice);
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
    // Each change is a difference from the one before.
    const done = this.#edited.then(() => this.#edit(subscription, add, remove));
    this.#edited = settled(done);
    await done;
    return { cursor: held.feed.cursor };
  }

  async #edit(id: string, add: UpdateParams["add"], remove: UpdateParams["remove"]): Promise<void> {
    const held = this.#find(id);
    if (add) await this.#refresh();
    const edit = new ChoiceEdit(held.choice, add, remove);
    this.#editing = { id, edit };
    try {
      this.#hold(this.#place!);
      await held.feed.untilIdle();
      held.choice = edit.apply();
      // The subscription may have ended meanwhile.
      if (this.#held.get(id) === held) this.#totals.set(id, held.choice);
    } finally {
      this.#editing = undefined;
    }
    const filter = filterOf(held.choice, this.#connection.caller.owner);
    if (edit.keepsLists) held.feed.edit({ filter, added: edit.added, removed: edit.removed });
    else held.feed.change(filter);
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
    const key = keyOfCursor(cursor, this.#deps.hub.chain);
    if (key) return key;
    const data = { param: "cursor" };
    throw new ServiceError("invalid-params", "cursor contains no cursor of this chain", { data });
  }

  #end(id: string): boolean {
    const held = this.#held.get(id);
    if (!held) return false;
    this.#held.delete(id);
    this.#totals.delete(id);
    held.feed.close();
    this.#settle();
    return true;
  }

  /** Learns what the caller holds elsewhere. */
  #refresh(): Promise<void> | undefined {
    const { connections, access } = this.#deps;
    const { request, caller } = this.#connection;
    return connections.refresh(ownerOf(request, caller, access));
  }

  /** Connections count while they have subscriptions. */
  #enter(): Place {
    if (this.#place) return this.#place;
    const { connections, access } = this.#deps;
    const { request, caller } = this.#connection;
    if (this.#isClosed) throw new ServiceError("unavailable", "the caller has gone");
    const place = connections.enter(ownerOf(request, caller, access));
    if (typeof place === "number")
      throw new ServiceError("rate-limited", tooManyConnections(place), { data: { limit: "connections" } });
    this.#place = place;
    return place;
  }

  /** Counts the holdings of all subscriptions after a pending change, and of one to be added. */
  #hold(place: Place, added?: RecordChoice): void {
    const more = added && holdingOf(added);
    let accounts = this.#totals.accounts + (more?.accounts ?? 0);
    let firehoses = this.#totals.firehoses + (more?.firehoses ?? 0);
    const held = this.#editing && this.#held.get(this.#editing.id);
    if (this.#editing && held) {
      const { edit } = this.#editing;
      accounts += edit.accounts - accountsIn(held.choice);
      if (isFirehose(held.choice) && !edit.keepsLists) firehoses--;
    }
    const limit = place.hold({ accounts, firehoses });
    if (limit !== undefined) throw limitError(limit, place.limits);
  }

  #settle(): void {
    if (this.#place && this.#held.size + this.#opening > 0) this.#hold(this.#place);
    this.#leaveIfEmpty();
  }

  #leaveIfEmpty(): void {
    if (this.#held.size + this.#opening > 0) return;
    this.#place?.leave();
    this.#place = undefined;
  }
}
