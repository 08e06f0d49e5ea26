import type { RawData } from "ws";
import type { Caller } from "../access/access.js";

/** Close codes used by the service: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
export const closeCodes = {
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
