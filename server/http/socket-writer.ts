import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/**
 * Sends text frames. The first frame of a tick is sent at once, for low latency; further frames of the same tick are
 * corked and sent in one write.
 */
export class SocketWriter {
  readonly #webSocket: WebSocket;
  readonly #connection: Duplex;
  #sentThisTick = false;
  #corked = false;

  constructor(webSocket: WebSocket, connection: Duplex) {
    this.#webSocket = webSocket;
    this.#connection = connection;
  }

  write(text: string): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    if (this.#sentThisTick && !this.#corked) {
      this.#connection.cork();
      this.#corked = true;
    }
    if (!this.#sentThisTick) {
      this.#sentThisTick = true;
      setImmediate(() => this.#endTick());
    }
    this.#webSocket.send(text);
  }

  #endTick(): void {
    if (this.#corked) this.#connection.uncork();
    this.#sentThisTick = false;
    this.#corked = false;
  }
}
