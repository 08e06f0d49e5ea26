import { setMaxListeners } from "node:events";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import type { CallOptions } from "../../shared/methods/define.js";
import type { Access, Caller } from "../access/access.js";
import { ServiceError } from "../errors.js";
import type { CallContext } from "../rpc/dispatch.js";
import { type Grant, type JsonRpc, rateLimited } from "../rpc/json-rpc.js";
import type { Message } from "../rpc/message.js";
import { strictError } from "../rpc/strict.js";
import { asServiceError } from "./refusal.js";
import { SocketWriter } from "./socket-writer.js";

/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 and what we close with. */
export const closeCodes = { goingAway: 1001, invalidText: 1007, policy: 1008, defect: 1011 } as const;

export type SessionLimits = {
  /** Calls of one connection that run at once; beyond them its socket is not read. */
  maxRunning: number;
  /** Unsent bytes from which on the socket is not read. */
  maxUnsentBytes: number;
  /** How long they may stay above that. */
  slowReaderMs: number;
  /** Silence after which we ask whether somebody is there, and how long we wait for the answer. */
  silenceMs: number;
  pongMs: number;
};

export type SessionOptions = {
  webSocket: WebSocket;
  /** The connection below, for writing several frames at once. */
  connection: Duplex;
  caller: Caller;
  callOptions: CallOptions;
  rpc: JsonRpc;
  access: Pick<Access, "spend">;
  limits: SessionLimits;
  /** Monotonic clock, ms. */
  now: () => number;
  onDefect: (error: unknown) => void;
};

/** One WebSocket connection: its calls in, their answers out in the order they finish. */
export class SocketSession {
  readonly caller: Caller;
  readonly #options: SessionOptions;
  readonly #writer: SocketWriter;
  readonly #gone = new AbortController();
  readonly #context: CallContext;
  readonly #waiting: string[] = [];
  #running = 0;
  #lastHeard: number;
  #pingedAt: number | undefined;
  #slowSince: number | undefined;
  #draining = false;

  constructor(options: SessionOptions) {
    const { webSocket, connection, caller, callOptions, now } = options;
    this.#options = options;
    this.caller = caller;
    this.#writer = new SocketWriter(webSocket, connection);
    this.#context = { callerId: caller.id, options: callOptions, gone: this.#gone.signal };
    this.#lastHeard = now();
    // Every call under way may be waiting for it.
    setMaxListeners(0, this.#gone.signal);
    webSocket.on("message", (data, binary) => this.#receive(data, binary));
    webSocket.on("ping", () => this.#heard());
    webSocket.on("pong", () => this.#heard());
    webSocket.on("close", () => this.#gone.abort());
    // ws closes by itself after errors of the protocol; without a listener the process would end.
    webSocket.on("error", () => {});
    connection.on("drain", () => this.#advance());
  }

  close(code: number, reason: string): void {
    this.#waiting.length = 0;
    this.#options.webSocket.close(code, reason);
    this.#options.webSocket.resume();
  }

  /** Takes no more calls, and closes once those in flight are answered. */
  drain(): void {
    this.#draining = true;
    this.#closeIfDrained();
  }

  terminate(): void {
    this.#options.webSocket.terminate();
  }

  /** What depends on time passing: called every so often. */
  watch(): void {
    const { limits, now, webSocket } = this.#options;
    const time = now();
    if (this.#isSlow()) {
      this.#slowSince ??= time;
      if (time - this.#slowSince >= limits.slowReaderMs)
        this.close(closeCodes.policy, "answers are not read");
      return;
    }
    this.#slowSince = undefined;
    this.#advance();
    if (this.#pingedAt !== undefined) {
      if (time - this.#pingedAt >= limits.pongMs) this.terminate();
    } else if (time - this.#lastHeard >= limits.silenceMs) {
      this.#pingedAt = time;
      // A socket that is not read for back-pressure still has to let the pong in.
      webSocket.resume();
      webSocket.ping();
    }
  }

  #heard(): void {
    this.#lastHeard = this.#options.now();
    this.#pingedAt = undefined;
  }

  #receive(data: RawData, binary: boolean): void {
    this.#heard();
    const text = binary ? decodeUtf8(data) : String(data);
    if (text === undefined) {
      this.close(closeCodes.invalidText, "invalid UTF-8");
      return;
    }
    // One chunk of the socket may hold many frames: those already read wait here once the limit is reached.
    this.#waiting.push(text);
    this.#advance();
  }

  #advance(): void {
    const { webSocket, limits } = this.#options;
    while (this.#waiting.length > 0 && this.#running < limits.maxRunning && !this.#isSlow()) {
      this.#take(this.#waiting.shift()!);
    }
    if (webSocket.readyState !== webSocket.OPEN) return;
    const full = this.#running >= limits.maxRunning || this.#waiting.length > 0 || this.#isSlow();
    if (full && this.#pingedAt === undefined) webSocket.pause();
    else webSocket.resume();
  }

  #take(text: string): void {
    const message = this.#read(text);
    const weight = message instanceof ServiceError ? 1 : message.entries.length;
    this.#running += weight;
    this.#answer(message)
      .then(
        (answer) => answer !== undefined && this.#writer.write(answer),
        (error) => this.#fail(error),
      )
      .finally(() => {
        this.#running -= weight;
        this.#advance();
        this.#closeIfDrained();
      });
  }

  #read(text: string): Message | ServiceError {
    try {
      return this.#options.rpc.read(text);
    } catch (thrown) {
      return asServiceError(thrown);
    }
  }

  async #answer(message: Message | ServiceError): Promise<string | undefined> {
    const { rpc, access } = this.#options;
    if (this.#draining) return this.#refuseAll(message);
    const unreadable = message instanceof ServiceError;
    const points = unreadable ? 1 : rpc.points(message);
    const grant: Grant = points === 0 ? { granted: 0 } : await access.spend(this.caller, points);
    if (!unreadable) return rpc.answer(message, grant, this.#context);
    return strictError(null, grant.granted > 0 ? message : rateLimited(grant.retryAfterSec));
  }

  /** Every call gets its own refusal; a client must not have to guess which ones were meant. */
  async #refuseAll(message: Message | ServiceError): Promise<string | undefined> {
    const error = new ServiceError("unavailable", "Service is stopping");
    if (message instanceof ServiceError) return strictError(null, error);
    const entries = message.entries.flatMap(({ id }) => (id === undefined ? [] : [{ id, error }]));
    if (entries.length === 0) return undefined;
    return this.#options.rpc.answer({ batch: message.batch, entries }, { granted: 0 }, this.#context);
  }

  #fail(error: unknown): void {
    this.#options.onDefect(error);
    this.close(closeCodes.defect, "internal error");
  }

  #isSlow(): boolean {
    return this.#options.webSocket.bufferedAmount > this.#options.limits.maxUnsentBytes;
  }

  #closeIfDrained(): void {
    if (this.#draining && this.#running === 0 && this.#waiting.length === 0) {
      this.close(closeCodes.goingAway, "Service is stopping");
    }
  }
}

function decodeUtf8(data: RawData): string | undefined {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : data;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
