import type { WebSocket } from "ws";
import type { Grant } from "../../rpc/json-rpc/json-rpc.js";
import type { FloodGuard } from "./flood-guard.js";

type SocketPingsOptions = {
  webSocket: WebSocket;
  guard: FloodGuard;
  /** Charges points to the caller. */
  charge: (points: number) => Promise<Grant>;
  onDefect: (error: unknown) => void;
};

/**
 * Answers the ping frames of one connection. Those beyond the rate of a heartbeat are charged, all that have arrived
 * in one step: RFC 6455, 5.5.3 lets an endpoint answer only the most recent one.
 */
export class SocketPings {
  readonly #options: SocketPingsOptions;
  #unpaid = 0;
  #last: Buffer | undefined;

  constructor(options: SocketPingsOptions) {
    this.#options = options;
  }

  ping(data: Buffer): void {
    // In a chunk full of pings the guard counts only the first.
    if (this.#unpaid === 0 && this.#options.guard.pinged() === 0) {
      this.#options.webSocket.pong(data);
      return;
    }
    this.#last = data;
    this.#owe();
  }

  /** A pong without a ping of ours: a heartbeat too, which needs no answer. */
  unexpectedPong(): void {
    if (this.#options.guard.pinged() > 0) this.#owe();
  }

  #owe(): void {
    const { guard, onDefect } = this.#options;
    if (!guard.isPaused && ++this.#unpaid === 1) this.#pay().catch(onDefect);
  }

  async #pay(): Promise<void> {
    // By then all pings that arrived in one chunk are counted.
    await undefined;
    while (this.#unpaid > 0) {
      const pings = this.#unpaid;
      const { granted } = await this.#options.charge(pings);
      this.#unpaid -= pings;
      if (granted > 0 && this.#last) this.#options.webSocket.pong(this.#last);
      this.#last = undefined;
    }
  }
}
