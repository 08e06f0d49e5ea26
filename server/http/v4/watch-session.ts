import type { Access } from "../../access/access.js";
import { closeCodes, SocketConnection } from "../sockets/session.js";
import { SocketGuard } from "../sockets/socket-guard.js";
import type { OpenSocket } from "../sockets/websocket.js";

type WatchOptions = Pick<OpenSocket, "webSocket" | "caller" | "limits" | "now"> & {
  access: Pick<Access, "spend">;
  onDefect: (error: unknown) => void;
};

/** One connection that is sent texts. Messages of its client have no meaning, but cost points. */
export class WatchSession extends SocketConnection {
  readonly #options: WatchOptions;
  readonly #guard: SocketGuard;

  constructor(options: WatchOptions) {
    super(options);
    const { webSocket, onDefect } = options;
    this.#options = options;
    this.#guard = new SocketGuard({
      ...options,
      close: (code, reason) => this.close(code, reason),
      onRefused: () => this.#flow(),
    });
    webSocket.on("message", () => {
      if (this.#guard.accepts()) this.#guard.charge(1).catch(onDefect);
    });
  }

  /** Closes the connection of a client that does not read. */
  send(text: string): void {
    const { webSocket, limits } = this.#options;
    if (!this.#guard.isOpen) return;
    if (webSocket.bufferedAmount > limits.maxUnsentBytes)
      this.close(closeCodes.tryAgainLater, "slow consumer");
    else webSocket.send(text);
  }

  watch(): void {
    this.#flow();
    this.#guard.watch();
  }

  /** The client is not read while its rate limit refuses its messages. */
  #flow(): void {
    const { webSocket } = this.#options;
    if (!this.#guard.isOpen) return;
    if (this.#guard.isPaused && !this.#guard.isWaiting) webSocket.pause();
    else webSocket.resume();
  }
}
