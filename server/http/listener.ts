import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnswerClientError } from "./requests/client-error.js";
import { maxHeadBytes } from "./requests/request-size.js";
import { mayDetach } from "./sockets/ignore-upgrade.js";

/** Longer than the idle timeout of common proxies, so that they never reuse a connection that is being closed. */
const keepAliveTimeoutMs = 75_000;

/** Options of `createListener`; port 0 takes any free port. */
type ListenerOptions = {
  host: string;
  port: number;
  handler: RequestListener;
  /** Answers connections without a valid request. Default: Node's behavior. */
  answerClientError?: AnswerClientError;
  /** A connection that reads no byte of its answer for this long is cut. */
  slowReaderMs?: number;
  /**
   * How long `close` leaves connections without a call open, and answers what still arrives on them. Default: 0. A proxy may send
   * a call on a connection in the moment in which it is closed, and must not repeat it if it is a POST.
   */
  idleMs?: number;
  /** How long `close` waits for the first byte of a connection, from when it was accepted. Default: 1 s. */
  newMs?: number;
};

/** An HTTP server with timeouts that can be closed without cutting calls in flight. */
interface Listener {
  /** For handlers attached to the server itself, such as WebSocket upgrades. */
  readonly server: Server;
  /** Starts listening and returns the URL. Rejects if the port cannot be opened. */
  listen(): Promise<string>;
  /** Stops accepting connections, waits up to `drainMs` for calls in flight, then cuts the rest. Resolves with their number. */
  close(drainMs: number): Promise<number>;
}

/** Node supports this from 22.21 and 24.9 on: a request it refuses is served as a request without an upgrade. */
type UpgradeOptions = { shouldUpgradeCallback: (request: IncomingMessage) => boolean };

const headersTimeoutMs = 10_000;
/** For headers and body together. */
const requestTimeoutMs = 20_000;
const idleCheckMs = 20;
/** A client writes as soon as it is connected; only spare connections of browsers send nothing for this long. */
const defaultNewMs = 1000;

/** Creates a listener; `listen` opens its port. */
export function createListener(options: ListenerOptions): Listener {
  const { host, port, handler, answerClientError } = options;
  const { slowReaderMs = defaultSlowReaderMs, idleMs = 0, newMs = defaultNewMs } = options;
  const serverOptions: ServerOptions & UpgradeOptions = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    maxHeaderSize: maxHeadBytes,
    // How often Node checks the timeouts. With its default of 30 s a timeout of 10 s may take 40 s.
    connectionsCheckingInterval: 1000,
    shouldUpgradeCallback: (request) => server.listenerCount("upgrade") > 0 && mayDetach(request),
  };
  const server: Server = createServer(serverOptions, handler);
  if (answerClientError) server.on("clientError", answerClientError);
  /** Each open connection with the time at which it was accepted. */
  const open = new Map<Socket, number>();
  server.on("connection", (socket: Socket) => {
    // A connection whose upgrade is ignored comes again.
    if (open.has(socket)) return;
    open.set(socket, performance.now());
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
      const left = server.listening ? await drain(server, open, { drainMs, idleMs, newMs }) : 0;
      stopWatching();
      return left;
    },
  };
}

async function drain(
  server: Server,
  open: ReadonlyMap<Socket, number>,
  { drainMs, idleMs, newMs }: { drainMs: number; idleMs: number; newMs: number },
): Promise<number> {
  let left = 0;
  // Connections that wait in the port's queue would be reset; Node has accepted them by then.
  await nextTurn();
  // The HTTP server's own `close` would begin by closing all connections without a call.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  server.prependListener("request", (_, response) => {
    response.shouldKeepAlive = false;
  });
  // Keep-alive would hold a connection open after its call finishes.
  let idle: NodeJS.Timeout | undefined;
  const closeIdle = setTimeout(() => {
    idle = setInterval(() => {
      const newSince = performance.now() - newMs;
      const unused = [...open].filter(([socket]) => socket.bytesRead === 0);
      // The request of a new connection may be on its way. Node counts such a connection as busy, or from version 26 on as idle.
      if (unused.some(([, acceptedAt]) => acceptedAt > newSince)) return;
      server.closeIdleConnections();
      for (const [socket] of unused) socket.destroy();
    }, idleCheckMs);
  }, idleMs);
  const cut = setTimeout(() => {
    left = open.size;
    server.closeAllConnections();
  }, drainMs);
  await closed;
  // Ends Node's check of timeouts.
  server.close(() => {});
  clearTimeout(closeIdle);
  clearInterval(idle);
  clearTimeout(cut);
  return left;
}

function urlOf({ address, family, port }: AddressInfo): string {
  // The wildcard address cannot be opened in a browser; show the loopback address instead.
  const host = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address;
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`;
}

/** Default time without progress after which a connection is cut. */
const defaultSlowReaderMs = 30_000;
/** Connections are checked this often per timeout. */
const checksPerTimeout = 6;

/**
 * Cuts connections whose client does not read its answer, which would otherwise stay in memory indefinitely. Clients
 * that read slowly and calls that take long are not affected. Returns a function that stops the checks.
 */
function watchSlowReaders(open: ReadonlyMap<Socket, number>, timeoutMs: number): () => void {
  const watcher = setInterval(() => {
    for (const socket of open.keys()) {
      const waiting = socket.writableLength > 0;
      // Node closes a connection after this time without a byte sent. Its own keep-alive timeout is left alone.
      if (waiting && !socket.timeout) socket.setTimeout(timeoutMs);
      else if (!waiting && socket.timeout === timeoutMs) socket.setTimeout(0);
    }
  }, timeoutMs / checksPerTimeout).unref();
  return () => clearInterval(watcher);
}
