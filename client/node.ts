import { WebSocket } from "ws";
import { type Client, type ClientOptions, createClient as createAnyClient } from "./client.js";
import type { RpcError } from "./errors.js";
import { nodeClock } from "./node-clock.js";
import { refusedStatusIn, statusError } from "./transports/answer.js";
import { notConnected, type OpenSocket } from "./transports/socket-connection.js";
import type { TransportFactory } from "./transports/transport.js";
import { webSocket as anyWebSocket, type WebSocketOptions, webSocketVia } from "./transports/web-socket.js";
import { canMask } from "./ws-masking.js";

export * from "./index.js";

/** `createClient` with a clock that is faster in Node. */
export function createClient(options: ClientOptions): Client {
  return createAnyClient({ ...options, clock: options.clock ?? nodeClock });
}

/** `webSocket` over the package `ws`, which sends the key as a header instead of in the URL. */
export function webSocket(url: string, options: WebSocketOptions = {}): TransportFactory {
  if (options.WebSocket) return anyWebSocket(url, options);
  const open: OpenSocket = (target, { apiKey, maxAnswerBytes: maxPayload }) =>
    new WebSocket(target, {
      headers: apiKey ? { "X-API-Key": apiKey } : {},
      maxPayload,
      perMessageDeflate: false,
      // Zeros are a mask that changes nothing, which ws skips.
      ...(!canMask() && { generateMask: (mask) => mask.fill(0) }),
    });
  return webSocketVia(open, url, options, (cause) => refused(cause, url));
}

function refused(cause: unknown, endpoint: string): RpcError {
  const error = notConnected(cause, endpoint);
  const status = refusedStatusIn(error.shortMessage);
  return status ? statusError(Number(status), error.shortMessage, { cause, endpoint, unsent: true }) : error;
}
