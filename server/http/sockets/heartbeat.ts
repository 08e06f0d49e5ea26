import type { WebSocket } from "ws";

export type HeartbeatLimits = {
  /** Silence after which a ping is sent. */
  silenceMs: number;
  /** Time allowed for the pong. */
  pongMs: number;
};

/** Pings a silent client, and ends its connection if it does not answer. Any frame counts as life. */
export class Heartbeat {
  readonly #webSocket: WebSocket;
  readonly #limits: HeartbeatLimits;
  /** Monotonic clock, ms. */
  readonly #now: () => number;
  #lastReceived: number;
  #pingedAt: number | undefined;

  constructor(webSocket: WebSocket, limits: HeartbeatLimits, now: () => number) {
    this.#webSocket = webSocket;
    this.#limits = limits;
    this.#now = now;
    this.#lastReceived = now();
  }

  /** Whether a ping waits for its pong. */
  get isWaiting(): boolean {
    return this.#pingedAt !== undefined;
  }

  /** A frame has arrived. */
  received(): void {
    this.#lastReceived = this.#now();
    this.#pingedAt = undefined;
  }

  /** Nothing is read from the client at present, so its pongs are not read either. */
  hold(): void {
    this.#lastReceived = this.#now();
  }

  /** Checks the timeouts; called periodically. */
  watch(): void {
    const time = this.#now();
    if (this.#pingedAt !== undefined) {
      if (time - this.#pingedAt >= this.#limits.pongMs) this.#webSocket.terminate();
    } else if (time - this.#lastReceived >= this.#limits.silenceMs) {
      this.#pingedAt = time;
      // A socket paused for back-pressure must be resumed to receive the pong.
      this.#webSocket.resume();
      this.#webSocket.ping();
    }
  }
}
