import { setMaxListeners } from "node:events";
import type { Socket } from "node:net";
import { Channel } from "../adnl/channel.js";
import { acceptHandshake, handshakeLength, type RandomBytes } from "../adnl/handshake.js";
import { isSignedBy } from "../ed25519.js";
import type { TlObject } from "../tl/codec.js";
import { wire } from "../tl/codecs.js";
import { TlError } from "../tl/tl-error.js";
import { type QueryServer, serveQuery } from "./serve-query.js";

export type SessionOptions = QueryServer & {
  identity: { seed: Uint8Array; id: Uint8Array };
  randomBytes: RandomBytes;
};

const handshakeMs = 5000;
const idleMs = 60_000;
/** Queries of one client at work at a time; more of them wait, and so does the client. */
const maxRunning = 64;
/** No query of a client is longer: messages and stacks have at most 64 KiB. */
const maxQueryFrame = 1024 * 1024;
/** While this much is waiting for the client to read it, nothing more is sent or made for it. */
const enoughUnread = 1024 * 1024;
/** How much is kept for a client, and up to which length an answer is kept in any case. */
const maxKept = 16 * 1024 * 1024;
const shortAnswer = 64 * 1024;
const nonceBytes = 256;

type Query = { queryId: Uint8Array; query: Uint8Array };

/** One client of the gateway, from its first byte to the end of its connection. */
export class Session {
  readonly #socket: Socket;
  readonly #options: SessionOptions;
  readonly #onEnd: () => void;
  readonly #leaving = new AbortController();
  /** Queries that have to wait; no more than one reading of the socket brings. */
  readonly #waiting: Query[] = [];
  /** Answers that wait for earlier ones to be read. */
  readonly #answers: Uint8Array[] = [];
  #channel: Channel | undefined;
  #greeting = Buffer.alloc(0);
  #keptBytes = 0;
  #running = 0;
  /** Less than at first once there was no room for so many answers. */
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
    // All queries at work listen for it, and what they ask as well.
    setMaxListeners(0, this.#leaving.signal);
    this.#stopTimer = options.timers.after(handshakeMs, () => this.close());
    socket.setNoDelay(true);
    socket.on("data", this.#greet);
    socket.on("error", this.close);
    socket.on("close", this.close);
  }

  /** Ends the connection and what is under way for it. */
  readonly close = (): void => {
    if (this.#leaving.signal.aborted) return;
    this.#leaving.abort();
    this.#stopTimer();
    this.#socket.destroy();
    this.#onEnd();
  };

  readonly #greet = (bytes: Buffer): void => {
    this.#greeting = Buffer.concat([this.#greeting, bytes]);
    if (this.#greeting.length < handshakeLength) return;
    this.#socket.off("data", this.#greet);
    const streams = acceptHandshake(this.#greeting.subarray(0, handshakeLength), this.#options.identity);
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
    this.#watch();
    this.#channel.send(new Uint8Array(0));
    this.#channel.receive(this.#greeting.subarray(handshakeLength));
    this.#greeting = Buffer.alloc(0);
  };

  #watch(): void {
    const { timers } = this.#options;
    const left = this.#lastReceivedAt + idleMs - timers.now();
    if (left <= 0) this.close();
    else this.#stopTimer = timers.after(left, () => this.#watch());
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
        throw new TlError(`${name} is nothing a client says`);
    }
  }

  #challenge(client: Uint8Array): void {
    if (this.#nonces || client.length === 0 || client.length > 512)
      throw new TlError("a second authentication, or a nonce of a wrong length");
    this.#nonces = { client, server: this.#options.randomBytes(nonceBytes) };
    this.#channel?.send(wire.encode("tcp.authentificationNonce", { nonce: this.#nonces.server }));
  }

  /** Everybody is let in, but nobody under a key that is not theirs. */
  #authenticate({ key, signature }: TlObject): void {
    const nonces = this.#nonces;
    if (!nonces || this.#authenticated) throw new TlError("no authentication is under way");
    this.#authenticated = true;
    const signed = Buffer.concat([nonces.client, nonces.server]);
    if (!isSignedBy((key as TlObject)["key"] as Uint8Array, signed, signature as Uint8Array))
      throw new TlError("the signature of the authentication is wrong");
  }

  /** Sends and starts as much as there is room for; the client may send more only when nothing waits. */
  #work(): void {
    if (this.#leaving.signal.aborted) return;
    while (this.#answers.length > 0 && this.#isRead) this.#send(this.#answers.shift()!);
    while (
      this.#waiting.length > 0 &&
      this.#isRead &&
      this.#running + this.#answers.length < this.#maxRunning
    )
      void this.#serve(this.#waiting.shift()!);
    if (this.#waiting.length > 0) this.#socket.pause();
    else this.#socket.resume();
  }

  get #isRead(): boolean {
    return this.#socket.writableLength < enoughUnread;
  }

  async #serve(asked: Query): Promise<void> {
    this.#running++;
    const answer = await serveQuery(this.#options, asked.query, this.#leaving.signal);
    this.#running--;
    if (answer) this.#keep(asked, answer);
    this.#work();
  }

  /** Keeps an answer until it can be sent; what there is no room for is made again once the client has read on. */
  #keep(asked: Query, answer: Uint8Array): void {
    const { length } = answer;
    if (length > shortAnswer && !this.#hasRoomFor(length)) {
      this.#maxRunning = Math.max(1, Math.floor(maxKept / length));
      this.#waiting.unshift(asked);
      return;
    }
    this.#answers.push(wire.encode("adnl.message.answer", { queryId: asked.queryId, answer }));
    this.#keptBytes += this.#answers.at(-1)!.length;
  }

  #hasRoomFor(length: number): boolean {
    if (this.#answers.length === 0 && this.#isRead) return true;
    return this.#keptBytes + this.#socket.writableLength + length <= maxKept;
  }

  #send(answer: Uint8Array): void {
    this.#keptBytes -= answer.length;
    this.#channel?.send(answer);
  }
}
