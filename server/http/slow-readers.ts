import type { Socket } from "node:net";

export const slowReaderMs = 30_000;
/** A timeout is set and taken back at this part of its own length. */
const looksPerTimeout = 6;

/**
 * Cuts connections whose answer is not read: its bytes would stay in memory for as long as the other side likes. An
 * answer that is read, however slowly, is no reason, and neither is a call that takes its time.
 */
export function watchSlowReaders(open: ReadonlySet<Socket>, timeoutMs: number): () => void {
  const watcher = setInterval(() => {
    for (const socket of open) {
      const waiting = socket.writableLength > 0;
      // Node counts the time without a byte sent, and closes the connection when it is over; between two calls it sets
      // a timeout of its own, which is left alone.
      if (waiting && !socket.timeout) socket.setTimeout(timeoutMs);
      else if (!waiting && socket.timeout === timeoutMs) socket.setTimeout(0);
    }
  }, timeoutMs / looksPerTimeout).unref();
  return () => clearInterval(watcher);
}
