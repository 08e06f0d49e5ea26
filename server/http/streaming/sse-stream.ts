import type { ServerResponse } from "node:http";
import type { Caller } from "../../access/access.js";
import { invalidation } from "../../stream/events/events.js";
import type { SentEvent } from "../../stream/subscriptions/sent-event.js";
import type { Notice, Sink } from "../../stream/subscriptions/subscription.js";
import type { Place } from "./connections.js";

type SseStreamOptions = {
  response: ServerResponse;
  caller: Caller;
  place: Pick<Place, "isSlowed" | "spend">;
  /** Unsent bytes above which nothing more is written. */
  maxUnsentBytes: number;
};

const keepAlive = Buffer.from(": keepalive\n\n");

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
    return this.#isUnread || this.#options.place.isSlowed;
  }

  get #isUnread(): boolean {
    const { response, maxUnsentBytes } = this.#options;
    return response.writableLength > maxUnsentBytes;
  }

  begin(id: string | undefined): void {
    const data = JSON.stringify({ ...(id !== undefined && { id }), status: "subscribed" });
    this.#write(Buffer.from(`event: connected\ndata: ${data}\n\n`));
  }

  send(sent: SentEvent): void {
    this.#write(sent.frame("event", () => frameOf(sent.json, sent.cursor)));
  }

  tell(notice: Notice): void {
    if (notice.type === "invalidated") this.#write(Buffer.from(frameOf(invalidation(notice.trace))));
  }

  /** Shows proxies that the connection is in use. */
  keepAlive(): void {
    if (!this.#isUnread) this.#write(keepAlive);
  }

  end(): void {
    this.#options.response.end();
  }

  #write(frame: Buffer): void {
    const { response, place } = this.#options;
    if (response.writableEnded || response.destroyed) return;
    response.write(frame);
    place.spend(frame.length);
  }
}

function frameOf(json: string, cursor?: string): string {
  const id = cursor === undefined ? "" : `id: ${cursor}\n`;
  return `event: event\n${id}data: ${json}\n\n`;
}
