import type { ServerResponse } from "node:http";
import type { Caller } from "../../access/access.js";
import { invalidation } from "../../stream/events.js";
import type { Sent } from "../../stream/sent.js";
import type { Notice, Sink } from "../../stream/subscription.js";

export type SseStreamOptions = {
  response: ServerResponse;
  caller: Caller;
  /** Unsent bytes above which nothing more is written. */
  maxUnsentBytes: number;
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

  send({ json, cursor }: Pick<Sent, "json" | "cursor">): void {
    const id = cursor === undefined ? "" : `id: ${cursor}\n`;
    this.#write(`event: event\n${id}data: ${json}\n\n`);
  }

  tell(notice: Notice): void {
    if (notice.type === "invalidated") this.send({ json: invalidation(notice.trace), cursor: undefined });
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
