import type { Duplex } from "node:stream";
import { ServiceError } from "../../errors.js";
import { type HeaderList, Heads } from "../answers/headers.js";
import { bodyOf } from "../answers/refusal.js";
import { currentAnswer } from "../node-members.js";
import { headTooLarge } from "./request-size.js";

/** A listener for `clientError` of a Node HTTP server. */
export type AnswerClientError = (error: NodeJS.ErrnoException, socket: Duplex) => void;

/** Answers connections without a valid request: malformed HTTP, oversized headers, or headers that do not arrive in time. */
export function createClientErrorAnswer(version: string): AnswerClientError {
  const heads = new Heads(version);
  const headOf = { v2: heads.of("/"), v3: heads.of("/api/v3") };
  const refused = new WeakSet<Duplex>();
  return (error, socket) => {
    const refusal = refusals.get(error.code) ?? malformed;
    if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
    // After an error the parser reports each piece that still arrives.
    else if (!refused.has(socket)) {
      refused.add(socket);
      endInTurn(socket, answerOf(refusal, headOf[refusal.surface]));
    }
  };
}

/** Ends a connection with an answer, behind those to earlier requests: otherwise it would be taken for one of theirs. */
function endInTurn(socket: Duplex, answer: string): void {
  if (socket.destroyed) return;
  const current = currentAnswer(socket);
  if (current?.req.complete) current.once("close", () => endInTurn(socket, answer));
  // The request that is being answered is the one with the error.
  else if (current?.headersSent) socket.destroy();
  else if (socket.writable) socket.end(answer);
}

/** The path of such a request is unknown, so each refusal has the form of the API that is likely meant. */
type Refusal = {
  readonly reason: string;
  readonly error: ServiceError;
  readonly surface: "v2" | "v3";
};

const malformed: Refusal = {
  reason: "Bad Request",
  error: new ServiceError("invalid-request", "malformed HTTP", { status: 400 }),
  surface: "v2",
};

const refusals: ReadonlyMap<string | undefined, Refusal> = new Map<string | undefined, Refusal>([
  [
    "HPE_HEADER_OVERFLOW",
    // Only lists in the query of v3 make a request that long.
    { reason: "Request Header Fields Too Large", error: headTooLarge(), surface: "v3" },
  ],
  [
    "ERR_HTTP_REQUEST_TIMEOUT",
    {
      reason: "Request Timeout",
      error: new ServiceError("invalid-request", "request took too long to arrive", { status: 408 }),
      surface: "v2",
    },
  ],
]);

function answerOf({ reason, error, surface }: Refusal, head: HeaderList): string {
  const body = bodyOf(surface, error);
  const fields = head.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
  const length = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `HTTP/1.1 ${error.statusIn(surface)} ${reason}\r\n${fields}${length}Connection: close\r\n\r\n${body}`;
}
