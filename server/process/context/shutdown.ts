/** How long calls in flight may take after the process was asked to stop. */
export const drainMs = 10_000;

/** How long a stop leaves a proxy's connections without a call open, until it has noticed that the port is closed. */
export const proxyIdleMs = 2_000;

/** Connections that were cut off because they had not ended in that time. */
export type CutOff = { connections: number; webSockets: number };

/** A sentence for the beginning of a stop. */
export function stopBegins(signal: NodeJS.Signals | undefined): string {
  const cause = signal === undefined ? "" : ` after ${signal}`;
  return `the process stops${cause}: calls in flight have up to ${drainMs / 1000} s`;
}

/** A sentence for its end. */
export function stopEnds({ connections, webSockets }: CutOff): string {
  const parts = [
    ...(connections > 0 ? [`${connections} connections with calls in flight`] : []),
    ...(webSockets > 0 ? [`${webSockets} WebSockets`] : []),
  ];
  const cut =
    parts.length === 0 ? "nothing was cut off" : `cut off after ${drainMs / 1000} s: ${parts.join(", ")}`;
  return `the process has stopped; ${cut}`;
}
