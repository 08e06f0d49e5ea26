import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import type { CallOptions } from "../../../shared/methods/define.js";
import { takeFirst } from "../../../shared/values/lookups.js";
import type { Access, Caller } from "../../access/access.js";
import { ServiceError } from "../../errors.js";
import type { Allowance, AnswerBudget } from "../../rpc/answers/answer-budget.js";
import { Cancellation } from "../../rpc/cancellation.js";
import type { CallContext } from "../../rpc/dispatch.js";
import { type Grant, type JsonRpc, type MessageForm, rateLimited } from "../../rpc/json-rpc/json-rpc.js";
import type { Message } from "../../rpc/json-rpc/message.js";
import { RefusedBatch } from "../../rpc/json-rpc/refused-batch.js";
import { strictError } from "../../rpc/json-rpc/strict-dialect.js";
import { asServiceError } from "../answers/refusal.js";
import { SeenIndex } from "../answers/seen-index.js";
import { LiteFrame } from "../lite/frame.js";
import { queryMethod, queryParams } from "../lite/query-call.js";
import type { ConnectionSubscriptions, NotificationChannel } from "./connection-subscriptions.js";
import type { FloodLimits } from "./flood-guard.js";
import type { HeartbeatLimits } from "./heartbeat.js";
import { MessageContext } from "./message-context.js";
import { closeCodes, SocketConnection } from "./session.js";
import { SocketGuard } from "./socket-guard.js";
import { isShort, type SocketMessage, SocketWriter } from "./socket-writer.js";

/** Limits and timeouts of one connection. */
export type SessionLimits = FloodLimits &
  HeartbeatLimits & {
    /** Concurrent calls per connection; above it the socket is paused. */
    maxRunning: number;
    /** Unsent bytes above which the socket is paused. Batches with more are sent before they are complete. */
    maxUnsentBytes: number;
    /** How long unsent bytes may stay above the limit without progress before the connection is closed. */
    slowReaderMs: number;
  };

export type SessionOptions = {
  webSocket: WebSocket;
  /** The underlying socket, corked to write several frames together. */
  connection: Duplex;
  caller: Caller;
  callOptions: CallOptions;
  refusesUnknownParams: boolean;
  form: MessageForm;
  rpc: JsonRpc;
  access: Pick<Access, "spend" | "settle">;
  budget: AnswerBudget;
  /** Opens what calls can subscribe to; absent if there is nothing. */
  openSubscriptions?: ((channel: NotificationChannel) => ConnectionSubscriptions) | undefined;
  limits: SessionLimits;
  /** Monotonic clock, ms. */
  now: () => number;
  onDefect: (error: unknown) => void;
};

/** A message as read, or why it cannot be. */
type Received = Message | RefusedBatch | LiteFrame | ServiceError;

/** The weight of a message in the limit of concurrent calls. */
function weightOf(message: Received): number {
  if (message instanceof ServiceError || message instanceof LiteFrame) return 1;
  return message instanceof RefusedBatch ? Math.max(1, message.count) : message.entries.length;
}

/** About the bytes of a message. */
function lengthOf(received: string | LiteFrame): number {
  return typeof received === "string" ? received.length : received.query.length;
}

/** One WebSocket connection for calls: receives them and sends answers in the order they finish. Applies back-pressure. */
export class SocketSession extends SocketConnection {
  readonly #options: SessionOptions;
  readonly #writer: SocketWriter;
  readonly #gone = new Cancellation();
  /** The options that all messages of the connection share. */
  readonly #shared: SessionOptions & { readonly seen: SeenIndex };
  readonly #guard: SocketGuard;
  /** Allowances of the messages without a sent answer, where they have one. */
  readonly #allowances = new Set<Allowance>();
  readonly #queue: (string | LiteFrame)[] = [];
  readonly #subscriptions: ConnectionSubscriptions | undefined;
  #running = 0;
  #slowSince: number | undefined;
  #fragmentsThen = 0;
  #draining = false;

