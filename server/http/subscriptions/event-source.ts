import type { ServerResponse } from "node:http";
import type { z } from "zod";
import { subscribeParams } from "../../../shared/schema/streams/subscription-params.js";
import type { Access, Caller } from "../../access/access.js";
import { ServiceError } from "../../errors.js";
import { ParamReader } from "../../rpc/params/params.js";
import { Feed, type FeedChannel } from "../../stream/feed.js";
import { startOf } from "../../stream/feed-start.js";
import type { Hub } from "../../stream/hub.js";
import { limitError } from "../../stream/subscriptions/limit-error.js";
import { followedIn } from "../../stream/subscriptions/message-watches.js";
import { choiceOf, filterOf } from "../../stream/subscriptions/record-filter.js";
import type { Exchange } from "../answers/exchange.js";
import { header } from "../answers/headers.js";
import { type Clock, systemClock } from "../clock.js";
import { admit } from "../requests/admit.js";
import { lastOf, parseQuery } from "../requests/query.js";
import type { Route } from "../routes.js";
import {
  ownerOf,
  type Place,
  type StreamConnections,
  streamMethod,
  tooManyConnections,
} from "../streaming/connections.js";
import { EventSourceForm } from "./forms.js";
import { holdingOf } from "./held-totals.js";

type EventSourceDeps = {
  hub: Hub;
  connections: StreamConnections;
  access: Access;
  /** Unsent bytes above which nothing more is written. */
  maxUnsentBytes?: number;
  clock?: Clock;
};

type Params = z.output<typeof subscribeParams>;
type OpenStream = { readonly caller: Caller; readonly feed: Feed; readonly end: () => void };

const path = "/api/streaming/events";
/** How long a client waits before it connects again, ms. */
const retry = "retry: 1000\n\n";
/** How often streams are looked after, ms. */
const watchEveryMs = 1000;

/** Our own subscriptions for `EventSource`: one per connection. */
export class EventSources {
  readonly #deps: EventSourceDeps;
  readonly #params = new ParamReader(subscribeParams, "v2");
  readonly #open = new Set<OpenStream>();
  readonly #clock: Clock;
  readonly #stopWatching: () => void;
  readonly #stopRevoked: () => void;
  #isClosing = false;

  constructor(deps: EventSourceDeps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? systemClock;
    this.#stopWatching = this.#clock.every(watchEveryMs, () => {
      for (const { feed } of this.#open) Feed.watch([feed]);
    });
    this.#stopRevoked = deps.access.onRevoked((keyId) => {
      for (const { caller, end } of this.#open) if (caller.keyId === keyId) end();
    });
  }

  /** Routes by exact path. */
  get routes(): [path: string, route: Route][] {
    return [[path, { surface: "v3", handlers: { GET: (exchange) => this.#serve(exchange) } }]];
  }

  /** Ends all streams, and refuses new ones. */
  close(): void {
    this.#isClosing = true;
    this.#stopWatching();
    this.#stopRevoked();
    for (const { feed, end } of this.#open) {
      feed.closing();
      end();
    }
  }

  async #serve(exchange: Exchange): Promise<void> {
    const { hub, access, connections } = this.#deps;
    const caller = await admit(exchange, access);
    caller.permit?.(streamMethod, 1);
    const query = parseQuery(exchange.search);
    // The reader applies the schema, whose output this is.
    const params = this.#params.read({ query }).values as Params;
    // This transport has no acknowledgements.
    if (params.window !== undefined)
      throw new ServiceError("invalid-params", "window needs a WebSocket", { data: { param: "window" } });
    if (this.#isClosing) throw new ServiceError("unavailable", "Service is stopping");
    const owner = ownerOf(exchange.request, caller, access);
    await connections.refresh(owner);
    const place = connections.enter(owner);
    if (typeof place === "number")
      throw new ServiceError("rate-limited", tooManyConnections(place), { data: { limit: "connections" } });
    try {
      const choice = choiceOf(params, exchange.options.actionsVersion);
      const limit = place.hold(holdingOf(choice));
      if (limit !== undefined) throw limitError(limit, place.limits);
      const last = header(exchange.request, "last-event-id") || lastOf(query, "last_event_id");
      const from = last ? { cursor: last } : params.from;
      const start = await startOf(hub, {
        from,
        to: params.to,
        trace: params.trace,
        message: params.message,
        cursorParam: last ? "last_event_id" : "from",
      });
      if (!place.takeHistory(start.history)) throw limitError("history", place.limits);
      if (start.hasEnded) {
        place.leave();
        exchange.sendEmpty(204);
        return;
      }
      this.#stream(exchange, place, params, { filter: filterOf(choice, caller.owner), start });
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  #stream(
    exchange: Exchange,
    place: Place,
    params: Params,
    { filter, start }: { filter: ReturnType<typeof filterOf>; start: Awaited<ReturnType<typeof startOf>> },
  ): void {
    const { hub, maxUnsentBytes = 1024 * 1024 } = this.#deps;
    const response = exchange.startStream("text/event-stream");
    response.write(retry);
    const end = () => void response.end();
    const feed = new Feed(
      {
        hub,
        channel: channelOf(response, place, maxUnsentBytes),
        form: new EventSourceForm(params.finality !== "finalized"),
        window: undefined,
        message: followedIn(params, start.lastStatus),
        onEnd: end,
        now: this.#clock.now,
      },
      filter,
      start,
    );
    if (start.revertedTo) feed.owe({ type: "reverted", to: start.revertedTo });
    const stream = { caller: exchange.knownCaller, feed, end };
    this.#open.add(stream);
    response.on("drain", () => feed.resume());
    exchange.onceClosed(() => {
      this.#open.delete(stream);
      feed.close();
      place.leave();
    });
    if (this.#isClosing) end();
    else feed.begin();
  }
}

function channelOf(response: ServerResponse, place: Place, maxUnsentBytes: number): FeedChannel {
  return {
    get isFull() {
      return response.writableLength > maxUnsentBytes;
    },
    get isSlowed() {
      return place.isSlowed;
    },
    write: (frame) => {
      if (response.writableEnded || response.destroyed) return;
      response.write(frame);
      place.spend(frame.length);
    },
  };
}
