import { connect, type Socket } from "node:net";
import { SigningKey } from "../ed25519.js";
import type { Timers } from "../timers.js";
import type { TlObject } from "../tl/codec.js";
import { wire } from "../tl/codecs.js";
import { TlError } from "../tl/tl-error.js";
import { Channel } from "./channel.js";
import { ConnectionError } from "./connection-error.js";
import { openHandshake, type RandomBytes } from "./handshake.js";

/** Where a server is and how it proves that it is the one meant. */
export type ServerAddress = { host: string; port: number; publicKey: Uint8Array };

export type ClientEnvironment = { timers: Timers; randomBytes: RandomBytes };

/** Time to connect and to be greeted. */
const connectMs = 5000;
/** After this silence the server is asked whether it is there, and given up after three times as much. */
const pingMs = 5000;
const silentMs = 3 * pingMs;
/** How much may come from one look at the silence to the next that answers nothing: late answers, signs of life. */
const maxUnasked = { messages: 1000, bytes: 64 << 20 };

/** An empty message. */
const nothing = { name: "nothing", value: {} as TlObject };

type Pending = { resolve(answer: Uint8Array): void; reject(error: Error): void; stopTimer(): void };

/** One connection to a server, from its handshake to its end; questions on it are answered in any order. */
export class AdnlClient {
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Promise<ConnectionError>;

  readonly #environment: ClientEnvironment;
  readonly #channel: Channel;
  readonly #key: SigningKey;
  readonly #nonce: Uint8Array;
  readonly #pending = new Map<string, Pending>();
  #error: ConnectionError | undefined;
  #greeted: () => void = () => {};
  #announceEnd: (error: ConnectionError) => void = () => {};
  #lastReceivedAt: number;
  #stopTimer: () => void = () => {};
  #authenticated = false;
  #unasked = { messages: 0, bytes: 0 };

  private constructor(socket: Socket, { publicKey }: ServerAddress, environment: ClientEnvironment) {
    const { randomBytes, timers } = environment;
    this.#environment = environment;
    // The reference client makes itself a key for each connection; servers want one but not any particular one.
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
      this.#announceEnd = resolve;
    });
    this.#channel = new Channel(socket, streams, {
      randomBytes,
      onMessage: (payload) => this.#take(payload),
      onEnd: (error) => this.#end(error),
    });
    socket.write(packet);
    this.#channel.send(wire.encode("tcp.authentificate", { nonce: this.#nonce }));
  }

  /** Resolves once the server has greeted, which shows that it has its key. */
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
      client.#watch();
      return client;
    } catch (error) {
      socket.destroy();
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConnectionError(troubleOf(error), reason, error);
    }
  }

  /** The answer to a question; rejects with a ConnectionError, `silent` when none came until the deadline. */
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

  /** Ends the connection for a reason that lies above it. */
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
    const { name, value } = payload.length === 0 ? nothing : wire.decode(payload);
    if (name === "adnl.message.answer")
      this.#answer(value["queryId"] as Uint8Array, value["answer"] as Uint8Array);
    else if (name === "tcp.authentificationNonce") this.#authenticate(value["nonce"] as Uint8Array);
    else if (name === "tcp.pong" || name === nothing.name) this.#countUnasked(payload);
    else throw new TlError(`${name} is nothing a server says`);
  }

  /** Nobody may wait for the answer any more. */
  #answer(queryId: Uint8Array, answer: Uint8Array): void {
    const key = keyOf(queryId);
    const pending = this.#pending.get(key);
    if (!pending) this.#countUnasked(answer);
    this.#pending.delete(key);
    pending?.stopTimer();
    pending?.resolve(answer);
  }

  #countUnasked(bytes: Uint8Array): void {
    this.#unasked.messages++;
    this.#unasked.bytes += bytes.length;
    if (this.#unasked.messages > maxUnasked.messages || this.#unasked.bytes > maxUnasked.bytes)
      throw new TlError("the server says more than it is asked for");
  }

  #authenticate(nonce: Uint8Array): void {
    if (this.#authenticated || nonce.length === 0 || nonce.length > 512)
      throw new TlError("the server's nonce was not asked for, or is too long");
    this.#authenticated = true;
    const signature = this.#key.sign(Buffer.concat([this.#nonce, nonce]));
    const key = { key: this.#key.publicKey };
    this.#channel.send(wire.encode("tcp.authentificationComplete", { key, signature }));
  }

  /** Asks for a sign of life when it has become quiet. */
  #watch(): void {
    const { timers, randomBytes } = this.#environment;
    if (this.#error) return;
    this.#stopTimer = timers.after(pingMs, () => {
      this.#unasked = { messages: 0, bytes: 0 };
      const silence = timers.now() - this.#lastReceivedAt;
      if (silence >= silentMs)
        return this.#channel.end(new ConnectionError("silent", "the server has fallen silent"));
      if (silence >= pingMs) {
        const randomId = Buffer.from(randomBytes(8)).readBigUInt64LE();
        this.#channel.send(wire.encode("tcp.ping", { randomId }));
      }
      this.#watch();
    });
  }

  #end(error: ConnectionError): void {
    this.#error = error;
    this.#stopTimer();
    for (const { reject, stopTimer } of this.#pending.values()) {
      stopTimer();
      reject(error);
    }
    this.#pending.clear();
    this.#announceEnd(error);
  }
}

function keyOf(queryId: Uint8Array): string {
  return Buffer.from(queryId.buffer, queryId.byteOffset, queryId.byteLength).toString("latin1");
}

/** Whatever goes wrong before the greeting, the server was not reached; a broken greeting is more than that. */
function troubleOf(error: unknown): ConnectionError["trouble"] {
  return error instanceof ConnectionError && error.trouble !== "lost" ? error.trouble : "unreachable";
}
