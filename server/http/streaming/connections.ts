import type { IncomingMessage } from "node:http";
import type { Access, Caller } from "../../access/access.js";
import { type StreamLimits, streamLimits } from "../../access/limits/plan.js";
import {
  type Holding,
  renewEveryMs,
  type SharedHoldings,
  type Usage,
} from "../../access/limits/shared-holdings.js";
import { header } from "../answers/headers.js";
import type { Clock } from "../clock.js";
import { isShared } from "../requests/admit.js";

/** The method whose name stands for streams of any protocol, where keys are limited to methods. */
export const streamMethod = "subscribe";

/** The period over which bytes and blocks of the past are counted. */
const periodMs = 60_000;

type Held = {
  readonly id: string;
  connections: number;
  accounts: number;
  firehoses: number;
  /** Usage last reported by other instances for the same owner. */
  others: Holding;
  /** Consumption not yet reported to the other instances. */
  unreported: { bytes: number; history: number };
  /** Total consumption of all instances at the last report. */
  allUsed: Usage | undefined;
  exchanging: Promise<void> | undefined;
  /** The exchange after that one. */
  following: Promise<void> | undefined;
  /** Bytes that may be sent now; below zero nothing more is. */
  bytes: number;
  bytesAt: number;
  /** Blocks of the past requested since `historyAt`. */
  history: number;
  historyAt: number;
};

/** The owner that a connection counts for, and the limits of the owner. */
type Owner = { readonly id: string; readonly limits: StreamLimits };

/** Stream usage of all owners, over all transports. */
export class StreamConnections {
  readonly #held = new Map<string, Held>();
  readonly #clock: Clock;
  readonly #shared: SharedHoldings | undefined;
  readonly #stopRenewing: () => void;

  /** `shared`: exchange of usage between instances; absent if each counts by itself. */
  constructor({ clock, shared }: { clock: Clock; shared?: SharedHoldings | undefined }) {
    this.#clock = clock;
    this.#shared = shared;
    this.#stopRenewing = shared ? clock.every(renewEveryMs, () => this.#renew()) : () => {};
  }

  close(): void {
    this.#stopRenewing();
  }

  /** Reads the usage of an owner in other instances, before it is checked; `undefined` if it is known. */
  refresh({ id, limits }: Owner): Promise<void> | undefined {
    return this.#shared && this.#exchange(this.#of(id, limits));
  }

  /** Connections at present. */
  get size(): number {
    let size = 0;
    for (const { connections } of this.#held.values()) size += connections;
    return size;
  }

  /** A place for one more connection of the owner, or how many it has if there is none. */
  enter({ id, limits }: Owner): Place | number {
    const held = this.#of(id, limits);
    const connections = held.connections + held.others.connections;
    if (connections >= limits.connections) return connections;
    const changed = () => {
      if (this.#shared) void this.#exchange(held);
      this.#forget(held);
    };
    return new Place(held, limits, this.#clock.now, changed);
  }

  #of(id: string, limits: StreamLimits): Held {
    const known = this.#held.get(id);
    if (known) return known;
    const held = this.#empty(id, limits);
    this.#held.set(id, held);
    this.#forget(held);
    return held;
  }

  #renew(): void {
    for (const held of this.#held.values()) if (held.connections > 0) void this.#exchange(held);
  }

  /** One exchange at a time; the next one begins after it, so that the last report is the newest. */
  #exchange(held: Held): Promise<void> {
    if (held.exchanging) {
      held.following ??= held.exchanging.then(() => {
        held.following = undefined;
        return this.#exchange(held);
      });
      return held.following;
    }
    held.exchanging = this.#report(held).finally(() => {
      held.exchanging = undefined;
    });
    return held.exchanging;
  }

  async #report(held: Held): Promise<void> {
    const used = held.unreported;
    held.unreported = { bytes: 0, history: 0 };
    const answer = await this.#shared!.exchange(held.id, held, used);
    if (!answer) {
      held.others = nothing;
      return;
    }
    const { allUsed: before = answer.used } = held;
    held.others = answer.others;
    held.allUsed = answer.used;
    // After a restart of Redis all have used less than before.
    held.bytes -= Math.max(0, answer.used.bytes - before.bytes - used.bytes);
    held.history += Math.max(0, answer.used.history - before.history - used.history);
  }

  #empty(id: string, { bytes }: StreamLimits): Held {
    const now = this.#clock.now();
    return {
      id,
      connections: 0,
      accounts: 0,
      firehoses: 0,
      others: nothing,
      unreported: { bytes: 0, history: 0 },
      allUsed: undefined,
      exchanging: undefined,
      following: undefined,
      bytes: allowance(bytes),
      bytesAt: now,
      history: 0,
      historyAt: now,
    };
  }

  /** Keep the consumption for a while, so that reconnecting does not reset it. */
  #forget(held: Held): void {
    if (held.connections > 0) return;
    setTimeout(() => {
      if (held.connections === 0 && this.#held.get(held.id) === held) this.#held.delete(held.id);
    }, periodMs).unref();
  }
}

