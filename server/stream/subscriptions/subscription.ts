import type { UnitName } from "../../store/queries/blocks/units.js";
import { compareKeys, type EventKey, endOf } from "./event-key.js";
import type { Filter, Finality, SubscribedType } from "./filter.js";
import type { SentEvent } from "./sent-event.js";

/** A notice about the subscription itself or about events sent before. */
export type Notice =
  /** The pending events sent of a trace are void; with the hashes of its transactions. */
  | { readonly type: "invalidated"; readonly trace: string; readonly transactions: readonly string[] }
  /** Everything above a block is void. */
  | { readonly type: "reverted"; readonly to: UnitName }
  | { readonly type: "caught-up" }
  /** `isReset`: the state of pending events was lost. */
  | { readonly type: "lagging"; readonly seconds: number; readonly isReset: boolean }
  | { readonly type: "end" };

/** The connection of a subscription. */
export interface Sink {
  /** Whether the client has reached its limit of unread bytes. */
  readonly isFull: boolean;
  /** Takes an event. Final ones are sent only while it is not full. */
  send(sent: SentEvent): void;
  /** Takes a notice; after `end` nothing follows. */
  tell(notice: Notice): void;
}

/** Limit on unsent invalidations of a client that does not read; the oldest are dropped. */
const maxOwed = 1000;
/** Lag behind the newest block from which on the client is notified, in seconds. */
const lagSec = 10;

/** An event made for one subscription. */
export type OwnEvent = {
  readonly event: { readonly type: SubscribedType; readonly finality: Finality; readonly isLast?: true };
  readonly sent: SentEvent & { key: EventKey };
};

/** The first unsent events of a partly sent masterchain block, so that the block is not read again for each event. */
type UnitRest = {
  readonly unit: UnitName;
  readonly events: readonly OwnEvent[];
  /** Whether they are all of the block's remaining events. */
  readonly isWhole: boolean;
  /** The filter they were made for. */
  readonly filter: Filter;
};

/** What a client is sent of the past when it subscribes. */
export type Replay = {
  /** The first masterchain block, whose account states are sent. */
  readonly from: number;
  /** The first one whose traces are sent. */
  readonly tracesFrom: number;
  /** The last one of the past: later events are sent as always. */
  readonly to: number;
};

/** A client's filter and progress. Events are not queued: the index is the queue. */
export class Subscription {
  readonly sink: Sink;
  filter: Filter;
  /** The next masterchain block for a lagging client; `undefined` at the head. */
  next: number | undefined;
  /** Events up to this one were sent, now or on an earlier connection. */
  after: EventKey | undefined;
  /** The last masterchain block of the subscription. */
  to: number | undefined;
  isOpen = true;
  /** Whether a catch-up read is running. */
  isCatchingUp = false;
  /** The block read by the running catch-up. */
  reading: Promise<void> | undefined;
  /** Unsent events of the next block from an earlier read. */
  rest: UnitRest | undefined;
  /** Whether the client gets a notice once it has caught up. */
  isBehind = false;
  /** How often it was set back to an earlier position. */
  setBacks = 0;
  /** What is sent again of the past, until it has caught up. */
  replay: Replay | undefined;
  /** Whether it gets the traces that are not final, as they are, once it has caught up. */
  wantsPending = false;
  #owed: Notice[] = [];
  #hasForgotten = false;

  constructor(sink: Sink, filter: Filter) {
    this.sink = sink;
    this.filter = filter;
  }

  /**
   * Sends a finalized event. Returns whether it is sent, now or before; if not, the subscription lags from its block
   * on.
   */
  offer(sent: SentEvent & { key: EventKey }): boolean {
    if (this.next !== undefined || !this.isOpen) return false;
    const isSent = this.#give(sent);
    if (!isSent) this.next = sent.key.seqno;
    return isSent;
  }

  /** As `offer`, while the subscription catches up. */
  give(sent: SentEvent & { key: EventKey }): boolean {
    return this.isOpen && this.#give(sent);
  }

  #give(sent: SentEvent & { key: EventKey }): boolean {
    if (this.after && compareKeys(sent.key, this.after) <= 0) return true;
    if (this.sink.isFull) return false;
    this.sink.send(sent);
    this.after = sent.key;
    return true;
  }

  /** During catch-up: marks all events of a block as sent. */
  passed(unit: UnitName): void {
    this.after = endOf(unit);
    this.next = unit.seqno + 1;
  }

  /** Whether pending events can be sent now. They are not sent later: their final form follows. */
  get takesPending(): boolean {
    return this.isOpen && this.next === undefined && !this.sink.isFull;
  }

  /** Sends a notice now, or when the client reads again. */
  tell(notice: Notice): void {
    if (!this.isOpen) return;
    if (!this.sink.isFull && this.#owed.length === 0) {
      this.sink.tell(notice);
      return;
    }
    if (notice.type === "reverted" && this.#mergeRevert(notice)) return;
    this.#owed.push(notice);
    if (this.#owed.length <= maxOwed) return;
    this.#owed.splice(
      this.#owed.findIndex(({ type }) => type === "invalidated"),
      1,
    );
    this.#hasForgotten = true;
  }

  /** Queues a notice before the next event. */
  owe(notice: Notice): void {
    this.#owed.push(notice);
  }

  /** A client that received nothing in between needs only the deepest of several reverts. */
  #mergeRevert(notice: Notice & { type: "reverted" }): boolean {
    const at = this.#owed.findIndex(({ type }) => type === "reverted");
    const owed = this.#owed[at];
    if (owed?.type !== "reverted") return false;
    if (notice.to.seqno < owed.to.seqno) this.#owed[at] = notice;
    return true;
  }

  /** Whether anything is waiting to be sent. */
  get isWaiting(): boolean {
    return this.next !== undefined || this.#owed.length > 0 || this.#hasForgotten;
  }

  /** Sends queued notices to a client that reads again, and a notice of its lag. */
  tellOwed(secondsBehind: number): void {
    if (this.sink.isFull) return;
    for (const notice of this.#owed.splice(0)) this.sink.tell(notice);
    const isLate = secondsBehind > lagSec && !this.isBehind;
    if (!isLate && !this.#hasForgotten) return;
    this.sink.tell({ type: "lagging", seconds: Math.max(0, secondsBehind), isReset: this.#hasForgotten });
    this.#hasForgotten = false;
    this.isBehind = true;
  }

  /** Goes back to an earlier block, of which events may be sent again. A client that lags behind it gets all of them anyway. */
  goBack(replay: Replay): void {
    if (this.next !== undefined && this.next < replay.from) return;
    this.setBacks++;
    this.rest = undefined;
    this.replay = replay;
    this.next = replay.from;
    this.after = undefined;
  }

  /** Switches the subscription to live events. */
  caughtUp(): void {
    this.next = undefined;
    this.replay = undefined;
    if (!this.isBehind) return;
    this.isBehind = false;
    this.tell({ type: "caught-up" });
  }

  /** Discards the progress above the block that the index was reverted to. */
  revert(to: UnitName): void {
    this.setBacks++;
    this.rest = undefined;
    if (this.next !== undefined) this.next = Math.min(this.next, to.seqno + 1);
    if (this.after && this.after.seqno > to.seqno) this.after = endOf(to);
    this.tell({ type: "reverted", to });
  }
}
