import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { invokerOf } from "../../../shared/ton/lite/lite-methods.js";
import { systemTimers, type Timers } from "../../../shared/values/timers.js";
import { randomSource } from "../../os/random-bytes.js";
import type { RandomBytes } from "../adnl/handshake.js";
import { shortId } from "../adnl/identity.js";
import { SigningKey } from "../ed25519.js";
import { Session, type SessionOptions } from "./session.js";

type GatewayOptions = {
  api: LiteApi;
  /** The 32 bytes of the server's ed25519 key. */
  seed: Uint8Array;
  /** Called with errors that are not reported to the client; the client gets "internal error". */
  onError(error: unknown): void;
  timers?: Timers;
  randomBytes?: RandomBytes;
};

const maxConnections = 256;
const maxPerAddress = 8;

/**
 * Serves a LiteApi to TON programs over ADNL TCP, as a liteserver. At most 256 connections, 8 per address. The owner must
 * `close` it.
 */
export class Gateway {
  readonly publicKey: Uint8Array;
  readonly #server: Server;
  readonly #session: SessionOptions;
  readonly #sessions = new Map<Session, string>();

  constructor({ api, seed, onError, timers = systemTimers, randomBytes = randomSource() }: GatewayOptions) {
    this.publicKey = new SigningKey(seed).publicKey;
    this.#session = {
      invoke: invokerOf(api),
      timers,
      onError,
      identity: { seed, id: shortId(this.publicKey) },
      randomBytes,
    };
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Port 0 takes any free port; resolves with the actual address. */
  listen(port: number, host: string): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      // Other processes of the service do not share it.
      this.#server.listen({ port, host, exclusive: true }, () => {
        this.#server.off("error", reject);
        this.#server.on("error", this.#session.onError);
        resolve(this.#server.address() as AddressInfo);
      });
    });
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#sessions.size;
  }

  /** Closes all connections; resolves when the server is closed. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const session of this.#sessions.keys()) session.close();
    });
  }

  #accept(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    const ofAddress = [...this.#sessions.values()].filter((other) => other === address).length;
    if (this.#sessions.size >= maxConnections || ofAddress >= maxPerAddress) {
      socket.destroy();
      return;
    }
    const session = new Session(socket, this.#session, () => this.#sessions.delete(session));
    this.#sessions.set(session, address);
  }
}
