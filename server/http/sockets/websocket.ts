import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { CallOptions } from "../../../shared/methods/define.js";
import type { Access, Caller } from "../../access/access.js";
import { ServiceError } from "../../errors.js";
import type { Health } from "../../observe/health.js";
import type { Log } from "../../observe/log.js";
import type { Metrics } from "../../observe/metrics.js";
import type { AnswerBudget } from "../../rpc/answers/answer-budget.js";
import type { JsonRpc } from "../../rpc/json-rpc/json-rpc.js";
import { type Target, targetOf } from "../answers/exchange.js";
import { Heads, isV4 } from "../answers/headers.js";
import { asServiceError, type Surface } from "../answers/refusal.js";
import { type Clock, systemClock } from "../clock.js";
import { readOptions } from "../options.js";
import { identify } from "../requests/admit.js";
import { refusesUnknown, type UnknownParams } from "../requests/unknown-params.js";
import { afterPipelinedAnswers } from "./after-pipelined-answers.js";
import type { OpenSubscriptions } from "./connection-subscriptions.js";
import { ignoreUpgrade, wantsWebSocket } from "./ignore-upgrade.js";
import { refuseUpgrade } from "./refuse-upgrade.js";
import { closeCodes, type Session } from "./session.js";
import { type SessionLimits, type SessionOptions, SocketSession } from "./socket-session.js";

/** Limits of connections, each and in total. */
export type WebSocketLimits = SessionLimits & {
  maxPerCaller: number;
  maxConnections: number;
};

/** The limits unless a test overrides them. */
const webSocketLimits: WebSocketLimits = {
  maxRunning: 64,
  maxUnsentBytes: 1024 * 1024,
  slowReaderMs: 30_000,
  silenceMs: 15_000,
  pongMs: 10_000,
  maxPerCaller: 100,
  maxConnections: 10_000,
  maxRefusals: 10,
  maxPauses: 5,
  maxPings: 30,
};

type WebSocketDeps = {
  rpc: JsonRpc;
  access: Access;
  budget: AnswerBudget;
  health: Pick<Health, "refusal">;
  log: Pick<Log, "error">;
  metrics: Pick<Metrics, "connections">;
  maxMessageBytes: number;
  /** Treatment of unknown parameters. */
  unknownParams: UnknownParams;
  /** Version of this package, for the headers of refusals. */
  version: string;
  /** Services on paths other than those of JSON-RPC. */
  services?: ReadonlyMap<string, SocketService>;
  /** Opens the subscriptions of a JSON-RPC connection; absent without an index. */
  openSubscriptions?: OpenSubscriptions | undefined;
  limits?: Partial<WebSocketLimits>;
  clock?: Clock;
};

/** The part of the handshake that the calls of its connection need. */
type Sender = Pick<SessionOptions, "caller" | "callOptions">;

/** A connection after its handshake, for the services. */
export type OpenSocket = {
  readonly request: IncomingMessage;
  readonly webSocket: WebSocket;
  readonly connection: Duplex;
  readonly caller: Caller;
  readonly callOptions: CallOptions;
  readonly limits: SessionLimits;
  /** Monotonic clock, ms. */
  readonly now: () => number;
};
/** Serves the connections of a path. */
export type SocketService = {
  /** Throws if it cannot be served now. The handshake waits for the promise. */
  readonly admit: (request: IncomingMessage, caller: Caller) => Promise<void> | undefined;
  readonly open: (socket: OpenSocket) => Session;
};

/** Paths that accept upgrades, and the format of their refusals. */
const surfaces: ReadonlyMap<string, Surface> = new Map([
  ["/jsonRPC", "strict"],
  ["/api/v2/jsonRPC", "ton-center"],
]);
const nameOf = ({ path }: Target) => path.replace(/(?<=.)\/$/, "");
const watchEveryMs = 1000;
const subprotocol = "jsonrpc";

/** WebSockets for JSON-RPC and for other services: admits connections, limits their number, and drains or closes them. */
export class WebSocketEndpoint {
  readonly #deps: WebSocketDeps;
  readonly #limits: WebSocketLimits;
  readonly #handshakes: WebSocketServer;
  readonly #heads: Heads;
  readonly #clock: Clock;
  readonly #sessions = new Set<Session>();
  readonly #perCaller = new Map<string, number>();
  readonly #stopWatching: () => void;
  readonly #stopRevoked: () => void;
  #closing = false;
  #allClosed: (() => void) | undefined;

