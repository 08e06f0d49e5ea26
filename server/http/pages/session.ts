import { HttpEndpoint, type Reply, SocketEndpoint } from "./endpoint.js";
import { batchText, callText, type TypedCall } from "./request.js";

export type Transport = "http" | "websocket";

/** One request and how it ended. */
export type Exchange = {
  readonly calls: readonly TypedCall[];
  readonly batch: boolean;
  readonly body: string;
  readonly transport: Transport;
  readonly at: Date;
  ms?: number;
  reply?: Reply;
  /** Why no answer came. */
  failure?: string;
};

const keyName = "tonwire-api-key";
const remembered = 50;

/** What a visit holds: key, transport, the batch being put together, and everything sent so far. */
export class Session {
  transport: Transport = "http";
  readonly batch: TypedCall[] = [];
  /** Newest first. */
  readonly history: Exchange[] = [];
  readonly #endpoints = { http: new HttpEndpoint(), websocket: new SocketEndpoint() };
  #nextId = 1;

  /** Kept for this tab alone, and gone when it closes. */
  get key(): string {
    return sessionStorage.getItem(keyName) ?? "";
  }

  set key(key: string) {
    if (key === "") sessionStorage.removeItem(keyName);
    else sessionStorage.setItem(keyName, key);
  }

  /** The body that sending these calls now would have. */
  bodyOf(calls: readonly TypedCall[], batch: boolean): string {
    return batch ? batchText(calls, this.#nextId) : callText(calls[0]!, this.#nextId);
  }

  /** Sends the calls. The exchange is complete when `done` resolves; it never rejects. */
  send(calls: readonly TypedCall[], batch: boolean): { exchange: Exchange; done: Promise<void> } {
    const body = this.bodyOf(calls, batch);
    this.#nextId += calls.length;
    const exchange: Exchange = { calls: [...calls], batch, body, transport: this.transport, at: new Date() };
    this.history.unshift(exchange);
    this.history.splice(remembered);
    return { exchange, done: this.#finish(exchange) };
  }

  async #finish(exchange: Exchange): Promise<void> {
    const start = performance.now();
    try {
      exchange.reply = await this.#endpoints[exchange.transport].send(exchange.body, this.key);
    } catch (error) {
      exchange.failure = error instanceof Error ? error.message : String(error);
    }
    exchange.ms = performance.now() - start;
  }
}
