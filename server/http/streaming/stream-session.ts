import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import type { Access, Caller } from "../../access/access.js";
import { ServiceError } from "../../errors.js";
import { invalidation } from "../../stream/events/events.js";
import type { Hub } from "../../stream/hub.js";
import type { Filter } from "../../stream/subscriptions/filter.js";
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
} from "../../stream/subscriptions/request.js";
import type { SentEvent } from "../../stream/subscriptions/sent-event.js";
import type { Notice, Replay, Sink, Subscription } from "../../stream/subscriptions/subscription.js";
import { closeCodes, SocketConnection } from "../sockets/session.js";
import { SocketGuard } from "../sockets/socket-guard.js";
import type { SessionLimits } from "../sockets/socket-session.js";
import { SocketWriter } from "../sockets/socket-writer.js";
import type { Place } from "./connections.js";
import { replayOf } from "./replay.js";

type StreamSessionOptions = {
  webSocket: WebSocket;
  /** The underlying socket. */
  connection: Duplex;
  caller: Caller;
  /** The version of actions that the client supports, if its handshake names one. */
  actionsVersion: string | undefined;
  hub: Hub;
  access: Pick<Access, "spend">;
  place: Place;
  /** Learns what the caller holds elsewhere. */
  refresh: () => Promise<void> | undefined;
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
/** A request, as far as it is valid. */
type Request = { operation: string; fields: Fields; id?: string | undefined; fault?: RequestError };

/** One WebSocket connection of TON Center's streaming protocol. Events are not queued for it. */
export class StreamSession extends SocketConnection implements Sink {
  readonly #options: StreamSessionOptions;
  readonly #writer: SocketWriter;
  readonly #guard: SocketGuard;
  #subscription: Subscription | undefined;
  #choices: Choices;
  #queued = 0;
  #last: Promise<void> = Promise.resolve();
  #slowSince: number | undefined;
  #unsentThen = 0;

  constructor(options: StreamSessionOptions) {
    super(options);
    const { webSocket, connection, actionsVersion } = options;
    this.#options = options;
    this.#choices = defaultChoices(actionsVersion);
    this.#writer = new SocketWriter(webSocket, connection);
    this.#guard = new SocketGuard({
      ...options,
      close: (code, reason) => this.close(code, reason),
      onRefused: () => this.#flow(),
      onDefect: (error) => this.#fail(error),
    });
    webSocket.on("message", (data, binary) => this.#receive(data, binary));
    webSocket.on("close", () => this.#abandon());
    connection.on("drain", () => this.#drained());
  }

  get isFull(): boolean {
    return this.#isUnread || this.#options.place.isSlowed;
  }

  get #isUnread(): boolean {
    const { webSocket, limits } = this.#options;
    return webSocket.bufferedAmount > limits.maxUnsentBytes;
  }

  send(sent: SentEvent): void {
    this.#write(sent.frame("text", () => sent.json));
  }

  tell(notice: Notice): void {
    if (notice.type === "invalidated") this.#write(Buffer.from(invalidation(notice.trace)));
  }

  watch(): void {
    if (this.#isUnread) {
      this.#watchSlow();
      return;
    }
    this.#slowSince = undefined;
    this.#resume();
    this.#flow();
    this.#guard.watch();
  }

  #watchSlow(): void {
    const { webSocket, limits, now } = this.#options;
    const unsent = webSocket.bufferedAmount;
    if (unsent < this.#unsentThen) this.#slowSince = undefined;
    this.#unsentThen = unsent;
    this.#slowSince ??= now();
    if (now() - this.#slowSince >= limits.slowReaderMs) this.close(closeCodes.tryAgainLater, "slow consumer");
  }

  #write(message: Buffer): void {
    if (!this.#guard.isOpen) return;
    this.#writer.notify(message);
    this.#options.place.spend(message.length);
  }

  #abandon(): void {
    if (this.#subscription) this.#options.hub.unsubscribe(this.#subscription);
    this.#subscription = undefined;
    this.#options.place.leave();
  }

  #drained(): void {
    this.#resume();
    this.#flow();
  }

  #resume(): void {
    if (this.#subscription) this.#options.hub.resume(this.#subscription);
  }

  /** Reads from the client as long as its requests are answered, and their answers read. */
  #flow(): void {
    const { webSocket } = this.#options;
    if (!this.#guard.isOpen) return;
    const mayRead = this.#queued < maxQueued && !this.#isUnread && !this.#guard.isPaused;
    if (mayRead || this.#guard.isWaiting) webSocket.resume();
    else webSocket.pause();
  }

  #receive(data: RawData, binary: boolean): void {
    const text = this.#guard.receive(data, binary);
    if (text === undefined) return;
    this.#queued++;
    this.#last = this.#last
      .then(() => (this.#guard.isOpen ? this.#answer(text) : undefined))
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
    const isPaid = points === 0 || (await this.#guard.charge(points)).granted > 0;
    if (isPaid && request.operation === "subscribe") await this.#options.refresh();
    const replay = isPaid ? await this.#replayOf(request) : undefined;
    if (!this.#guard.isOpen) return;
    const answer = isPaid ? this.#run(request, replay) : { error: "Ratelimit exceeded" };
    const { id } = request;
    this.#write(Buffer.from(JSON.stringify({ ...(id !== undefined && { id }), ...answer })));
  }

  /** The past that a request asks for; a refusal becomes the request's fault. */
  async #replayOf(request: Request): Promise<Replay | undefined> {
    if (request.operation !== "subscribe" || request.fields["replay_existing"] !== true) return undefined;
    try {
      return await replayOf(this.#options.hub, this.#options.place);
    } catch (error) {
      if (!(error instanceof RequestError || error instanceof ServiceError)) throw error;
      request.fault ??= new RequestError(error.message);
      return undefined;
    }
  }

  #run({ operation, fields, fault }: Request, replay: Replay | undefined): Answer {
    if (fault) return { error: fault.message };
    try {
      if (operation === "ping") return { status: "pong" };
      if (operation === "subscribe") return this.#subscribe(fields, replay);
      if (operation === "unsubscribe") return this.#unsubscribe(fields);
    } catch (error) {
      if (error instanceof RequestError) return { error: error.message };
      throw error;
    }
    return { error: `unknown operation: ${operation.slice(0, 100)}` };
  }

  #subscribe(given: Fields, replay: Replay | undefined): Answer {
    const { hub, caller } = this.#options;
    const fields = readSubscription(given, subscribing);
    const choices = chosen(fields, this.#choices);
    const filter = filterOf(fields, choices, { ...texts, owner: caller.owner });
    this.#hold(filter);
    this.#choices = choices;
    // The answer precedes the first event.
    if (this.#subscription) hub.change(this.#subscription, filter);
    else this.#subscription = hub.subscribe(this, filter);
    if (replay) hub.replay(this.#subscription, replay);
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
    if (!place.hold({ accounts: wanted })) return;
    throw new RequestError(
      `address limit exceeded: current ${place.others} + new ${wanted} > max ${place.limits.accounts}`,
    );
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
