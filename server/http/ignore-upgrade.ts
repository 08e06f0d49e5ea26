import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** Whether somebody wants a WebSocket, and not one of the other protocols that requests may offer to go on in. */
export function wantsWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Serves the plain request that an offer of another protocol also is: Java's HTTP client, for one, offers HTTP/2 with
 * its first request and expects an answer in HTTP/1.1 from those who do not speak it. Node has let go of the
 * connection by then, so it gets the request once more, without the offer.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const value = /^connection$/i.test(name) ? withoutOffer(rawHeaders[i + 1]!) : rawHeaders[i + 1]!;
    if (!isOffer(name) && value !== "") head += `${name}: ${value}\r\n`;
  }
  socket.unshift(Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), rest]));
  server.emit("connection", socket);
}

const isOffer = (name: string) => /^(upgrade|http2-settings)$/i.test(name.trim());

/** What `Connection` says beside the offer: `close`, perhaps. */
function withoutOffer(connection: string): string {
  const options = connection.split(",").filter((option) => !isOffer(option));
  return options.join(",").trim();
}
