import type { Socket } from "node:net";
import { ConnectionError } from "./connection-error.js";
import { FrameReader, maxFrame, sealFrame } from "./frames.js";
import type { RandomBytes, Streams } from "./handshake.js";

export type ChannelOptions = {
  randomBytes: RandomBytes;
  /** Longest frame taken. */
  maxFrame?: number;
  onMessage(payload: Uint8Array): void;
  /** Called once; nothing comes after it. */
  onEnd(error: ConnectionError): void;
};

/** How much the other side may leave unread before it is given up: more than one of the longest frames. */
const maxUnread = 2 * maxFrame;

/** Messages over a socket whose handshake is done; both sides of a connection have one. */
export class Channel {
  readonly #socket: Socket;
  readonly #streams: Streams;
  readonly #reader: FrameReader;
  readonly #options: ChannelOptions;
  #ended = false;

  constructor(socket: Socket, streams: Streams, options: ChannelOptions) {
    this.#socket = socket;
    this.#streams = streams;
    this.#options = options;
    this.#reader = new FrameReader(streams.incoming, options.maxFrame ?? maxFrame);
    socket.on("data", (bytes: Buffer) => this.receive(bytes));
    socket.on("error", (error) => this.end(new ConnectionError("lost", error.message, error)));
    socket.on("close", () => this.end(new ConnectionError("lost", "the connection was closed")));
  }

  /** Bytes of the stream; those that came along with the handshake have to be handed in. */
  receive(bytes: Uint8Array): void {
    if (this.#ended) return;
    try {
      for (const payload of this.#reader.push(bytes)) {
        if (this.#ended) return;
        this.#options.onMessage(payload);
      }
    } catch (error) {
      this.end(new ConnectionError("garbage", (error as Error).message, error));
    }
  }

  /** An empty payload only shows that this side is there. */
  send(payload: Uint8Array): void {
    if (this.#ended) return;
    this.#socket.write(sealFrame(this.#streams.outgoing, payload, this.#options.randomBytes));
    if (this.#socket.writableLength > maxUnread)
      this.end(new ConnectionError("lost", "what was sent is not read"));
  }

  end(error: ConnectionError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#socket.destroy();
    this.#options.onEnd(error);
  }
}
