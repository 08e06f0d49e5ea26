import type { Socket } from "node:net";
import { ConnectionError } from "./connection-error.js";
import { FrameReader, maxFrame, sealFrame } from "./frames.js";
import type { RandomBytes, Streams } from "./handshake.js";

type ChannelOptions = {
  randomBytes: RandomBytes;
  /** Longest frame accepted; 16 MiB by default. */
  maxFrame?: number;
  onMessage(payload: Uint8Array): void;
  /** Called exactly once, last. */
  onEnd(error: ConnectionError): void;
};

/** The connection ends when this many bytes are unread by the peer: more than one frame of maximum length. */
const maxUnread = 2 * maxFrame;

/** Sends and receives frames over a socket after the handshake; used by client and server. Owns the socket. */
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

  /** Processes bytes of the stream. Call it only for bytes that arrived along with the handshake. */
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

  /** An empty payload is a keep-alive. Does nothing after the end. */
  send(payload: Uint8Array): void {
    if (this.#ended) return;
    this.#socket.write(sealFrame(this.#streams.outgoing, payload, this.#options.randomBytes));
    if (this.#socket.writableLength > maxUnread)
      this.end(new ConnectionError("lost", "the peer does not read"));
  }

  end(error: ConnectionError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#socket.destroy();
    this.#options.onEnd(error);
  }
}
