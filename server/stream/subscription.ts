import type { EventKey } from "./event-key.js";
import type { Filter } from "./filter.js";

/** An event as text, and its place among the finalized ones if it is one of those. */
export type Sent = { readonly json: string; readonly key: EventKey | undefined };

/** The connection of a subscription. */
export interface Sink {
  /** Whether as many bytes wait for the client as it may leave unread. */
  readonly isFull: boolean;
  send(sent: Sent): void;
}

/** Unsent invalidations of a client that does not read; beyond it the oldest are left out. */
const maxOwed = 1000;

/** A client's interest, and how far it has been served. Events are not queued: the index is the queue. */
export class Subscription {
  readonly sink: Sink;
  filter: Filter;
  /** The masterchain block to go on with for a client that lags; `undefined` if it receives events as they come. */
  next: number | undefined;
  /** Events up to this one were received on an earlier connection. */
  after: EventKey | undefined;
  isOpen = true;
  /** Whether it is being read for apart from the others. */
  isCatchingUp = false;
  /** The block for which `takes` was asked last, and its answer. */
  #asked: number | undefined;
  #owed: string[] = [];

  constructor(sink: Sink, filter: Filter) {
    this.sink = sink;
    this.filter = filter;
  }

  /** Whether the events of a new masterchain block are sent now; if not, the subscription lags from this block on. */
  takes(seqno: number): boolean {
    if (this.next !== undefined || !this.isOpen) return false;
    // A block is sent whole, or later.
    if (this.#asked === seqno) return true;
    this.#asked = seqno;
    if (!this.sink.isFull) return true;
    this.next = seqno;
    return false;
  }

  /** Whether events that are not final are sent now. They are not sent later: their final form follows. */
  get takesSpeculation(): boolean {
    return this.isOpen && this.next === undefined && !this.sink.isFull;
  }

  /** Sends an invalidation, at once or when the client reads again. */
  invalidate(json: string): void {
    if (!this.isOpen) return;
    if (!this.sink.isFull) {
      this.sink.send({ json, key: undefined });
      return;
    }
    this.#owed.push(json);
    if (this.#owed.length > maxOwed) this.#owed.shift();
  }

  sendOwed(): void {
    for (const json of this.#owed.splice(0)) this.sink.send({ json, key: undefined });
  }
}