/** The part of an owner's usage that one connection has. */
type OwnHolding = Omit<Holding, "connections">;
const nothing: Holding = { connections: 0, accounts: 0, firehoses: 0 };

/** A counted connection, and its usage. Freed as soon as it ends. */
export class Place {
  readonly #held: Held;
  readonly #now: () => number;
  readonly #changed: () => void;
  readonly limits: StreamLimits;
  #own: OwnHolding = nothing;
  #isOpen = true;

  constructor(held: Held, limits: StreamLimits, now: () => number, changed: () => void) {
    this.#held = held;
    this.limits = limits;
    this.#now = now;
    this.#changed = changed;
    held.connections++;
    changed();
  }

  /** The accounts that other connections of the owner watch. */
  get others(): number {
    return this.#held.accounts - this.#own.accounts + this.#held.others.accounts;
  }

  /** Counts what this connection holds. If it is too much nothing changes, and the limit's name is returned. */
  hold({ accounts = 0, firehoses = 0 }: Partial<OwnHolding>): keyof StreamLimits | undefined {
    const held = this.#held;
    const more = { accounts: accounts - this.#own.accounts, firehoses: firehoses - this.#own.firehoses };
    if (more.accounts === 0 && more.firehoses === 0) return undefined;
    const isBeyond = (kind: keyof OwnHolding, limit: number) =>
      more[kind] > 0 && held[kind] + held.others[kind] + more[kind] > limit;
    if (isBeyond("accounts", this.limits.accounts)) return "accounts";
    if (isBeyond("firehoses", this.limits.firehose)) return "firehose";
    held.accounts += more.accounts;
    held.firehoses += more.firehoses;
    this.#own = { accounts, firehoses };
    this.#changed();
    return undefined;
  }

  /** Counts requested blocks of the past. Returns false and changes nothing above the limit. */
  takeHistory(blocks: number): boolean {
    const held = this.#held;
    const now = this.#now();
    if (now - held.historyAt >= periodMs) {
      held.history = 0;
      held.historyAt = now;
    }
    if (held.history + blocks > this.limits.history) return false;
    held.history += blocks;
    held.unreported.history += blocks;
    return true;
  }

  /** Counts bytes that were sent. */
  spend(bytes: number): void {
    this.#held.bytes -= bytes;
    this.#held.unreported.bytes += bytes;
  }

  /** Whether the limit of bytes is reached, so that further ones have to wait. */
  get isSlowed(): boolean {
    const held = this.#held;
    if (held.bytes > 0) return false;
    const now = this.#now();
    const { bytes } = this.limits;
    held.bytes = Math.min(allowance(bytes), held.bytes + ((now - held.bytesAt) / 1000) * bytes);
    held.bytesAt = now;
    return held.bytes <= 0;
  }

  leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#held.connections--;
    this.hold(nothing);
    this.#changed();
  }
}

function allowance(bytesPerSec: number): number {
  return (bytesPerSec * periodMs) / 1000;
}

/** The caller with the limits of its plan; a trusted proxy may name others, as TON Center's does. */
export function ownerOf(request: IncomingMessage, caller: Caller, access: Access): Owner {
  const limits = streamLimits(caller.plan);
  if (!isShared(request, access)) return { id: caller.id, limits };
  return {
    id: header(request, "x-limiting-key") || caller.id,
    limits: {
      ...limits,
      connections: limitIn(request, "x-max-parallel-connections") ?? limits.connections,
      accounts: limitIn(request, "x-max-subscribed-addr") ?? limits.accounts,
    },
  };
}

function limitIn(request: IncomingMessage, name: string): number | undefined {
  const text = header(request, name);
  if (text === "-1") return Number.POSITIVE_INFINITY;
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

export function tooManyConnections(active: number): string {
  return `connection limit reached: ${active} active connections`;
}
