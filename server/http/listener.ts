import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { AnswerClientError } from "./client-error.js";
import { slowReaderMs as defaultSlowReaderMs, watchSlowReaders } from "./slow-readers.js";

export type ListenerOptions = {
  host: string;
  port: number;
  handler: RequestListener;
  /** Answers what never became a request; unless given, as Node does. */
  answerClientError?: AnswerClientError;
  /** After this time without a byte of its answer read, a connection is cut. */
  slowReaderMs?: number;
};

/** An HTTP server with our deadlines that can be closed without cutting calls in flight. */
export interface Listener {
  /** For what attaches to the server itself, such as WebSocket upgrades. */
  readonly server: Server;
  /** Starts listening and gives the URL. */
  listen(): Promise<string>;
  /** Stops accepting, lets calls in flight end for at most `drainMs`, then cuts the rest. */
  close(drainMs: number): Promise<void>;
}

const headersTimeoutMs = 10_000;
/** Headers and body together. */
const requestTimeoutMs = 20_000;
/** Longer than the idle time of usual proxies, which must not find a connection closed that they are about to use. */
const keepAliveTimeoutMs = 75_000;
const maxHeaderBytes = 64 * 1024;
const idleCheckMs = 20;

export function createListener(options: ListenerOptions): Listener {
  const { host, port, handler, answerClientError, slowReaderMs = defaultSlowReaderMs } = options;
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      // Node looks for late clients this often; its own 30 s would make a deadline of 10 s up to 40.
      connectionsCheckingInterval: 1000,
    },
    handler,
  );
  if (answerClientError) server.on("clientError", answerClientError);
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  let stopWatching = () => {};
  return {
    server,
    async listen() {
      stopWatching = watchSlowReaders(open, slowReaderMs);
      server.listen(port, host);
      await once(server, "listening");
      return urlOf(server.address() as AddressInfo);
    },
    async close(drainMs) {
      if (server.listening) await drain(server, open, drainMs);
      stopWatching();
    },
  };
}

async function drain(server: Server, open: ReadonlySet<Socket>, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Browsers open connections ahead of their calls; Node takes those for busy.
  for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  // A connection that finishes its call now would stay open for the next one.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

function urlOf({ address, family, port }: AddressInfo): string {
  // Nobody can open "any address"; this machine is one of those meant.
  const host = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address;
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`;
}
