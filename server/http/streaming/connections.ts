import type { IncomingMessage } from "node:http";
import type { Access, Caller } from "../../access/access.js";
import { type StreamLimits, streamLimits } from "../../access/plan.js";
import { isShared } from "../admit.js";
import { header } from "../headers.js";

/** The period over which bytes and blocks of the past are counted. */
const periodMs = 60_000;

type Held = {
  connections: number;
  accounts: number;
  firehoses: number;
  /** Bytes that may be sent now; below zero nothing more is. */
  bytes: number;
  bytesAt: number;
  /** Blocks of the past that were asked for since `historyAt`. */
  history: number;
  historyAt: number;
};

/** What a connection holds of what its owner may hold. */
export type Holding = { readonly accounts: number; readonly firehoses: number };

/** Whom a connection counts for, and what they may hold. */
export type Owner = { readonly id: string; readonly limits: StreamLimits };

/** What callers hold of streams, over all transports. */
export class StreamConnections {
  readonly #held = new Map<string, Held>();
  /** Monotonic clock, ms. */
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Connections at present. */
  get size(): number {
    let size = 0;
    for (const { connections } of this.#held.values()) size += connections;
    return size;
  }

  /** A place for one more connection of the owner, or how many it has if there is none. */
  enter({ id, limits }: Owner): Place | number {
    const held = this.#held.get(id) ?? this.#empty(limits);
    if (held.connections >= limits.connections) return held.connections;
    this.#held.set(id, held);
    return new Place(held, limits, this.#now, () => this.#forget(id, held));
  }

  #empty({ bytes }: StreamLimits): Held {
    const now = this.#now();
    return {
      connections: 0,
      accounts: 0,
      firehoses: 0,
      bytes: allowance(bytes),
      bytesAt: now,
      history: 0,
      historyAt: now,
    };
  }

  /** What was spent is remembered for a while, so that connecting again does not give it back. */
  #forget(id: string, held: Held): void {
    if (held.connections > 0) return;
    setTimeout(() => {
      if (held.connections === 0 && this.#held.get(id) === held) this.#held.delete(id);
    }, periodMs).unref();
  }
}

const nothing: Holding = { accounts: 0, firehoses: 0 };

/** A connection that counts, and what it holds. Freed at once when it ends. */
export class Place {
  readonly #held: Held;
  readonly #now: () => number;
  readonly #left: () => void;
  readonly limits: StreamLimits;
  #own = nothing;
  #isOpen = true;

  constructor(held: Held, limits: StreamLimits, now: () => number, left: () => void) {
    this.#held = held;
    this.limits = limits;
    this.#now = now;
    this.#left = left;
    held.connections++;
  }

  /** The accounts that other connections of the owner watch. */
  get others(): number {
    return this.#held.accounts - this.#own.accounts;
  }

  /** Counts what this connection holds. If it is too much nothing changes, and the limit's name is returned. */
  hold(holding: Partial<Holding>): keyof StreamLimits | undefined {
    const wanted = { ...nothing, ...holding };
    const accounts = this.others + wanted.accounts;
    const firehoses = this.#held.firehoses - this.#own.firehoses + wanted.firehoses;
    if (accounts > this.limits.accounts && wanted.accounts > this.#own.accounts) return "accounts";
    if (firehoses > this.limits.firehose && wanted.firehoses > this.#own.firehoses) return "firehose";
    this.#held.accounts = accounts;
    this.#held.firehoses = firehoses;
    this.#own = wanted;
    return undefined;
  }

  /** Counts blocks of the past that are asked for. False, and nothing changes, if they are too many. */
  takeHistory(blocks: number): boolean {
    const held = this.#held;
    const now = this.#now();
    if (now - held.historyAt >= periodMs) {
      held.history = 0;
      held.historyAt = now;
    }
    if (held.history + blocks > this.limits.history) return false;
    held.history += blocks;
    return true;
  }

  /** Counts bytes that were sent. */
  spend(bytes: number): void {
    this.#held.bytes -= bytes;
  }

  /** Whether so many bytes were sent that further ones have to wait. */
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
    this.hold(nothing);
    this.#held.connections--;
    this.#left();
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
