import { type ServerResponse, STATUS_CODES } from "node:http";
import type { HeaderList } from "./headers.js";
import { keepAliveTimeoutMs } from "./keep-alive.js";
import { hasNoHead, presetHead } from "./node-members.js";

/**
 * The parts of an answer that is written in one piece. Its texts come from the service itself: they are not checked for
 * line ends.
 */
type WholeAnswer = {
  readonly status: number;
  /** Headers common to all answers. */
  readonly head: HeaderList;
  /** Further headers as lines. */
  readonly lines: string;
  readonly body: string | Uint8Array;
};

const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveTimeoutMs / 1000}\r\n\r\n`;

/**
 * Writes answers with heads that are texts already, the short ones as one text, which takes half of the time of Node's own
 * way: it checks and joins each header, and writes head and body as two parts.
 */
export class WholeAnswers {
  readonly #linesOf = new Map<HeaderList, string>();
  #date = "";
  #dateSec = Number.NaN;

  /** Sends an answer. Returns false if it must be sent in Node's way: its connection closes, or its text is not ASCII. */
  send(response: ServerResponse, { status, head, lines, body }: WholeAnswer): boolean {
    if (!response.shouldKeepAlive || !hasNoHead(response)) return false;
    const { length } = body;
    if (typeof body === "string" && Buffer.byteLength(body) !== length) return false;
    const first = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${this.#textOf(head)}${lines}`;
    const last = `Content-Length: ${length}\r\n${this.#dateLine()}${keepAlive}`;
    response.statusCode = status;
    const isText = typeof body === "string" && response.req.method !== "HEAD";
    presetHead(response, isText ? first + last + body : first + last);
    if (typeof body === "string") response.end();
    else response.end(body);
    return true;
  }

  #textOf(head: HeaderList): string {
    const known = this.#linesOf.get(head);
    if (known !== undefined) return known;
    const lines = head.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
    this.#linesOf.set(head, lines);
    return lines;
  }

  #dateLine(): string {
    const time = Date.now();
    const sec = Math.floor(time / 1000);
    if (sec !== this.#dateSec) {
      this.#dateSec = sec;
      this.#date = `Date: ${new Date(time).toUTCString()}\r\n`;
    }
    return this.#date;
  }
}
