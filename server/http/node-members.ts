import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

// Members of Node's HTTP server that Node does not document. Other files use them through these functions only.

/** The answer that a connection is sending. Tracking answers by documented means would cost every request. */
export function currentAnswer(connection: Duplex): ServerResponse | null | undefined {
  return (connection as { _httpMessage?: ServerResponse | null })._httpMessage;
}
