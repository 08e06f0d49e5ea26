import type { RawData, WebSocket } from "ws";
import type { Caller } from "../../access/access.js";

/** Close codes used by the service: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
export const closeCodes = {
  done: 1000,
  goingAway: 1001,
  invalidText: 1007,
  policy: 1008,
  defect: 1011,
  tryAgainLater: 1013,
} as const;

/** One WebSocket connection, of any protocol. */
export interface Session {
  readonly caller: Caller;
  close(code: number, reason: string): void;
  /** Ends the connection once what is in flight is answered. */
  drain(): void;
  terminate(): void;
  /** Checks the timeouts; called periodically. */
  watch(): void;
}

/** A session whose client may not be read at times. */
export abstract class SocketConnection implements Session {
  readonly caller: Caller;
  readonly #webSocket: WebSocket;

  constructor({ webSocket, caller }: { webSocket: WebSocket; caller: Caller }) {
    this.caller = caller;
    this.#webSocket = webSocket;
  }

  /** The client is read again, as it answers the close frame. */
  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
    this.#webSocket.resume();
  }

  drain(): void {
    this.close(closeCodes.goingAway, "Service is stopping");
  }

  terminate(): void {
    this.#webSocket.terminate();
  }

  abstract watch(): void;
}

/** The text of a message; `undefined` if it is no UTF-8. */
export function decodeUtf8(data: RawData): string | undefined {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : data;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8.
    return undefined;
  }
}
