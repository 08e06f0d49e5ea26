import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import type { Access, Caller } from "../../access/access.js";
import type { Filter } from "../../stream/filter.js";
import type { Hub } from "../../stream/hub.js";
import {
  type Choices,
  chosen,
  defaultChoices,
  filterOf,
  RequestError,
  readAddresses,
  readId,
  readNames,
  readObject,
  readOperation,
  readSubscription,
  readTraces,
} from "../../stream/request.js";
import type { Sent, Sink, Subscription } from "../../stream/subscription.js";
import { FloodGuard } from "../flood-guard.js";
import { Heartbeat } from "../heartbeat.js";
import { closeCodes, cutMs, decodeUtf8, type Session } from "../session.js";
import { SocketPings } from "../socket-pings.js";
import type { SessionLimits } from "../socket-session.js";
import type { Place } from "./connections.js";

export type StreamSessionOptions = {
  webSocket: WebSocket;
  /** The underlying socket. */
  connection: Duplex;
  caller: Caller;
  /** What the client supports of actions, if its handshake says so. */
  actionsVersion: string | undefined;
  hub: Hub;
  access: Pick<Access, "spend">;
  place: Place;
  limits: SessionLimits;
  /** Monotonic clock, ms. */
  now: () => number;
  onDefect: (error: unknown) => void;
};

/** Requests that wait to be answered; beyond it the socket is not read. */
const maxQueued = 16;
const texts = { noTypes: "types are required", noAddresses: "addresses are required" };
const envelope = "invalid request envelope";
const subscribing = "invalid subscribe request";
const unsubscribing = "invalid unsubscribe request";

type Answer = { status: string } | { error: string };
type Fields = Readonly<Record<string, unknown>>;
/** A request, as far as it could be read. */
type Request = { operation: string; fields: Fields; id?: string | undefined; fault?: RequestError };

/** One WebSocket connection that speaks TON Center's streaming protocol. Events are not queued for it. */
export class StreamSession implements Session, Sink {
  readonly caller: Caller;
  readonly #options: StreamSessionOptions;
  readonly #heartbeat: Heartbeat;
  readonly #guard: FloodGuard;
  readonly #pings: SocketPings;
  #subscription: Subscription | undefined;
  #choices: Choices;
  #queued = 0;
  #last: Promise<void> = Promise.resolve();
  #slowSince: number | undefined;
  #unsentThen = 0;

