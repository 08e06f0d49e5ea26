import { WebSocket } from "ws";
import { type Client, type ClientOptions, createClient as createAnyClient } from "./client.js";
import type { RpcError } from "./errors.js";
import { nodeClock } from "./node-clock.js";
import { statusError } from "./transports/answer.js";
import type { TransportFactory } from "./transports/transport.js";
import {
  webSocket as anyWebSocket,
  notConnected,
  type WebSocketOptions,
  webSocketVia,
} from "./transports/web-socket.js";

export * from "./index.js";

/** As in browsers, with Node's shorter way to the end of a macrotask. */
export function createClient(options: ClientOptions): Client {
  return createAnyClient({ ...options, clock: options.clock ?? nodeClock });
}

/** As in browsers, over the package `ws`, which sends the key as a header. */
export function webSocket(url: string, options: WebSocketOptions = {}): TransportFactory {
  if (options.WebSocket) return anyWebSocket(url, options);
  const open = (target: URL, apiKey: string | undefined, maxPayload: number) =>
    new WebSocket(target, {
      headers: apiKey ? { "X-API-Key": apiKey } : {},
      maxPayload,
      perMessageDeflate: false,
    });
  return webSocketVia(open, url, options, refused);
}

/** The package names the status that refused the upgrade; browsers keep it to themselves. */
function refused(cause: unknown): RpcError {
  const error = notConnected(cause);
  const status = /server response: (\d+)/.exec(error.message);
  return status ? statusError(Number(status[1]), error.message, { cause, unsent: true }) : error;
}
