import { connect, type Socket } from "node:net";
import type { TlObject } from "../../../shared/ton/tl/codec.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { TlError } from "../../../shared/ton/tl/tl-error.js";
import { InFlight } from "../../../shared/values/in-flight.js";
import type { Timers } from "../../../shared/values/timers.js";
import { SigningKey } from "../ed25519.js";
import { Channel } from "./channel.js";
import { ConnectionError } from "./connection-error.js";
import { openHandshake, type RandomBytes } from "./handshake.js";

/** A server's address, and the ed25519 key that the handshake authenticates it by. */
export type ServerAddress = { host: string; port: number; publicKey: Uint8Array };

/** Clock, timers and randomness of a client; real ones except in tests. */
export type ClientEnvironment = { timers: Timers; randomBytes: RandomBytes };

/** Timeout for connecting and for the server's first message. */
const connectMs = 5000;
/** A ping is sent after this much silence; the connection ends after three times as much. */
const pingMs = 5000;
const silentMs = 3 * pingMs;
/** Limit of late answers and keep-alives per ping interval. */
const maxUnsolicited = { messages: 1000, bytes: 64 << 20 };

/** An empty message. */
const emptyMessage = { name: "nothing", value: {} as TlObject };

type Pending = { resolve(answer: Uint8Array): void; reject(error: Error): void; stopTimer(): void };

/** One connection to a server. Queries run concurrently and are answered in any order. */
export class AdnlClient {
  /** Resolves with the reason when the connection ends; never rejects. */
  readonly ended: Promise<ConnectionError>;

  readonly #environment: ClientEnvironment;
  readonly #channel: Channel;
  readonly #key: SigningKey;
  readonly #nonce: Uint8Array;
  readonly #pending = new InFlight<string, Pending>();
  #error: ConnectionError | undefined;
  #greeted: () => void = () => {};
  #resolveEnded: (error: ConnectionError) => void = () => {};
  #lastReceivedAt: number;
  #stopTimer: () => void = () => {};
  #authenticated = false;
  #unsolicited = { messages: 0, bytes: 0 };

