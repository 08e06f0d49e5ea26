import { WebSocket } from "ws";
import type { TransportFactory } from "./transports/transport.js";
import { webSocket as anyWebSocket, type WebSocketOptions, webSocketVia } from "./transports/web-socket.js";

export * from "./index.js";

/** As in browsers, over the package `ws`, which sends the key as a header. */
export function webSocket(url: string, options: WebSocketOptions = {}): TransportFactory {
  if (options.WebSocket) return anyWebSocket(url, options);
  return webSocketVia(
    (target, apiKey, maxPayload) =>
      new WebSocket(target, {
        headers: apiKey ? { "X-API-Key": apiKey } : {},
        maxPayload,
        perMessageDeflate: false,
      }),
    url,
    options,
  );
}
