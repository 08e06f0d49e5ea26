import type { ServerResponse } from "node:http";
import type { Caller } from "../../access/access.js";
import type { Sent, Sink } from "../../stream/subscription.js";

export type SseStreamOptions = {
  response: ServerResponse;
  caller: Caller;
  /** Unsent bytes above which nothing more is written. */
  maxUnsentBytes: number;
  /** A key as clients give it back. */
  cursorOf: (key: NonNullable<Sent["key"]>) => string;
};

/** Server-sent events to one client. */
export class SseStream implements Sink {
  readonly #options: SseStreamOptions;

  constructor(options: SseStreamOptions) {
    this.#options = options;
  }

  get caller(): Caller {
    return this.#options.caller;
  }

  get isFull(): boolean {
    const { response, maxUnsentBytes } = this.#options;
    return response.writableLength > maxUnsentBytes;
  }

  begin(id: string | undefined): void {
    const data = JSON.stringify({ ...(id !== undefined && { id }), status: "subscribed" });
    this.#write(`event: connected\ndata: ${data}\n\n`);
  }

  send({ json, key }: Sent): void {
    const id = key ? `id: ${this.#options.cursorOf(key)}\n` : "";
    this.#write(`event: event\n${id}data: ${json}\n\n`);
  }

  /** Shows proxies that the connection is in use. */
  keepAlive(): void {
    if (!this.isFull) this.#write(": keepalive\n\n");
  }

  end(): void {
    this.#options.response.end();
  }

  #write(text: string): void {
    const { response } = this.#options;
    if (!response.writableEnded && !response.destroyed) response.write(text);
  }
}
