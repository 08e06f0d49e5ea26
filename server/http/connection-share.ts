import type { Server } from "node:http";
import type { Socket } from "node:net";

/** A process may have a tenth more connections than the mean, and one. */
const tolerance = 1.1;

/**
 * Evens out the connections of processes that accept from one port: a process with too many closes some of them behind
 * an answer, and their clients connect again.
 */
export class ConnectionShare {
  readonly #onChange: (open: number) => void;
  #open = 0;
  /** Connections to close behind their next answers. */
  #surplus = 0;

  constructor(server: Server, onChange: (open: number) => void) {
    this.#onChange = onChange;
    server.on("connection", (socket: Socket) => {
      this.#changed(1);
      socket.once("close", () => this.#changed(-1));
    });
    server.prependListener("request", (_, response) => {
      if (this.#surplus === 0 || !response.shouldKeepAlive) return;
      this.#surplus--;
      response.shouldKeepAlive = false;
    });
  }

  /** `mean`: connections of a process. Half of the surplus is closed at once, as others may close theirs too. */
  balance(mean: number): void {
    const surplus = this.#open - Math.ceil(tolerance * mean) - 1;
    this.#surplus = Math.max(0, Math.ceil(surplus / 2));
  }

  #changed(by: 1 | -1): void {
    this.#open += by;
    this.#onChange(this.#open);
  }
}