  constructor(options: SessionOptions) {
    super(options);
    const { webSocket, connection } = options;
    this.#options = options;
    this.#shared = { ...options, seen: new SeenIndex() };
    this.#writer = new SocketWriter(webSocket, connection);
    this.#guard = new SocketGuard({
      ...options,
      close: (code, reason) => this.close(code, reason),
      onRefused: () => this.#advance(),
      onDefect: (error) => this.#fail(error),
    });
    this.#subscriptions = options.openSubscriptions?.(this.#channel());
    webSocket.on("message", (data, binary) => this.#receive(data, binary));
    webSocket.on("close", () => this.#abandon());
    connection.on("drain", () => this.#drained());
  }

  override close(code: number, reason: string): void {
    this.#queue.length = 0;
    super.close(code, reason);
  }

  /** Refuses new calls, and closes once the calls in flight are answered. */
  override drain(): void {
    this.#draining = true;
    this.#subscriptions?.closing();
    this.#closeIfDrained();
  }

  /** Checks the timeouts; called periodically. */
  watch(): void {
    const { limits, now, webSocket } = this.#options;
    const time = now();
    if (this.#isSlow()) {
      // A client is not slow if it has read everything sent so far, or fragments since the last check.
      const { fragments } = this.#writer;
      if (webSocket.bufferedAmount === 0 || fragments !== this.#fragmentsThen) this.#slowSince = undefined;
      this.#fragmentsThen = fragments;
      this.#slowSince ??= time;
      if (time - this.#slowSince >= limits.slowReaderMs) this.close(closeCodes.policy, this.#slowReason);
      return;
    }
    this.#slowSince = undefined;
    this.#advance();
    this.#subscriptions?.watch();
    this.#guard.watch();
  }

  /** The reason contains the cursor from which subscriptions can continue. */
  get #slowReason(): string {
    const reached = this.#subscriptions?.reached;
    return reached === undefined ? "answers are not read" : `answers are not read ${reached}`;
  }

  #channel(): NotificationChannel {
    const { webSocket, limits } = this.#options;
    const writer = this.#writer;
    return {
      get isFull() {
        return writer.isBusy || webSocket.bufferedAmount > limits.maxUnsentBytes;
      },
      write: (frame) => writer.notify(frame),
    };
  }

  #drained(): void {
    // A drained socket resets the slow-client timer, even if more is written immediately.
    if (this.#subscriptions && this.#options.webSocket.bufferedAmount === 0) this.#slowSince = undefined;
    this.#subscriptions?.resume();
    this.#advance();
  }

  #abandon(): void {
    this.#subscriptions?.close();
    this.#gone.cancel(new Error("the client has gone"));
    for (const allowance of this.#allowances) allowance.close();
    this.#allowances.clear();
  }

  #receive(data: RawData, binary: boolean): void {
    const frame = binary ? LiteFrame.in(data) : undefined;
    const message = frame ? this.#guard.accepts() && frame : this.#guard.receive(data, binary);
    if (message === undefined || message === false) return;
    // One chunk may hold many frames: those read before the socket was paused are queued.
    this.#queue.push(message);
    this.#advance();
  }

  #advance(): void {
    const { webSocket } = this.#options;
    while (this.#queue.length > 0 && this.#mayTake()) this.#take(takeFirst(this.#queue));
    if (!this.#guard.isOpen) return;
    const full = this.#queue.length > 0 || !this.#mayTake();
    if (full && !this.#guard.isWaiting) webSocket.pause();
    else webSocket.resume();
  }

  #mayTake(): boolean {
    if (this.#running >= this.#options.limits.maxRunning || this.#isSlow()) return false;
    // Calls are refused without points while the service stops.
    return this.#draining || !this.#guard.isPaused;
  }

  #take(received: string | LiteFrame): void {
    const message = this.#read(received);
    const weight = weightOf(message);
    this.#running += weight;
    const bytes = lengthOf(received);
    const context = new MessageContext(
      this.#shared,
      bytes,
      this.#gone,
      this.#allowances,
      this.#subscriptions,
    );
    const fail = (error: unknown) => this.#fail(error);
    this.#answer(message, context)
      .then((answer) => (answer === undefined ? undefined : this.#write(answer, context)?.catch(fail)), fail)
      .finally(() => {
        context.close();
        this.#running -= weight;
        this.#advance();
        this.#closeIfDrained();
      });
  }

  #read(text: string | LiteFrame): Received {
    const { rpc, form } = this.#options;
    if (text instanceof LiteFrame) return text;
    try {
      return rpc.read(text, form);
    } catch (thrown) {
      return asServiceError(thrown);
    }
  }

  async #answer(message: Received, context: MessageContext): Promise<SocketMessage | undefined> {
    const { rpc, limits } = this.#options;
    if (this.#draining)
      return this.#refuseAll(message, context, new ServiceError("unavailable", "Service is stopping"));
    if (message instanceof LiteFrame) return this.#answerFrame(message, context);
    if (message instanceof ServiceError || message instanceof RefusedBatch)
      return this.#refuseWhole(message, context);
    const points = rpc.points(message);
    if (points === 0) return this.#answerPings(message, context);
    const grant = await this.#charge(points, context);
    const owed = rpc.owed(message, grant);
    if (owed > 0) context.settle(owed);
    return rpc.answer(message, grant, context, limits.maxUnsentBytes);
  }

  async #charge(points: number, context: MessageContext): Promise<Grant> {
    const grant = await this.#guard.charge(points);
    context.settleLength();
    return grant;
  }

  async #answerFrame(frame: LiteFrame, context: MessageContext): Promise<Uint8Array> {
    const { rpc } = this.#options;
    const params = queryParams(frame.query);
    const points = rpc.callPoints({ method: queryMethod, params });
    const { granted, overdrawn, retryAfterSec } = await this.#charge(points, context);
    // As for any call, one point is enough unless the limit was exceeded before.
    const isCovered = granted >= points || (granted > 0 && !overdrawn);
    if (isCovered && granted < points) context.settle(points - granted);
    return isCovered
      ? frame.answer(await rpc.call(queryMethod, params, context))
      : frame.refusal(rateLimited(retryAfterSec));
  }

  /** Answers free calls, which are the pings of browsers. Those beyond the rate of a heartbeat are charged. */
  async #answerPings(message: Message, context: MessageContext): Promise<SocketMessage | undefined> {
    const points = this.#guard.pinged(message.entries.length);
    if (points > 0) {
      const { granted, retryAfterSec } = await this.#charge(points, context);
      if (granted === 0) return this.#refuseAll(message, context, rateLimited(retryAfterSec));
    }
    return this.#options.rpc.answer(message, { granted: 0 }, context);
  }

  /** Refuses a message of which no call can be run. */
  async #refuseWhole(
    message: ServiceError | RefusedBatch,
    context: MessageContext,
  ): Promise<SocketMessage | undefined> {
    const points = message instanceof RefusedBatch ? this.#options.rpc.points(message) : 1;
    const { granted, retryAfterSec } = await this.#charge(points, context);
    const error = message instanceof RefusedBatch ? message.error : message;
    return this.#refuseAll(message, context, granted > 0 ? error : rateLimited(retryAfterSec));
  }

  /** Refuses each call on its own, so that the client can match refusals to calls. */
  async #refuseAll(
    message: Received,
    context: CallContext,
    error: ServiceError,
  ): Promise<SocketMessage | undefined> {
    if (message instanceof ServiceError) return strictError(null, error);
    if (message instanceof LiteFrame) return message.refusal(error);
    if (message instanceof RefusedBatch) {
      if (context.allowance.reserve(message.length)) return message.answer(error);
      this.close(closeCodes.policy, "answers are not read");
      return undefined;
    }
    const entries = message.entries.flatMap(({ id }) => (id === undefined ? [] : [{ id, error }]));
    if (entries.length === 0) return undefined;
    return this.#options.rpc.answer({ batch: message.batch, entries }, { granted: 0 }, context);
  }

  /** Returns a promise if the answer is not sent immediately. */
  #write(answer: SocketMessage, context: MessageContext): Promise<void> | undefined {
    if (!isShort(answer)) return this.#writer.write(answer);
    const { webSocket, limits } = this.#options;
    if (!this.#writer.isBusy && webSocket.bufferedAmount < limits.maxUnsentBytes) {
      return this.#writer.write(answer);
    }
    // Short answers are counted, too, while the client leaves others unread.
    if (!context.allowance.take(answer.length)) return this.#writer.writeLater(answer);
    this.close(closeCodes.policy, "answers are not read");
    return undefined;
  }

  #fail(error: unknown): void {
    this.#options.onDefect(error);
    this.close(closeCodes.defect, "internal error");
  }

  /** Whether more bytes wait for the client than it may leave unread, in the socket or in answers. */
  #isSlow(): boolean {
    const { webSocket, limits } = this.#options;
    let unsent = webSocket.bufferedAmount;
    if (this.#allowances.size > 0) for (const { held } of this.#allowances) unsent += held;
    return unsent > limits.maxUnsentBytes;
  }

  #closeIfDrained(): void {
    if (this.#draining && this.#running === 0 && this.#queue.length === 0) super.drain();
  }
}
