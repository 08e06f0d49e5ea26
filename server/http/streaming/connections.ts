import type { IncomingMessage } from "node:http";
import type { Access, Caller } from "../../access/access.js";
import { type StreamLimits, streamLimits } from "../../access/plan.js";
import { isShared } from "../admit.js";
import { header } from "../headers.js";

type Held = { connections: number; accounts: number };

/** Whom a connection counts for, and what they may hold. */
export type Owner = { readonly id: string; readonly limits: StreamLimits };

/** What callers hold of streams, over both transports. */
export class StreamConnections {
  readonly #held = new Map<string, Held>();

  /** A place for one more connection of the owner, or how many it has if there is none. */
  enter({ id, limits }: Owner): Place | number {
    const held = this.#held.get(id) ?? { connections: 0, accounts: 0 };
    if (held.connections >= limits.connections) return held.connections;
    this.#held.set(id, held);
    return new Place(held, limits, () => {
      if (held.connections === 0) this.#held.delete(id);
    });
  }
}

/** A connection that counts, and the accounts it watches. Freed at once when it ends. */
export class Place {
  readonly #held: Held;
  readonly #left: () => void;
  readonly limits: StreamLimits;
  #accounts = 0;
  #isOpen = true;

  constructor(held: Held, limits: StreamLimits, left: () => void) {
    this.#held = held;
    this.limits = limits;
    this.#left = left;
    held.connections++;
  }

  /** The accounts that other connections of the owner watch. */
  get others(): number {
    return this.#held.accounts - this.#accounts;
  }

  /** Counts the accounts of this connection. False, and nothing changes, if they are too many. */
  hold(accounts: number): boolean {
    if (this.others + accounts > this.limits.accounts) return false;
    this.#held.accounts = this.others + accounts;
    this.#accounts = accounts;
    return true;
  }

  leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.hold(0);
    this.#held.connections--;
    this.#left();
  }
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
