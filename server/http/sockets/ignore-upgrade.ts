import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** Node from 25 on reads the body of a request before it hands over the connection; others leave it to the new protocol. */
const nodeReadsBodies = Number.parseInt(process.versions.node, 10) >= 25;

/** Whether the request is for an upgrade to WebSocket, rather than to another protocol. A handshake has no body. */
export function wantsWebSocket(request: IncomingMessage): boolean {
  return (
    request.method === "GET" && request.headers.upgrade?.toLowerCase() === "websocket" && !hasBody(request)
  );
}

/**
 * Whether Node may detach the connection of a request that offers an upgrade (`shouldUpgradeCallback`), as it does for
 * WebSockets, and for what `ignoreUpgrade` then serves. It must not where it reads the body itself: Node then serves
 * the request as a plain one, but drops what a client has sent behind the body before it got the answer.
 */
export function mayDetach(request: IncomingMessage): boolean {
  return !(nodeReadsBodies && hasBody(request));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}

/**
 * Serves a request that offers an upgrade to an unsupported protocol as a plain request. Java's HTTP client, for
 * example, offers HTTP/2 with its first request and expects an HTTP/1.1 answer from servers without it. Node has
 * detached the connection by then, so the request is fed to the server again, without the upgrade headers.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const value = /^connection$/i.test(name) ? withoutUpgrade(rawHeaders[i + 1]!) : rawHeaders[i + 1]!;
    if (!isUpgradeHeader(name) && value !== "") head += `${name}: ${value}\r\n`;
  }
  // Node adds these listeners with every "connection", and leaves them when it detaches one.
  socket.removeAllListeners("pause").removeAllListeners("resume");
  socket.unshift(Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), rest]));
  server.emit("connection", socket);
}

const isUpgradeHeader = (name: string) => /^(upgrade|http2-settings)$/i.test(name.trim());

/** The `Connection` options without the upgrade options; `close` may remain. */
function withoutUpgrade(connection: string): string {
  const options = connection.split(",").filter((option) => !isUpgradeHeader(option));
  return options.join(",").trim();
}