  constructor(options: StreamSessionOptions) {
    const { webSocket, connection, caller, actionsVersion, limits, now } = options;
    this.#options = options;
    this.caller = caller;
    this.#choices = defaultChoices(actionsVersion);
    this.#heartbeat = new Heartbeat(webSocket, limits, now);
    this.#guard = new FloodGuard(limits, now);
    this.#pings = new SocketPings({
      webSocket,
      guard: this.#guard,
      charge: (points) => this.#charge(points),
      onDefect: (error) => this.#fail(error),
    });
    webSocket.on("message", (data, binary) => this.#receive(data, binary));
    webSocket.on("ping", (data) => {
      this.#heartbeat.received();
      if (this.#isOpen) this.#pings.ping(data);
    });
    webSocket.on("pong", () => {
      if (!this.#heartbeat.isWaiting && this.#isOpen) this.#pings.unexpectedPong();
      this.#heartbeat.received();
    });
    webSocket.on("close", () => this.#abandon());
    // ws closes the connection after protocol errors; without a listener the process would crash.
    webSocket.on("error", () => {});
    connection.on("drain", () => this.#drained());
  }

  get isFull(): boolean {
    const { webSocket, limits } = this.#options;
    return webSocket.bufferedAmount > limits.maxUnsentBytes;
  }

  send({ json }: Pick<Sent, "json">): void {
    if (this.#isOpen) this.#options.webSocket.send(json);
  }

  close(code: number, reason: string): void {
    this.#options.webSocket.close(code, reason);
    this.#options.webSocket.resume();
  }

  drain(): void {
    this.close(closeCodes.goingAway, "Service is stopping");
  }

  terminate(): void {
    this.#options.webSocket.terminate();
  }

  watch(): void {
    if (this.isFull) {
      this.#watchSlow();
      return;
    }
    this.#slowSince = undefined;
    this.#flow();
    if (this.#guard.isPaused) this.#heartbeat.hold();
    else this.#heartbeat.watch();
  }

  #watchSlow(): void {
    const { webSocket, limits, now } = this.#options;
    const unsent = webSocket.bufferedAmount;
    if (unsent < this.#unsentThen) this.#slowSince = undefined;
    this.#unsentThen = unsent;
    this.#slowSince ??= now();
    if (now() - this.#slowSince >= limits.slowReaderMs) this.close(closeCodes.policy, "answers are not read");
  }

  get #isOpen(): boolean {
    return this.#options.webSocket.readyState === this.#options.webSocket.OPEN;
  }

  #abandon(): void {
    if (this.#subscription) this.#options.hub.unsubscribe(this.#subscription);
    this.#subscription = undefined;
    this.#options.place.leave();
  }

  #drained(): void {
    if (this.#subscription) this.#options.hub.resume(this.#subscription);
    this.#flow();
  }

  /** Reads from the client as long as its requests are answered, and their answers read. */
  #flow(): void {
    const { webSocket } = this.#options;
    if (!this.#isOpen) return;
    const mayRead = this.#queued < maxQueued && !this.isFull && !this.#guard.isPaused;
    if (mayRead || this.#heartbeat.isWaiting) webSocket.resume();
    else webSocket.pause();
  }

  #receive(data: RawData, binary: boolean): void {
    this.#heartbeat.received();
    if (!this.#isOpen) return;
    const text = binary ? decodeUtf8(data) : String(data);
    if (text === undefined) {
      this.close(closeCodes.invalidText, "invalid UTF-8");
      return;
    }
    this.#queued++;
    this.#last = this.#last
      .then(() => (this.#isOpen ? this.#answer(text) : undefined))
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#queued--;
        this.#flow();
      });
    this.#flow();
  }

  async #answer(text: string): Promise<void> {
    const request = readRequest(text);
    const points = request.operation === "ping" ? this.#guard.pinged() : 1;
    const isPaid = points === 0 || (await this.#charge(points)).granted > 0;
    if (!this.#isOpen) return;
    const answer = isPaid ? this.#run(request) : { error: "Ratelimit exceeded" };
    const { id } = request;
    this.send({ json: JSON.stringify({ ...(id !== undefined && { id }), ...answer }) });
  }

  #run({ operation, fields, fault }: Request): Answer {
    if (fault) return { error: fault.message };
    try {
      if (operation === "ping") return { status: "pong" };
      if (operation === "subscribe") return this.#subscribe(fields);
      if (operation === "unsubscribe") return this.#unsubscribe(fields);
    } catch (error) {
      if (error instanceof RequestError) return { error: error.message };
      throw error;
    }
    return { error: `unknown operation: ${operation.slice(0, 100)}` };
  }

  #subscribe(given: Fields): Answer {
    const { hub } = this.#options;
    const fields = readSubscription(given, subscribing);
    const choices = chosen(fields, this.#choices);
    const filter = filterOf(fields, choices, texts);
    this.#hold(filter);
    this.#choices = choices;
    // The answer precedes the first event.
    if (this.#subscription) hub.change(this.#subscription, filter);
    else this.#subscription = hub.subscribe(this, filter);
    return { status: "subscribed" };
  }

  #unsubscribe(given: Fields): Answer {
    const { addresses = [], traces = [] } = readNames(given, unsubscribing);
    if (addresses.length + traces.length === 0)
      throw new RequestError("addresses or trace_external_hash_norms are required");
    const gone = { addresses: readAddresses(addresses), traces: readTraces(traces) };
    if (!this.#subscription) return { status: "unsubscribed" };
    const { filter } = this.#subscription;
    const left: Filter = {
      ...filter,
      addresses: without(filter.addresses, gone.addresses),
      traces: without(filter.traces, gone.traces),
    };
    this.#hold(left);
    this.#options.hub.change(this.#subscription, left);
    return { status: "unsubscribed" };
  }

  #hold({ addresses, traces }: Filter): void {
    const { place } = this.#options;
    const wanted = addresses.size + traces.size;
    if (place.hold(wanted)) return;
    throw new RequestError(
      `address limit exceeded: current ${place.others} + new ${wanted} > max ${place.limits.accounts}`,
    );
  }

  async #charge(points: number) {
    const { access } = this.#options;
    const grant = await access.spend(this.caller, points);
    const refused = points - grant.granted;
    if (refused > 0) this.#guard.refused(refused, grant.retryAfterSec);
    if (this.#guard.isExhausted && this.#isOpen) {
      this.close(closeCodes.policy, "rate limit exceeded");
      // A client that sends on and ignores the close frame is cut.
      setTimeout(() => this.terminate(), cutMs).unref();
    }
    return grant;
  }

  #fail(error: unknown): void {
    this.#options.onDefect(error);
    this.close(closeCodes.defect, "internal error");
  }
}

function readRequest(text: string): Request {
  const request: Request = { operation: "", fields: {} };
  try {
    request.fields = readObject(text, envelope);
    request.id = readId(request.fields, envelope);
    request.operation = readOperation(request.fields, envelope);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    request.fault = error;
  }
  return request;
}

function without(all: ReadonlySet<string>, gone: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...all].filter((each) => !gone.has(each)));
}
