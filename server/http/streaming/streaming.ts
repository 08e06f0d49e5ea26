import type { Access } from "../../access/access.js";
import { ServiceError } from "../../errors.js";
import { failureOf, type Health } from "../../observe/health.js";
import type { Log } from "../../observe/log.js";
import { startOf } from "../../stream/feed-start.js";
import type { Hub, Start } from "../../stream/hub.js";
import {
  chosen,
  defaultChoices,
  filterOf,
  RequestError,
  readId,
  readObject,
  readSubscription,
} from "../../stream/subscriptions/request.js";
import type { Exchange } from "../answers/exchange.js";
import { header } from "../answers/headers.js";
import { type Clock, systemClock } from "../clock.js";
import { admitWithBody } from "../requests/admit.js";
import { checkMediaType } from "../requests/body.js";
import type { Handle, Route } from "../routes.js";
import { needsUpgrade } from "../sockets/needs-upgrade.js";
import { closeCodes, type Session } from "../sockets/session.js";
import type { OpenSocket, SocketService } from "../sockets/websocket.js";
import {
  ownerOf,
  type Place,
  type StreamConnections,
  streamMethod,
  tooManyConnections,
} from "./connections.js";
import { replayOf } from "./replay.js";
import { SseStream } from "./sse-stream.js";
import { StreamSession } from "./stream-session.js";

type StreamingDeps = {
  hub: Hub;
  connections: StreamConnections;
  access: Access;
  health: Pick<Health, "report">;
  log: Pick<Log, "error">;
  maxBodyBytes: number;
  maxUnsentBytes?: number;
  clock?: Clock;
};

type OpenStream = {
  readonly stream: SseStream;
  /** Continues once the stream can accept more. */
  readonly resume: () => void;
};

/** Interval of comments that keep a stream open. */
const keepAliveMs = 15_000;
/** How often streams are looked after. */
const watchEveryMs = 1000;
const what = "invalid subscription request";
const texts = {
  noTypes: "types are required for subscription",
  noAddresses: "addresses are required for subscription",
};
/** TON Center's paths, and TonAPI's. */
const bases = ["/api/streaming/v2", "/streaming/v2"];

/** TON Center's streaming protocol, over server-sent events and WebSocket. */
export class Streaming {
  readonly #deps: StreamingDeps;
  readonly #streams = new Set<OpenStream>();
  readonly #stopTimers: (() => void)[];
  readonly #stopRevoked: () => void;
  #isClosing = false;

  constructor(deps: StreamingDeps) {
    this.#deps = deps;
    const { clock = systemClock, access } = deps;
    this.#stopTimers = [
      clock.every(keepAliveMs, () => {
        for (const { stream } of this.#streams) stream.keepAlive();
      }),
      clock.every(watchEveryMs, () => {
        for (const { resume } of this.#streams) resume();
      }),
    ];
    this.#stopRevoked = access.onRevoked((keyId) => {
      for (const { stream } of this.#streams) if (stream.caller.keyId === keyId) stream.end();
    });
  }

