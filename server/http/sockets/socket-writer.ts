import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { settled } from "../../../shared/values/promises.js";
import { longBytes } from "../../rpc/answers/answer-budget.js";
import { cut, type Pieces } from "../../rpc/answers/answer-pieces.js";

/** Text, whole or in pieces, or the bytes of a binary message. */
export type SocketMessage = string | Pieces | Uint8Array;

/**
 * Sends messages. The first message of a tick is sent immediately, for low latency; further messages of the same
 * tick are corked and sent in one write. Long messages are sent in fragments, each once the socket has taken the last
 * one; other messages wait until they are complete.
 */
export class SocketWriter {
  readonly #webSocket: WebSocket;
  readonly #connection: Duplex;
  #sentThisTick = false;
  #corked = false;
  /** Messages that are being sent in fragments, or wait for one that is. */
  #pending = 0;
  #last: Promise<void> = Promise.resolve();
  #fragments = 0;

  constructor(webSocket: WebSocket, connection: Duplex) {
    this.#webSocket = webSocket;
    this.#connection = connection;
  }

  /** Number of fragments that the socket has taken; grows while a client reads a long message. */
  get fragments(): number {
    return this.#fragments;
  }

  /** Whether messages wait until a long one is complete. */
  get isBusy(): boolean {
    return this.#pending > 0;
  }

  /** Returns a promise if the message is not sent immediately. It also resolves if the connection closes first. */
  write(message: SocketMessage): Promise<void> | undefined {
    if (!isShort(message) || this.isBusy) return this.writeLater(message);
    this.#send(message, typeof message !== "string");
    return undefined;
  }

  /** Sends a short message without waiting for it. */
  notify(message: Buffer): void {
    if (this.isBusy) void this.writeLater(message.toString());
    else this.#send(message, false);
  }

  /** Sends a message once the socket has taken all others of this kind. Resolves once it has taken this one. */
  writeLater(message: SocketMessage): Promise<void> {
    this.#pending++;
    const sent = this.#last
      .then(() => this.#sendFragments(message))
      .finally(() => {
        this.#pending--;
      });
    // A failed message is reported to its own caller only.
    this.#last = settled(sent);
    return sent;
  }

  get #isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  #send(message: string | Uint8Array, binary: boolean): void {
    if (!this.#isOpen) return;
    if (this.#sentThisTick && !this.#corked) {
      this.#connection.cork();
      this.#corked = true;
    }
    if (!this.#sentThisTick) {
      this.#sentThisTick = true;
      setImmediate(() => this.#endTick());
    }
    this.#webSocket.send(message, { binary });
  }

  async #sendFragments(message: SocketMessage): Promise<void> {
    const binary = message instanceof Uint8Array;
    if (isShort(message)) return this.#sendFragment(message, { binary, fin: true });
    for await (const piece of piecesOf(message)) {
      if (!this.#isOpen) return;
      await this.#sendFragment(piece, { binary, fin: false });
    }
    await this.#sendFragment("", { binary, fin: true });
  }

  #sendFragment(piece: string | Uint8Array, options: { binary: boolean; fin: boolean }): Promise<void> {
    return new Promise((resolve) => {
      // Also called, with an error, if the connection closes; the next check of the state shows that.
      this.#webSocket.send(piece, options, () => {
        this.#fragments++;
        resolve();
      });
    });
  }

  #endTick(): void {
    if (this.#corked) this.#connection.uncork();
    this.#sentThisTick = false;
    this.#corked = false;
  }
}

/** Whether a message is sent at once. */
export function isShort(message: SocketMessage): message is string | Uint8Array {
  return (typeof message === "string" || message instanceof Uint8Array) && message.length < longBytes;
}

function piecesOf(message: SocketMessage): Pieces | Iterable<Uint8Array> {
  if (message instanceof Uint8Array) return cut(message);
  return typeof message === "string" ? cut(Buffer.from(message)) : message;
}