  private constructor(socket: Socket, { publicKey }: ServerAddress, environment: ClientEnvironment) {
    const { randomBytes, timers } = environment;
    this.#environment = environment;
    // Servers accept any client key; the reference client creates one per connection.
    const seed = randomBytes(32);
    this.#key = new SigningKey(seed);
    this.#nonce = randomBytes(32);
    this.#lastReceivedAt = timers.now();
    const { packet, streams } = openHandshake(
      publicKey,
      { seed, publicKey: this.#key.publicKey },
      randomBytes,
    );
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#channel = new Channel(socket, streams, {
      randomBytes,
      onMessage: (payload) => this.#take(payload),
      onEnd: (error) => this.#end(error),
    });
    socket.write(packet);
    this.#channel.send(wire.encode("tcp.authentificate", { nonce: this.#nonce }));
  }

  /**
   * Resolves at the server's first message, which proves that it holds the private key. Rejects with a ConnectionError
   * after 5 s at the latest. The signal closes the connection, also later.
   */
  static async open(
    address: ServerAddress,
    environment: ClientEnvironment,
    signal?: AbortSignal,
  ): Promise<AdnlClient> {
    const socket = connect({ host: address.host, port: address.port, noDelay: true });
    try {
      const client = new AdnlClient(socket, address, environment);
      const close = () => client.close();
      signal?.addEventListener("abort", close);
      void client.ended.then(() => signal?.removeEventListener("abort", close));
      await client.#greeting();
      client.#keepAlive();
      return client;
    } catch (error) {
      socket.destroy();
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConnectionError(troubleOf(error), reason, error);
    }
  }

  /** Sends a query. Rejects with a ConnectionError: `silent` if no answer arrives by the deadline (Unix ms). */
  query(query: Uint8Array, deadline: number): Promise<Uint8Array> {
    const { timers, randomBytes } = this.#environment;
    if (this.#error) return Promise.reject(this.#error);
    const queryId = randomBytes(32);
    const key = keyOf(queryId);
    return new Promise((resolve, reject) => {
      const expire = () => {
        this.#pending.delete(key);
        reject(new ConnectionError("silent", "no answer in time"));
      };
      const stopTimer = timers.after(Math.max(0, deadline - timers.now()), expire);
      this.#pending.set(key, { resolve, reject, stopTimer });
      this.#channel.send(wire.encode("adnl.message.query", { queryId, query }));
    });
  }

  close(): void {
    this.end(new ConnectionError("closed", "the connection was closed on this side"));
  }

  /** Ends the connection with an error found by the caller, such as an invalid answer. */
  end(error: ConnectionError): void {
    this.#channel.end(error);
  }

  #greeting(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = () => this.#channel.end(new ConnectionError("silent", "no greeting in time"));
      const stopTimer = this.#environment.timers.after(connectMs, late);
      this.#greeted = () => {
        stopTimer();
        resolve();
      };
      void this.ended.then((error) => {
        stopTimer();
        reject(error);
      });
    });
  }

  #take(payload: Uint8Array): void {
    this.#lastReceivedAt = this.#environment.timers.now();
    this.#greeted();
    const { name, value } = payload.length === 0 ? emptyMessage : wire.decode(payload);
    if (name === "adnl.message.answer")
      this.#answer(value["queryId"] as Uint8Array, value["answer"] as Uint8Array);
    else if (name === "tcp.authentificationNonce") this.#authenticate(value["nonce"] as Uint8Array);
    else if (name === "tcp.pong" || name === emptyMessage.name) this.#countUnsolicited(payload);
    else throw new TlError(`a server must not send ${name}`);
  }

  /** The query may have timed out already. */
  #answer(queryId: Uint8Array, answer: Uint8Array): void {
    const pending = this.#pending.take(keyOf(queryId));
    if (!pending) this.#countUnsolicited(answer);
    pending?.stopTimer();
    pending?.resolve(answer);
  }

  #countUnsolicited(bytes: Uint8Array): void {
    this.#unsolicited.messages++;
    this.#unsolicited.bytes += bytes.length;
    if (
      this.#unsolicited.messages > maxUnsolicited.messages ||
      this.#unsolicited.bytes > maxUnsolicited.bytes
    )
      throw new TlError("the server sends too many unsolicited messages");
  }

  #authenticate(nonce: Uint8Array): void {
    if (this.#authenticated || nonce.length === 0 || nonce.length > 512)
      throw new TlError("unexpected or too long nonce");
    this.#authenticated = true;
    const signature = this.#key.sign(Buffer.concat([this.#nonce, nonce]));
    const key = { key: this.#key.publicKey };
    this.#channel.send(wire.encode("tcp.authentificationComplete", { key, signature }));
  }

  /** Pings the server when it is silent. */
  #keepAlive(): void {
    const { timers, randomBytes } = this.#environment;
    if (this.#error) return;
    this.#stopTimer = timers.after(pingMs, () => {
      this.#unsolicited = { messages: 0, bytes: 0 };
      const silence = timers.now() - this.#lastReceivedAt;
      if (silence >= silentMs) return this.#channel.end(new ConnectionError("silent", "no message for 15 s"));
      if (silence >= pingMs) {
        const randomId = Buffer.from(randomBytes(8)).readBigUInt64LE();
        this.#channel.send(wire.encode("tcp.ping", { randomId }));
      }
      this.#keepAlive();
    });
  }

  #end(error: ConnectionError): void {
    this.#error = error;
    this.#stopTimer();
    for (const { reject, stopTimer } of this.#pending.takeAll()) {
      stopTimer();
      reject(error);
    }
    this.#resolveEnded(error);
  }
}

function keyOf(queryId: Uint8Array): string {
  return Buffer.from(queryId.buffer, queryId.byteOffset, queryId.byteLength).toString("latin1");
}

/** A connection lost before the first message counts as unreachable; an invalid first message stays `garbage`. */
function troubleOf(error: unknown): ConnectionError["trouble"] {
  return error instanceof ConnectionError && error.trouble !== "lost" ? error.trouble : "unreachable";
}
