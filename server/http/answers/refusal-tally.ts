import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { ErrorCode } from "../../../shared/rpc/errors.js";
import type { Exchange } from "./exchange.js";

/** Refusals of one connection per second that are answered without a delay. */
const maxRefusals = 10;
const windowMs = 1000;
/** How long the last refusal of a connection is held back: a client that connects again gains nothing by it. */
const holdMs = 1000;

type Tally = { endsAt: number; refusals: number };

/**
 * Closes connections whose callers continue after many refusals, which cost nearly as much as answers. Connections
 * shared by several callers stay open.
 */
export class RefusalTally {
  readonly #tallies = new WeakMap<Socket, Tally>();
  /** Monotonic clock, ms. */
  readonly #now: () => number;
  /** Whether other callers share the connection of a request. */
  readonly #isShared: (request: IncomingMessage) => boolean;

  constructor(now: () => number, isShared: (request: IncomingMessage) => boolean) {
    this.#now = now;
    this.#isShared = isShared;
  }

  /**
   * Counts a refusal because of a key or a limit. Resolves when its answer may be sent; the first one above the limit
   * is delayed, and its answer closes the connection. Resolves to false if the connection closes before its turn.
   */
  async admits(exchange: Exchange, code: ErrorCode): Promise<boolean> {
    const { request } = exchange;
    if (!counted.has(code) || this.#isShared(request)) return true;
    const { socket } = request;
    const refusals = this.#count(socket);
    if (refusals <= maxRefusals) return true;
    // Requests that were read together with the one that is held back.
    if (refusals > maxRefusals + 1) return false;
    socket.pause();
    await wait(holdMs);
    exchange.addHeaders({ Connection: "close" });
    return true;
  }

  #count(socket: Socket): number {
    const time = this.#now();
    let tally = this.#tallies.get(socket);
    // A connection above the limit must still be closed.
    if (!tally || (time >= tally.endsAt && tally.refusals <= maxRefusals)) {
      tally = { endsAt: time + windowMs, refusals: 0 };
      this.#tallies.set(socket, tally);
    }
    return ++tally.refusals;
  }
}

const counted: ReadonlySet<ErrorCode> = new Set([
  "rate-limited",
  "quota-exceeded",
  "unknown-key",
  "wrong-network",
]);
