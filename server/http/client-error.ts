import type { Duplex } from "node:stream";
import { ServiceError } from "../errors.js";
import { v2Failure } from "../rpc/v2-envelope.js";
import { Heads } from "./headers.js";

/** A listener for `clientError` of a Node HTTP server. */
export type AnswerClientError = (error: NodeJS.ErrnoException, socket: Duplex) => void;

/** Answers connections without a valid request: malformed HTTP, oversized headers, or headers that do not arrive in time. */
export function createClientErrorAnswer(version: string): AnswerClientError {
  const head = new Heads(version).of("/");
  return (error, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
    else socket.end(answerOf(refusals.get(error.code) ?? malformed, head));
  };
}

type Refusal = { readonly reason: string; readonly error: ServiceError };

const malformed: Refusal = {
  reason: "Bad Request",
  error: new ServiceError("invalid-request", "malformed HTTP", { status: 400 }),
};

const refusals: ReadonlyMap<string | undefined, Refusal> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    {
      reason: "Request Header Fields Too Large",
      error: new ServiceError("too-large", "request headers are too large: at most 65536 bytes", {
        status: 431,
      }),
    },
  ],
  [
    "ERR_HTTP_REQUEST_TIMEOUT",
    {
      reason: "Request Timeout",
      error: new ServiceError("invalid-request", "request took too long to arrive", { status: 408 }),
    },
  ],
]);

function answerOf({ reason, error }: Refusal, head: readonly string[]): string {
  const body = v2Failure(error, "_", "v2");
  const fields = head.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
  const length = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `HTTP/1.1 ${error.statusIn("v2")} ${reason}\r\n${fields}${length}Connection: close\r\n\r\n${body}`;
}