  constructor(server: Server, deps: WebSocketDeps) {
    this.#deps = deps;
    this.#limits = { ...webSocketLimits, ...deps.limits };
    this.#heads = new Heads(deps.version);
    this.#clock = deps.clock ?? systemClock;
    this.#handshakes = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // Compression would cost ten times the rest of a small answer.
      perMessageDeflate: false,
      // The session answers pings, because it limits them.
      autoPong: false,
      maxPayload: deps.maxMessageBytes,
      handleProtocols: (offered) => offered.has(subprotocol) && subprotocol,
    });
    const watchMs = Math.min(
      watchEveryMs,
      this.#limits.silenceMs,
      this.#limits.pongMs,
      this.#limits.slowReaderMs,
    );
    this.#stopWatching = this.#clock.every(watchMs, () => this.#watch());
    this.#stopRevoked = deps.access.onRevoked((keyId) => this.#drop(keyId));
    this.#handshakes.on("wsClientError", ({ message }, socket, request) =>
      this.#refuse(request, socket, new ServiceError("invalid-request", message, { status: 400 })),
    );
    server.on("upgrade", (request, socket, head) => {
      afterPipelinedAnswers(socket, () => {
        if (wantsWebSocket(request)) void this.#upgrade(request, socket, head);
        else ignoreUpgrade(server, request, socket, head);
      });
    });
  }

  /** Waits up to `drainMs` for calls in flight, then cuts the remaining connections. Resolves with their number. */
  async close(drainMs: number): Promise<number> {
    let left = 0;
    this.#closing = true;
    this.#stopWatching();
    this.#stopRevoked();
    if (this.#sessions.size > 0) {
      const closed = new Promise<void>((resolve) => {
        this.#allClosed = resolve;
      });
      const cut = setTimeout(() => {
        left = this.#sessions.size;
        for (const session of this.#sessions) session.terminate();
      }, drainMs);
      for (const session of this.#sessions) session.drain();
      await closed;
      clearTimeout(cut);
    }
    this.#handshakes.close();
    return left;
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Until ws adds its listener, a connection error must not crash the process.
    const ignore = () => {};
    socket.on("error", ignore);
    const target = targetOf(request.url ?? "/");
    try {
      if (this.#surfaceOf(target) === undefined) throw new ServiceError("unknown-route");
      const found = identify({ request, search: target.search }, this.#deps.access);
      const caller = found instanceof Promise ? await found : found;
      this.#admit(caller);
      const service = this.#serviceOf(target);
      const admitted = service?.admit(request, caller);
      if (admitted) await admitted;
      this.#handshakes.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off("error", ignore);
        const callOptions = readOptions(request, target.search);
        if (service) this.#serve(service, { request, webSocket, connection: socket, caller, callOptions });
        else this.#open(request, webSocket, socket, { caller, callOptions });
      });
    } catch (thrown) {
      const error = asServiceError(thrown);
      if (error.code === "internal") this.#deps.log.error({ err: error.cause }, "upgrade failed");
      this.#refuse(request, socket, error);
    }
  }

  #refuse(request: IncomingMessage, socket: Duplex, error: ServiceError): void {
    const target = targetOf(request.url ?? "/");
    refuseUpgrade(socket, error, {
      surface: this.#surfaceOf(target) ?? "v2",
      head: this.#heads.of(target.path),
    });
  }

  #serviceOf(target: Target): SocketService | undefined {
    return this.#deps.services?.get(nameOf(target));
  }

  #surfaceOf(target: Target): Surface | undefined {
    if (!this.#serviceOf(target)) return surfaces.get(nameOf(target));
    return isV4(target.path) ? "v4" : "v3";
  }

  /** Throws if it may open no further connection now. Charges no point. */
  #admit(caller: Caller): void {
    const { refusal: reason } = this.#deps.health;
    if (reason !== undefined) throw new ServiceError("unavailable", reason);
    const ofCaller = this.#perCaller.get(caller.id) ?? 0;
    if (ofCaller >= this.#limits.maxPerCaller || this.#sessions.size >= this.#limits.maxConnections) {
      throw new ServiceError("rate-limited");
    }
  }

  #open(request: IncomingMessage, webSocket: WebSocket, connection: Duplex, sender: Sender): void {
    const { caller, callOptions } = sender;
    const { rpc, access, budget, log, openSubscriptions, unknownParams } = this.#deps;
    const isStrict = this.#surfaceOf(targetOf(request.url ?? "/")) === "strict";
    const session = new SocketSession({
      webSocket,
      connection,
      ...sender,
      form: { byPosition: isStrict },
      refusesUnknownParams: isStrict && refusesUnknown(request, unknownParams),
      rpc,
      access,
      budget,
      openSubscriptions:
        openSubscriptions &&
        ((channel) => openSubscriptions({ request, caller, callOptions, channel, now: this.#clock.now })),
      limits: this.#limits,
      now: this.#clock.now,
      onDefect: (error) => log.error({ err: error, caller: caller.id }, "connection failed"),
    });
    this.#keep(session, webSocket);
  }

  #serve(service: SocketService, socket: Omit<OpenSocket, "limits" | "now">): void {
    const session = service.open({ ...socket, limits: this.#limits, now: this.#clock.now });
    this.#keep(session, socket.webSocket);
  }

  #keep(session: Session, webSocket: WebSocket): void {
    const { caller } = session;
    this.#sessions.add(session);
    this.#perCaller.set(caller.id, (this.#perCaller.get(caller.id) ?? 0) + 1);
    this.#deps.metrics.connections(this.#sessions.size);
    webSocket.once("close", () => this.#forget(session));
    if (this.#closing) session.drain();
  }

  #forget(session: Session): void {
    this.#sessions.delete(session);
    this.#deps.metrics.connections(this.#sessions.size);
    const { id } = session.caller;
    const left = (this.#perCaller.get(id) ?? 1) - 1;
    if (left > 0) this.#perCaller.set(id, left);
    else this.#perCaller.delete(id);
    if (this.#sessions.size === 0) this.#allClosed?.();
  }

  #watch(): void {
    for (const session of this.#sessions) session.watch();
  }

  #drop(keyId: string): void {
    for (const session of this.#sessions) {
      if (session.caller.keyId === keyId) session.close(closeCodes.policy, "API key does not exist");
    }
  }
}
