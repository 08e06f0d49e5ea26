import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

// Members of Node's HTTP server that Node does not document. Other files use them through these functions only.

/** The answer that a connection is sending. Tracking answers by documented means would cost every request. */
export function currentAnswer(connection: Duplex): ServerResponse | null | undefined {
  return (connection as { _httpMessage?: ServerResponse | null })._httpMessage;
}

/** The head of an answer before it is written; null until it is known. */
type Headed = { _header?: string | null };

/** Whether the head of the answer is not known yet, so that `presetHead` can set it. */
export function hasNoHead(response: ServerResponse): boolean {
  return (response as Headed)._header === null;
}

/** Sets the text that `response.end` writes before its own data, in place of the head that Node would make. */
export function presetHead(response: ServerResponse, text: string): void {
  (response as Headed)._header = text;
}