  /** Routes by exact path. */
  get routes(): [path: string, route: Route][] {
    const health: Handle = (exchange) => {
      const reason = failureOf(this.#deps.health.report, "v3", "caller") ?? this.#unreadyReason;
      if (reason !== undefined) throw new ServiceError("unavailable", reason);
      return exchange.send(200, "OK", "text/plain; charset=utf-8");
    };
    const route = (handlers: Route["handlers"]): Route => ({ surface: "v3", handlers });
    return [
      ["/api/streaming/healthz", route({ GET: health })],
      ...bases.flatMap((base): [string, Route][] => [
        [`${base}/sse`, route({ POST: (exchange) => this.#openStream(exchange) })],
        [`${base}/ws`, route({ GET: needsUpgrade })],
      ]),
    ];
  }

  /** The services of WebSockets, by path. */
  get services(): ReadonlyMap<string, SocketService> {
    const service: SocketService = {
      admit: (request, caller) => {
        this.#assertReady();
        // A handshake costs no point.
        caller.permit?.(streamMethod, 0);
        const { connections, access } = this.#deps;
        return connections.refresh(ownerOf(request, caller, access));
      },
      open: (socket) => this.#openSocket(socket),
    };
    return new Map(bases.map((base) => [`${base}/ws`, service]));
  }

  /** Ends all streams, and refuses new ones. WebSockets are closed by their openers. */
  close(): void {
    this.#isClosing = true;
    for (const stop of this.#stopTimers) stop();
    this.#stopRevoked();
    for (const { stream } of this.#streams) stream.end();
  }

  get #unreadyReason(): string | undefined {
    if (this.#isClosing) return "Service is stopping";
    return this.#deps.hub.seqno === undefined ? "The streams are starting" : undefined;
  }

  #assertReady(): void {
    const reason = this.#unreadyReason;
    if (reason !== undefined) throw new ServiceError("unavailable", reason);
  }

  #openSocket({ request, webSocket, connection, caller, callOptions, limits, now }: OpenSocket): Session {
    const { hub, access, log } = this.#deps;
    const owner = ownerOf(request, caller, access);
    const place = this.#deps.connections.enter(owner);
    if (typeof place === "number") {
      webSocket.on("error", () => {});
      webSocket.send(JSON.stringify({ error: tooManyConnections(place) }));
      webSocket.close(closeCodes.tryAgainLater, "too many connections");
      return refusedSession(webSocket, caller);
    }
    return new StreamSession({
      webSocket,
      connection,
      caller,
      actionsVersion: callOptions.actionsVersion,
      hub,
      access,
      place,
      refresh: () => this.#deps.connections.refresh(owner),
      limits,
      now,
      onDefect: (error) => log.error({ err: error, caller: caller.id }, "connection failed"),
    });
  }

  async #openStream(exchange: Exchange): Promise<void> {
    const text = await admitWithBody(exchange, this.#deps, checkMediaType);
    exchange.permit?.(streamMethod, 1);
    let id: string | undefined;
    const refuse = (status: number, error: string) =>
      exchange.send(status, JSON.stringify({ ...(id !== undefined && { id }), error }));
    try {
      const fields = readObject(text, what);
      id = readId(fields, what);
      const asked = readSubscription(fields, what);
      const choices = chosen(asked, defaultChoices(exchange.options.actionsVersion));
      const filter = filterOf(asked, choices, { ...texts, owner: exchange.owner });
      this.#assertReady();
      const { connections, access } = this.#deps;
      const owner = ownerOf(exchange.request, exchange.knownCaller, access);
      await connections.refresh(owner);
      const place = connections.enter(owner);
      if (typeof place === "number") return refuse(429, tooManyConnections(place));
      const wanted = filter.addresses.size + filter.traces.size;
      if (place.hold({ accounts: wanted })) {
        const all = place.others + wanted;
        place.leave();
        return refuse(400, `too many addresses: ${all} > max ${place.limits.accounts}`);
      }
      try {
        const { hub } = this.#deps;
        const start = await this.#startOf(exchange, place);
        // From a place that the client names, everything comes anyway.
        const replay = asked.replays && start.next === undefined ? await replayOf(hub, place) : undefined;
        const subscribe = (sink: SseStream) => {
          const subscription = hub.subscribe(sink, filter, start);
          if (asked.replays) hub.replay(subscription, replay);
          return subscription;
        };
        this.#stream(exchange, place, subscribe, id);
      } catch (error) {
        place.leave();
        throw error;
      }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return refuse(400, error.message);
    }
  }

  /** The start position: after the last event that the client received. */
  async #startOf({ request }: Exchange, place: Place): Promise<Start> {
    const last = header(request, "last-event-id");
    if (!last) return {};
    const start = await startOf(this.#deps.hub, { from: { cursor: last } }).catch(refusedStart);
    if (!place.takeHistory(start.history)) throw new RequestError(tooOld);
    return start;
  }

  #stream(
    exchange: Exchange,
    place: Place,
    subscribe: (stream: SseStream) => ReturnType<Hub["subscribe"]>,
    id: string | undefined,
  ): void {
    const { hub, maxUnsentBytes = 1024 * 1024 } = this.#deps;
    const response = exchange.startStream("text/event-stream");
    const stream = new SseStream({
      response,
      caller: exchange.knownCaller,
      place,
      maxUnsentBytes,
    });
    stream.begin(id);
    const subscription = subscribe(stream);
    const resume = () => hub.resume(subscription);
    const open = { stream, resume };
    this.#streams.add(open);
    response.on("drain", resume);
    exchange.onceClosed(() => {
      this.#streams.delete(open);
      hub.unsubscribe(subscription);
      place.leave();
    });
    if (this.#isClosing) stream.end();
  }
}

const tooOld = "Last-Event-ID is too old";

/** The reason why a stream cannot be resumed, in the words of this protocol. */
function refusedStart(error: unknown): never {
  const code = error instanceof ServiceError ? error.code : undefined;
  if (code === "invalid-params") throw new RequestError("invalid Last-Event-ID");
  if (code === "cursor-too-old") throw new RequestError(tooOld);
  throw error;
}

/** A connection that is refused right after its handshake. */
function refusedSession(webSocket: OpenSocket["webSocket"], caller: OpenSocket["caller"]): Session {
  return {
    caller,
    close: (code, reason) => webSocket.close(code, reason),
    drain: () => {},
    terminate: () => webSocket.terminate(),
    watch: () => {},
  };
}
