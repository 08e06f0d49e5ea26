import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ServiceError } from "../../errors.js";
import type { HeaderList } from "../answers/headers.js";
import { bodyOf, errorTypeOf, type Surface, statusOn } from "../answers/refusal.js";

/** Refuses a WebSocket handshake with the answer that a plain request would get, and ends the connection. */
export function refuseUpgrade(
  socket: Duplex,
  error: ServiceError,
  { surface, head }: { surface: Surface; head: HeaderList },
): void {
  const status = statusOn(surface, error);
  const body = bodyOf(surface, error);
  const retry = status === 429 || status === 503 ? ["Retry-After", "1"] : [];
  // RFC 6455, 4.4: the answer to an invalid handshake names the supported version.
  const version = status === 400 ? ["Sec-WebSocket-Version", "13"] : [];
  const headers = [
    ...head,
    ...retry,
    ...version,
    "Content-Type",
    errorTypeOf(surface),
    "Content-Length",
    String(Buffer.byteLength(body)),
    "Connection",
    "close",
  ];
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Refused"}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
