import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/**
 * Sends text frames. The first one of a tick goes out at once, so that a caller who waits for each answer loses
 * nothing; those that follow in the same tick leave together in one write.
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
