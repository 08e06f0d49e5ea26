import type { UnitName } from "../store/queries/units.js";
import { compareKeys, type EventKey, endOf } from "./event-key.js";
import type { Filter, Finality, SubscribedType } from "./filter.js";
import type { Sent } from "./sent.js";

/** What a subscription is told about itself, and about what was sent before. */
export type Notice =
  /** What was sent of a trace before it was final does not come true; with the hashes of its transactions. */
  | { readonly type: "invalidated"; readonly trace: string; readonly transactions: readonly string[] }
  /** Everything above a block is void. */
  | { readonly type: "reverted"; readonly to: UnitName }
  | { readonly type: "caught-up" }
  /** `isReset`: nothing that is not final is remembered. */
  | { readonly type: "lagging"; readonly seconds: number; readonly isReset: boolean }
  | { readonly type: "end" };

/** The connection of a subscription. */
export interface Sink {
  /** Whether as many events wait for the client as it may leave unread. */
  readonly isFull: boolean;
  send(sent: Sent): void;
  tell(notice: Notice): void;
}

/** Unsent invalidations of a client that does not read; beyond it the oldest are left out. */
const maxOwed = 1000;
/** Seconds behind the newest block from which on a client is told that it lags. */
const lagSec = 10;

/** An event that was made for one subscription. */
export type OwnEvent = {
  readonly event: { readonly type: SubscribedType; readonly finality: Finality; readonly isLast?: true };
  readonly sent: Sent & { key: EventKey };
};

/** The beginning of what is left of a masterchain block that was sent in part, so that it is not read for each event. */
export type UnitRest = {
  readonly unit: UnitName;
  readonly events: readonly OwnEvent[];
  /** Whether there is nothing behind them. */
  readonly isWhole: boolean;
  /** The filter that they were made for. */
  readonly filter: Filter;
};

/** A client's interest, and how far it has been served. Events are not queued: the index is the queue. */
export class Subscription {
  readonly sink: Sink;
  filter: Filter;
  /** The masterchain block to go on with for a client that lags; `undefined` if it receives events as they come. */
  next: number | undefined;
  /** Events up to this one were sent, now or on an earlier connection. */
  after: EventKey | undefined;
  /** The masterchain block after which it ends. */
  to: number | undefined;
  isOpen = true;
  /** Whether it is being read for apart from the others. */
  isCatchingUp = false;
  /** The block that is being read for it apart from the others. */
  reading: Promise<void> | undefined;
  /** Events of the block to go on with that were read before, behind those that were sent. */
  rest: UnitRest | undefined;
  /** Whether the client is told once it has caught up. */
  isBehind = false;
  /** How often what was sent became void. */
  reverts = 0;
  #owed: Notice[] = [];
  #hasForgotten = false;

  constructor(sink: Sink, filter: Filter) {
    this.sink = sink;
    this.filter = filter;
  }

  /**
   * Sends a finalized event. Returns whether it went out or was sent before; if not, the subscription lags from its
   * block on.
   */
  offer(sent: Sent & { key: EventKey }): boolean {
    if (this.next !== undefined || !this.isOpen) return false;
    const isSent = this.#give(sent);
    if (!isSent) this.next = sent.key.seqno;
    return isSent;
  }

  /** As `offer`, while the subscription catches up. */
  give(sent: Sent & { key: EventKey }): boolean {
    return this.isOpen && this.#give(sent);
  }

  #give(sent: Sent & { key: EventKey }): boolean {
    if (this.after && compareKeys(sent.key, this.after) <= 0) return true;
    if (this.sink.isFull) return false;
    this.sink.send(sent);
    this.after = sent.key;
    return true;
  }

  /** While it catches up: all events of a block were sent. */
  passed(unit: UnitName): void {
    this.after = endOf(unit);
    this.next = unit.seqno + 1;
  }

  /** Whether events that are not final are sent now. They are not sent later: their final form follows. */
  get takesSpeculation(): boolean {
    return this.isOpen && this.next === undefined && !this.sink.isFull;
  }

  /** Tells something at once, or when the client reads again. */
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

  /** Tells something before the next event. */
  owe(notice: Notice): void {
    this.#owed.push(notice);
  }

  /** Of several reverts only the deepest matters to a client that was sent nothing in between. */
  #mergeRevert(notice: Notice & { type: "reverted" }): boolean {
    const at = this.#owed.findIndex(({ type }) => type === "reverted");
    const owed = this.#owed[at];
    if (owed?.type !== "reverted") return false;
    if (notice.to.seqno < owed.to.seqno) this.#owed[at] = notice;
    return true;
  }

  /** Whether there is something for its client that it has not been sent. */
  get isWaiting(): boolean {
    return this.next !== undefined || this.#owed.length > 0 || this.#hasForgotten;
  }

  /** Tells a client that reads again what it could not be told, and that it lags. */
  tellOwed(secondsBehind: number): void {
    if (this.sink.isFull) return;
    for (const notice of this.#owed.splice(0)) this.sink.tell(notice);
    const isLate = secondsBehind > lagSec && !this.isBehind;
    if (!isLate && !this.#hasForgotten) return;
    this.sink.tell({ type: "lagging", seconds: Math.max(0, secondsBehind), isReset: this.#hasForgotten });
    this.#hasForgotten = false;
    this.isBehind = true;
  }

  /** From here on it receives events as they come. */
  caughtUp(): void {
    this.next = undefined;
    if (!this.isBehind) return;
    this.isBehind = false;
    this.tell({ type: "caught-up" });
  }

  /** Forgets what was sent above a block that the index was reverted to. */
  revert(to: UnitName): void {
    this.reverts++;
    this.rest = undefined;
    if (this.next !== undefined) this.next = Math.min(this.next, to.seqno + 1);
    if (this.after && this.after.seqno > to.seqno) this.after = endOf(to);
    this.tell({ type: "reverted", to });
  }
}
