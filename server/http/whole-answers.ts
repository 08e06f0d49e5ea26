import { type ServerResponse, STATUS_CODES } from "node:http";
import type { HeaderList } from "./headers.js";
import { keepAliveTimeoutMs } from "./keep-alive.js";

/** The parts of a short answer. Their texts are the service's own: nothing checks them for line ends. */
export type WholeAnswer = {
  readonly status: number;
  /** Headers common to all answers. */
  readonly head: HeaderList;
  /** Further headers as lines. */
  readonly lines: string;
  readonly body: string;
};

/** The text of an answer before its body is written, in a member that Node does not document. */
type Unsent = { _header?: string | null };

const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveTimeoutMs / 1000}\r\n\r\n`;

/**
 * Writes short answers as one text with their heads, which takes half of the time of Node's own way: it checks and joins
 * each header, and writes head and body as two parts.
 */
export class WholeAnswers {
  readonly #linesOf = new Map<HeaderList, string>();
  #date = "";
  #dateSec = Number.NaN;

  /** Sends an answer. Returns false if it must be sent in Node's way: its connection closes, or its text is not ASCII. */
  send(response: ServerResponse, { status, head, lines, body }: WholeAnswer): boolean {
    if (!response.shouldKeepAlive || (response as Unsent)._header !== null) return false;
    const length = Buffer.byteLength(body);
    if (length !== body.length) return false;
    const first = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${this.#textOf(head)}${lines}`;
    const last = `Content-Length: ${length}\r\n${this.#dateLine()}${keepAlive}`;
    response.statusCode = status;
    (response as Unsent)._header = response.req.method === "HEAD" ? first + last : first + last + body;
    response.end();
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
