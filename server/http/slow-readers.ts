import type { Socket } from "node:net";

/** Default time without progress after which a connection is cut. */
export const slowReaderMs = 30_000;
/** Connections are checked this often per timeout. */
const checksPerTimeout = 6;

/**
 * Cuts connections whose client does not read its answer, which would otherwise stay in memory indefinitely. Clients
 * that read slowly and calls that take long are not affected. Returns a function that stops the checks.
 */
export function watchSlowReaders(open: ReadonlySet<Socket>, timeoutMs: number): () => void {
  const watcher = setInterval(() => {
    for (const socket of open) {
      const waiting = socket.writableLength > 0;
      // Node closes a connection after this time without a byte sent. Its own keep-alive timeout is left alone.
      if (waiting && !socket.timeout) socket.setTimeout(timeoutMs);
      else if (!waiting && socket.timeout === timeoutMs) socket.setTimeout(0);
    }
  }, timeoutMs / checksPerTimeout).unref();
  return () => clearInterval(watcher);
}
