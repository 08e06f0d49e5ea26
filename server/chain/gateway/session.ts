import { setMaxListeners } from "node:events";
import type { Socket } from "node:net";
import type { TlObject } from "../../../shared/ton/tl/codec.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { TlError } from "../../../shared/ton/tl/tl-error.js";
import { itemAt, takeFirst } from "../../../shared/values/lookups.js";
import { Channel } from "../adnl/channel.js";
import { acceptHandshake, handshakeLength, type RandomBytes } from "../adnl/handshake.js";
import { isSignedBy } from "../ed25519.js";
import { type QueryServer, serveQuery } from "./serve-query.js";

export type SessionOptions = QueryServer & {
  identity: { seed: Uint8Array; id: Uint8Array };
  randomBytes: RandomBytes;
};

const handshakeMs = 5000;
const idleMs = 60_000;
/** Concurrent queries of one client; more of them wait, and the socket is paused. */
const maxRunning = 64;
/** Longest query: messages and stacks have at most 64 KiB. */
const maxQueryFrame = 1024 * 1024;
/** While the client has this many bytes unread, nothing more is sent and no query is started. */
const maxUnread = 1024 * 1024;
/** Limit of answers buffered for a client, in bytes; shorter answers are always buffered. */
const maxBuffered = 16 * 1024 * 1024;
const shortAnswer = 64 * 1024;
const nonceBytes = 256;

type Query = { queryId: Uint8Array; query: Uint8Array };

/** One client connection of the gateway. */
export class Session {
  readonly #socket: Socket;
  readonly #options: SessionOptions;
  readonly #onEnd: () => void;
  readonly #closing = new AbortController();
  /** Waiting queries; bounded by one read of the socket, as it is paused meanwhile. */
  readonly #waiting: Query[] = [];
  /** Answers buffered until the client has read earlier ones. */
  readonly #answers: Uint8Array[] = [];
  #channel: Channel | undefined;
  #handshakeBytes = Buffer.alloc(0);
  #bufferedBytes = 0;
  #running = 0;
  /** Reduced when the answers exceed the buffer. */
  #maxRunning = maxRunning;
  #lastReceivedAt: number;
  #stopTimer: () => void;
  #nonces: { client: Uint8Array; server: Uint8Array } | undefined;
  #authenticated = false;

  constructor(socket: Socket, options: SessionOptions, onEnd: () => void) {
    this.#socket = socket;
    this.#options = options;
    this.#onEnd = onEnd;
    this.#lastReceivedAt = options.timers.now();
    // Every query in flight adds listeners.
    setMaxListeners(0, this.#closing.signal);
    this.#stopTimer = options.timers.after(handshakeMs, () => this.close());
    socket.setNoDelay(true);
    socket.on("data", this.#shakeHands);
    socket.on("error", this.close);
    socket.on("close", this.close);
  }

  /** Closes the connection and aborts its queries. */
  readonly close = (): void => {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#stopTimer();
    this.#socket.destroy();
    this.#onEnd();
  };

  readonly #shakeHands = (bytes: Buffer): void => {
    this.#handshakeBytes = Buffer.concat([this.#handshakeBytes, bytes]);
    if (this.#handshakeBytes.length < handshakeLength) return;
    this.#socket.off("data", this.#shakeHands);
    const streams = acceptHandshake(
      this.#handshakeBytes.subarray(0, handshakeLength),
      this.#options.identity,
    );
    if (!streams) {
      this.close();
      return;
    }
    this.#channel = new Channel(this.#socket, streams, {
      randomBytes: this.#options.randomBytes,
      maxFrame: maxQueryFrame,
      onMessage: (payload) => this.#take(payload),
      onEnd: this.close,
    });
    this.#socket.on("drain", () => this.#work());
    this.#stopTimer();
    this.#closeWhenIdle();
    this.#channel.send(new Uint8Array(0));
    this.#channel.receive(this.#handshakeBytes.subarray(handshakeLength));
    this.#handshakeBytes = Buffer.alloc(0);
  };

  #closeWhenIdle(): void {
    const { timers } = this.#options;
    const left = this.#lastReceivedAt + idleMs - timers.now();
    if (left <= 0) this.close();
    else this.#stopTimer = timers.after(left, () => this.#closeWhenIdle());
  }

  #take(payload: Uint8Array): void {
    this.#lastReceivedAt = this.#options.timers.now();
    if (payload.length === 0) return;
    const { name, value } = wire.decode(payload);
    switch (name) {
      case "adnl.message.query":
        this.#waiting.push(value as Query);
        this.#work();
        break;
      case "tcp.ping":
        this.#channel?.send(wire.encode("tcp.pong", value));
        break;
      case "tcp.authentificate":
        this.#challenge(value["nonce"] as Uint8Array);
        break;
      case "tcp.authentificationComplete":
        this.#authenticate(value);
        break;
      default:
        throw new TlError(`a client must not send ${name}`);
    }
  }

  #challenge(client: Uint8Array): void {
    if (this.#nonces || client.length === 0 || client.length > 512)
      throw new TlError("duplicate authentication or wrong length of the nonce");
    this.#nonces = { client, server: this.#options.randomBytes(nonceBytes) };
    this.#channel?.send(wire.encode("tcp.authentificationNonce", { nonce: this.#nonces.server }));
  }

  /** Any key is accepted, but its owner must have signed the nonces. */
  #authenticate({ key, signature }: TlObject): void {
    const nonces = this.#nonces;
    if (!nonces || this.#authenticated) throw new TlError("unexpected authentication");
    this.#authenticated = true;
    const signed = Buffer.concat([nonces.client, nonces.server]);
    if (!isSignedBy((key as TlObject)["key"] as Uint8Array, signed, signature as Uint8Array))
      throw new TlError("wrong signature of the authentication");
  }

  /** Sends answers and starts queries as far as the limits allow; back-pressure: pauses the socket while queries wait. */
  #work(): void {
    if (this.#closing.signal.aborted) return;
    while (this.#answers.length > 0 && this.#canSend) this.#send(takeFirst(this.#answers));
    while (
      this.#waiting.length > 0 &&
      this.#canSend &&
      this.#running + this.#answers.length < this.#maxRunning
    )
      void this.#serve(takeFirst(this.#waiting));
    if (this.#waiting.length > 0) this.#socket.pause();
    else this.#socket.resume();
  }

  get #canSend(): boolean {
    return this.#socket.writableLength < maxUnread;
  }

  async #serve(query: Query): Promise<void> {
    this.#running++;
    const answer = await serveQuery(this.#options, query.query, this.#closing.signal);
    this.#running--;
    if (answer) this.#buffer(query, answer);
    this.#work();
  }

  /** Buffers an answer. Without room for it the query waits again, and is run anew once the client has read. */
  #buffer(query: Query, answer: Uint8Array): void {
    const { length } = answer;
    if (length > shortAnswer && !this.#hasRoomFor(length)) {
      this.#maxRunning = Math.max(1, Math.floor(maxBuffered / length));
      this.#waiting.unshift(query);
      return;
    }
    this.#answers.push(wire.encode("adnl.message.answer", { queryId: query.queryId, answer }));
    this.#bufferedBytes += itemAt(this.#answers, -1).length;
  }

  #hasRoomFor(length: number): boolean {
    if (this.#answers.length === 0 && this.#canSend) return true;
    return this.#bufferedBytes + this.#socket.writableLength + length <= maxBuffered;
  }

  #send(answer: Uint8Array): void {
    this.#bufferedBytes -= answer.length;
    this.#channel?.send(answer);
  }
}
