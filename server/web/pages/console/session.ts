import { storedKey, storeKey } from "../key.js";
import { batchText, callText, type TypedCall } from "../request.js";
import { HttpEndpoint, type Reply, SocketEndpoint } from "./endpoint.js";
import { needsSocket, type Subscriptions } from "./subscriptions.js";

export type Transport = "http" | "websocket";

/** One request and its outcome. */
export type Exchange = {
  readonly calls: readonly TypedCall[];
  readonly batch: boolean;
  readonly body: string;
  readonly transport: Transport;
  readonly at: Date;
  ms?: number;
  reply?: Reply;
  /** The reason why there was no answer. */
  failure?: string;
};

const maxHistory = 50;

/** State of the console: API key, transport, the batch being composed, and the history. */
export class Session {
  transport: Transport = "http";
  readonly batch: TypedCall[] = [];
  /** Newest first. */
  readonly history: Exchange[] = [];
  readonly subscriptions: Subscriptions;
  readonly #endpoints;
  #nextId = 1;

  constructor(subscriptions: Subscriptions) {
    this.subscriptions = subscriptions;
    this.#endpoints = {
      http: new HttpEndpoint(),
      websocket: new SocketEndpoint({
        take: (text) => subscriptions.take(text),
        lost: () => subscriptions.lost(),
      }),
    };
  }

  get key(): string {
    return storedKey();
  }

  set key(key: string) {
    storeKey(key);
  }

  /** The body of the request that would send these calls now. */
  bodyOf(calls: readonly TypedCall[], batch: boolean): string {
    return batch ? batchText(calls, this.#nextId) : callText(calls[0]!, this.#nextId);
  }

  /** Sends the calls. The exchange is complete when `done` resolves; `done` never rejects. */
  send(calls: readonly TypedCall[], batch: boolean): { exchange: Exchange; done: Promise<void> } {
    const body = this.bodyOf(calls, batch);
    this.#nextId += calls.length;
    const transport = calls.some(needsSocket) ? "websocket" : this.transport;
    const exchange: Exchange = { calls: [...calls], batch, body, transport, at: new Date() };
    this.history.unshift(exchange);
    this.history.splice(maxHistory);
    return { exchange, done: this.#finish(exchange) };
  }

  async #finish(exchange: Exchange): Promise<void> {
    const start = performance.now();
    try {
      exchange.reply = await this.#endpoints[exchange.transport].send(exchange.body, this.key);
      if (exchange.transport === "websocket")
        this.subscriptions.answered(exchange.calls, exchange.reply.text);
    } catch (error) {
      exchange.failure = error instanceof Error ? error.message : String(error);
    }
    exchange.ms = performance.now() - start;
  }
}
