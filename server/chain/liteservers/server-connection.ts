import { AdnlClient, type ClientEnvironment, type ServerAddress } from "../adnl/client.js";
import { ConnectionError } from "../adnl/connection-error.js";
import type { QueryTransport } from "./remote-lite-api.js";

type ConnectionOptions = ClientEnvironment & {
  address: ServerAddress;
  /** 0 to 1. */
  random(): number;
  /** Called after each successful handshake. */
  onUp?(): void;
  /** Called when a connection ended or an attempt failed. */
  onDown?(error: ConnectionError): void;
};

const firstPauseMs = 1000;
const maxPauseMs = 60_000;

/** Keeps a server connected: reconnects with exponential backoff, from 1 s to 60 s, until it is closed. */
export class ServerConnection implements QueryTransport {
  readonly #options: ConnectionOptions;
  #client: AdnlClient | undefined;
  #attempt: Promise<void> = Promise.resolve();
  #failures = 0;
  #stopTimer: () => void = () => {};
  readonly #closing = new AbortController();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#connect();
  }

  get isUp(): boolean {
    return this.#client !== undefined;
  }

  /** Waits for a connection attempt in progress; rejects with `unreachable` if not connected. */
  async query(query: Uint8Array, deadline: number): Promise<Uint8Array> {
    if (!this.#client) await this.#attempt;
    if (!this.#client) throw new ConnectionError("unreachable", "the server is not connected");
    const answer = await this.#client.query(query, deadline);
    this.#failures = 0;
    return answer;
  }

  protocolError(error: Error): ConnectionError {
    const garbage = new ConnectionError("garbage", error.message, error);
    this.#client?.end(garbage);
    return garbage;
  }

  close(): void {
    this.#stopTimer();
    this.#closing.abort();
  }

  #connect(): void {
    const { address, onUp, onDown } = this.#options;
    this.#attempt = AdnlClient.open(address, this.#options, this.#closing.signal).then(
      (client) => {
        this.#client = client;
        onUp?.();
        void client.ended.then((error) => {
          this.#client = undefined;
          this.#pause();
          onDown?.(error);
        });
      },
      (error: ConnectionError) => {
        this.#pause();
        onDown?.(error);
      },
    );
  }

  /** The jitter keeps clients that lost the server at the same time from reconnecting at the same time. */
  #pause(): void {
    if (this.#closing.signal.aborted) return;
    const longest = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures++);
    const pauseMs = longest * (0.5 + this.#options.random() / 2);
    this.#stopTimer = this.#options.timers.after(pauseMs, () => this.#connect());
  }
}
